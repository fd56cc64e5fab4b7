/* A seed from a file: a plan, or a chromosome. */
#ifndef REGAL_IO_SEED_FILE_H
#define REGAL_IO_SEED_FILE_H

#include "regal/chromosome.h"
#include "regal/plan.h"

/* One of *plan and *keys is set, by what the file holds; the other is NULL. */
regal_status regal_seed_file_read(const char *path, regal_plan **plan, regal_chromosome **keys);

#endif
