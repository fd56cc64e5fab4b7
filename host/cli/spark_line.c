#include "cli/spark_line.h"

#include <string.h>

enum { LEVELS = 8, BLOCK_BYTES = 3 };
static const double FIRST_INTERVAL = 0.1;

void spark_clear(spark_line *line) {
    line->count = 0;
    line->interval = FIRST_INTERVAL;
    line->next = 0;
}

static void thin_out(spark_line *line) {
    line->count /= 2;
    for (int i = 0; i < line->count; i++)
        line->samples[i] = line->samples[2 * i + 1];
    line->interval *= 2;
}

void spark_add(spark_line *line, double seconds, int64_t value) {
    if (line->count > 0 && seconds < line->next) {
        line->samples[line->count - 1] = value;
        return;
    }
    if (line->count == SPARK_SAMPLES)
        thin_out(line);
    line->samples[line->count++] = value;
    line->next = seconds + line->interval;
}

/* U+2581 to U+2588. */
static void put_block(int level, char *text) {
    const char block[BLOCK_BYTES] = {'\xe2', '\x96', (char)(0x81 + level)};
    memcpy(text, block, BLOCK_BYTES);
}

int spark_draw(const spark_line *line, char text[SPARK_TEXT]) {
    const int cells = line->count < SPARK_CELLS ? line->count : SPARK_CELLS;
    text[0] = '\0';
    if (cells < 2)
        return 0;
    int64_t least = line->samples[0], greatest = least;
    for (int i = 1; i < line->count; i++) {
        least = line->samples[i] < least ? line->samples[i] : least;
        greatest = line->samples[i] > greatest ? line->samples[i] : greatest;
    }
    const double range = (double)greatest - (double)least;
    for (int i = 0; i < cells; i++) {
        const int64_t value = line->samples[(i + 1) * line->count / cells - 1];
        const double height = range > 0 ? ((double)value - (double)least) / range : 0;
        put_block((int)(height * (LEVELS - 1) + 0.5), text + BLOCK_BYTES * i);
    }
    text[BLOCK_BYTES * cells] = '\0';
    return cells;
}
