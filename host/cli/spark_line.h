/* How a value went over a run, as a row of blocks: the higher the block the greater the value. */
#ifndef REGAL_CLI_SPARK_LINE_H
#define REGAL_CLI_SPARK_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    SPARK_SAMPLES = 64, /* even; when they are all taken every other one is given up */
    SPARK_CELLS = 12,   /* columns, at most */
    SPARK_TEXT = 3 * SPARK_CELLS + 1
};

typedef struct spark_line {
    int64_t samples[SPARK_SAMPLES]; /* the last one is the value now */
    int count;
    double interval, next; /* seconds */
} spark_line;

void spark_clear(spark_line *line);
/* The value at a time; times do not go back. */
void spark_add(spark_line *line, double seconds, int64_t value);
/* UTF-8 into text; the columns that it takes, 0 where there is nothing to tell yet. */
int spark_draw(const spark_line *line, char text[SPARK_TEXT]);

#endif
