// Runs one planted fault, or its correct twin: NAME [fixed]. Exit 0: the result is right, 3: wrong.
#include <cstdio>
#include <cstring>
#include <initializer_list>

#include "faults.h"

int main(int count, char **arguments) {
    if (count < 2) {
        return 2;
    }
    const bool faulty = count < 3;
    for (const Fault *list : {kKernelFaults, kHostFaults}) {
        for (const Fault *fault = list; fault->name; ++fault) {
            if (strcmp(fault->name, arguments[1]) == 0) {
                const bool right = fault->run(faulty);
                puts(right ? "right" : "wrong");
                return right ? 0 : 3;
            }
        }
    }
    return 2;
}
