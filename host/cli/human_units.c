#include "cli/human_units.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

const char *human_count(int64_t number, char *text) {
    char digits[HUMAN_TEXT];
    snprintf(digits, sizeof digits, "%" PRId64, number);
    const char *from = digits;
    char *to = text;
    if (*from == '-')
        *to++ = *from++;
    for (size_t left = strlen(from); left > 0; left--) {
        *to++ = *from++;
        if (left > 1 && left % 3 == 1)
            *to++ = ',';
    }
    *to = '\0';
    return text;
}

const char *human_things(int64_t number, const char *thing, char *text) {
    human_count(number, text);
    const size_t length = strlen(text);
    snprintf(text + length, HUMAN_TEXT - length, " %s%s", thing, number == 1 ? "" : "s");
    return text;
}

/* number in steps of a thousand, at least three significant digits. */
static const char *scaled(int64_t number, const char *const *units, int unit_count, char *text) {
    double value = (double)number;
    int unit = 0;
    while (fabs(value) >= 999.95 && unit + 1 < unit_count) {
        value /= 1000;
        unit++;
    }
    const int decimals = unit == 0 ? 0 : fabs(value) < 9.9995 ? 3 : fabs(value) < 99.995 ? 2 : 1;
    snprintf(text, HUMAN_TEXT, "%.*f %s", decimals, value, units[unit]);
    return text;
}

const char *human_ticks(int64_t ticks, char *text) {
    static const char *const units[] = {"ns", "us", "ms", "s"};
    return scaled(ticks, units, 4, text);
}

const char *human_bytes(int64_t bytes, char *text) {
    static const char *const units[] = {"B", "kB", "MB", "GB", "TB", "PB", "EB"};
    return scaled(bytes, units, 7, text);
}

const char *human_flops(int64_t flops, char *text) {
    static const char *const units[] = {"FLOP",  "kFLOP", "MFLOP", "GFLOP",
                                        "TFLOP", "PFLOP", "EFLOP"};
    return scaled(flops, units, 7, text);
}

const char *human_seconds(double seconds, char *text) {
    if (seconds < 0.001)
        snprintf(text, HUMAN_TEXT, "%.0f us", seconds * 1e6);
    else if (seconds < 0.1)
        snprintf(text, HUMAN_TEXT, "%.1f ms", seconds * 1000);
    else if (seconds < 9.95)
        snprintf(text, HUMAN_TEXT, "%.2f s", seconds);
    else if (seconds < 120)
        snprintf(text, HUMAN_TEXT, "%.0f s", seconds);
    else if (seconds < 7200)
        snprintf(text, HUMAN_TEXT, "%d min %02d s", (int)seconds / 60, (int)seconds % 60);
    else
        snprintf(text, HUMAN_TEXT, "%.1f h", seconds / 3600);
    return text;
}

const char *human_rate(double per_second, char *text) {
    if (per_second < 999.5)
        snprintf(text, HUMAN_TEXT, "%.0f/s", per_second);
    else if (per_second < 999.5e3)
        snprintf(text, HUMAN_TEXT, "%.3gk/s", per_second / 1e3);
    else
        snprintf(text, HUMAN_TEXT, "%.3gM/s", per_second / 1e6);
    return text;
}

const char *human_percent(double share, char *text) {
    snprintf(text, HUMAN_TEXT, "%.1f %%", 100 * share);
    return text;
}

const char *human_ratio(double part, double whole, char *text) {
    if (whole > 0 && part >= 0)
        snprintf(text, HUMAN_TEXT, "%.3f", part / whole);
    else
        snprintf(text, HUMAN_TEXT, "-");
    return text;
}
