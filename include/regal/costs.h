#ifndef REGAL_COSTS_H
#define REGAL_COSTS_H

#include <stddef.h>
#include <stdint.h>

#include "regal/io.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Measured times of ops, which override those of a file or of the static cost model
 * (regal_read_options.costs). Sources, recognized by content:
 *   CSV           op,class,microseconds: a line for each op and device class; a first line of these
 *                 words and lines that begin with # are left out
 *   Chrome trace  complete events (ph X) and pairs (B, E): an op's time is the mean of the events
 * of its name RunMetadata   TensorFlow's step stats, text or binary: likewise Where no class is
 * named (traces), the time holds for every class. */

/* A path "-" is standard input. REGAL_INVALID_INPUT with the place. */
regal_status regal_costs_read(const char *path, regal_costs **costs);
regal_status regal_costs_parse(const char *data, size_t size, const char *name,
                               regal_costs **costs);
void regal_costs_destroy(regal_costs *costs);

int64_t regal_costs_count(const regal_costs *costs);
/* As CSV: what regal_costs_parse gives back. */
const char *regal_costs_text(const regal_costs *costs);

#ifdef __cplusplus
}
#endif
#endif
