// Kernels and host code with planted faults. Each has a correct twin.
#ifndef SIMT_UNIT_FAULTS_H
#define SIMT_UNIT_FAULTS_H

struct Fault {
    const char *name;
    bool (*run)(bool faulty); // true: the result is as it should be
};

extern const Fault kKernelFaults[], kHostFaults[]; // up to one without a name

#endif
