/* A seed from a file: a plan, or a chromosome. */
#ifndef REGAL_IO_SEED_FILE_H
#define REGAL_IO_SEED_FILE_H

#include "io/json_fields.h"
#include "regal/chromosome.h"
#include "regal/plan.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One of *plan and *keys is set, by what the file holds; the other is NULL. */
regal_status regal_seed_file_read(const char *path, regal_plan **plan, regal_chromosome **keys);

/* The two readers; the results are a regal_plan * and a regal_chromosome *. */
regal_json_reader regal_plan_from_json;
regal_json_reader regal_chromosome_from_json;

#ifdef __cplusplus
}
#endif
#endif
