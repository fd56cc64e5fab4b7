/* An evaluation for people. */
#ifndef REGAL_CLI_EVALUATE_TABLE_H
#define REGAL_CLI_EVALUATE_TABLE_H

#include <stdio.h>

#include "regal/evaluate.h"

/* What was compared, then a table for each budget. */
void evaluate_table_print(const regal_evaluation *evaluation, FILE *file);

#endif
