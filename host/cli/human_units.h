/* Numbers for people. Each function fills text (of HUMAN_TEXT bytes) and returns it. */
#ifndef REGAL_CLI_HUMAN_UNITS_H
#define REGAL_CLI_HUMAN_UNITS_H

#include <stdint.h>

enum { HUMAN_TEXT = 48 };

const char *human_count(int64_t number, char *text); /* 1,234,567 */
/* "1 op", "12 ops": thing is at most 19 bytes long and takes an s. */
const char *human_things(int64_t number, const char *thing, char *text);
const char *human_ticks(int64_t ticks, char *text);             /* 41.23 ms; a tick is 1 ns */
const char *human_bytes(int64_t bytes, char *text);             /* 12.35 GB; GB = 10^9 */
const char *human_flops(int64_t flops, char *text);             /* 8.207 GFLOP */
const char *human_seconds(double seconds, char *text);          /* 3.2 s, 2 min 05 s */
const char *human_rate(double per_second, char *text);          /* 12.3k/s */
const char *human_percent(double share, char *text);            /* 97.1 % */
const char *human_ratio(double part, double whole, char *text); /* 1.083, or - over zero */

/* human_count and so on into a buffer that lives as long as the enclosing block. */
#define HUMAN(what, ...) human_##what(__VA_ARGS__, (char[HUMAN_TEXT]){0})

#endif
