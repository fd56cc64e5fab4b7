#include "regal/chromosome.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/memory.h"

const char *regal_encoding_name(regal_encoding encoding) {
    return encoding == REGAL_INHERIT ? "inherit" : "affinity";
}

int64_t regal_gene_count(regal_encoding encoding, int64_t op_count, int64_t device_count) {
    int64_t count;
    const int64_t per_op = encoding == REGAL_INHERIT ? 2 : device_count + 2;
    return __builtin_mul_overflow(op_count, per_op, &count) ? -1 : count;
}

regal_status regal_chromosome_create(regal_encoding encoding, int64_t window, int64_t op_count,
                                     int64_t device_count, regal_chromosome **chromosome) {
    *chromosome = NULL;
    const int64_t genes = regal_gene_count(encoding, op_count, device_count);
    regal_chromosome *made = regal_allocate_zeroed(1, sizeof *made);
    uint16_t *keys = regal_allocate_zeroed(genes, sizeof *keys);
    if (made == NULL || keys == NULL) {
        free(made);
        free(keys);
        REGAL_FAIL(REGAL_OUT_OF_MEMORY, "memory ran out");
    }
    *made = (regal_chromosome){encoding, window, op_count, device_count, keys};
    *chromosome = made;
    return REGAL_OK;
}

void regal_chromosome_destroy(regal_chromosome *chromosome) {
    if (chromosome == NULL)
        return;
    free(chromosome->genes);
    free(chromosome);
}
