/* Writes the table of Beta quantiles to the file named on the command line: 16-bit numbers, low
 * byte first. Build and run: cmake --build build --target beta_quantiles */
#include "beta_quantiles.h"

#include <cstdio>

int main(int argument_count, char **arguments) {
    if (argument_count != 2) {
        std::fprintf(stderr, "usage: make_beta_quantiles FILE\n");
        return 2;
    }
    std::FILE *file = std::fopen(arguments[1], "wb");
    if (file == nullptr) {
        std::perror(arguments[1]);
        return 1;
    }
    for (const uint16_t value : regal_beta_quantiles()) {
        std::fputc(value & 255, file);
        std::fputc(value >> 8, file);
    }
    return std::fclose(file) == 0 ? 0 : 1;
}
