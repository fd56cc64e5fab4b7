/* Clusters in the words of a command line: "4x16GB" and "25GB/s,5us". */
#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "base/error.h"
#include "graph/graph_limits.h"
#include "regal/cluster.h"

typedef struct unit {
    const char *word;
    int64_t factor;
} unit;

static const unit SIZES[] = {
    {"B", 1},
    {"KB", INT64_C(1000)},
    {"kB", INT64_C(1000)},
    {"MB", INT64_C(1000000)},
    {"GB", INT64_C(1000000000)},
    {"TB", INT64_C(1000000000000)},
    {"KiB", INT64_C(1) << 10},
    {"MiB", INT64_C(1) << 20},
    {"GiB", INT64_C(1) << 30},
    {"TiB", INT64_C(1) << 40},
};
static const unit TIMES[] = {
    {"ns", 1},
    {"us", INT64_C(1000)},
    {"ms", INT64_C(1000000)},
    {"s", INT64_C(1000000000)},
};
#define SIZE_WORDS "B, KB, MB, GB, TB, KiB, MiB, GiB or TiB"
#define TIME_WORDS "ns, us, ms or s"

enum { GREATEST_DIGITS = 18, NANOSECONDS_IN_1000_TICKS = 1000 };
static const int64_t NANOSECONDS_IN_SECOND = 1000000000;

/* digits / divisor, exactly. */
typedef struct decimal {
    int64_t digits, divisor;
} decimal;

/* Reads "12" or "1.5" from the start of text[0..length); the number of characters read, or 0. */
static size_t read_decimal(const char *text, size_t length, decimal *value) {
    *value = (decimal){0, 1};
    size_t i = 0;
    int count = 0;
    bool fraction = false, any = false;
    for (; i < length; ++i) {
        if (text[i] == '.' && !fraction) {
            fraction = true;
            continue;
        }
        if (!isdigit((unsigned char)text[i]))
            break;
        any = true;
        if (value->digits != 0 || text[i] != '0' || fraction)
            ++count;
        if (count > GREATEST_DIGITS)
            return 0;
        value->digits = value->digits * 10 + (text[i] - '0');
        if (fraction)
            value->divisor *= 10;
    }
    return any ? i : 0;
}

/* Reads a number with a unit: *value = round(number * factor * numerator / denominator), halves
 * up. False where the text is something else or the value passes 2^53. */
static bool read_quantity(const char *text, size_t length, const unit *units, size_t unit_count,
                          int64_t numerator, int64_t denominator, int64_t *value) {
    decimal number;
    const size_t used = read_decimal(text, length, &number);
    if (used == 0)
        return false;
    for (size_t i = 0; i < unit_count; ++i) {
        if (strlen(units[i].word) != length - used ||
            memcmp(units[i].word, text + used, length - used) != 0)
            continue;
        /* At most 10^18 * 2^40 * 10^3 and 10^18 * 10^9: both far below 2^127. */
        const __int128 above = (__int128)number.digits * units[i].factor * numerator;
        const __int128 below = (__int128)number.divisor * denominator;
        const __int128 rounded = (2 * above + below) / (2 * below);
        if (rounded > REGAL_NUMBER_MAX)
            return false;
        *value = (int64_t)rounded;
        return true;
    }
    return false;
}

regal_status regal_bytes_parse(const char *text, int64_t *bytes) {
    static const unit NONE = {"", 1};
    const size_t length = strlen(text);
    const bool whole = strspn(text, "0123456789") == length;
    const bool good =
        whole ? read_quantity(text, length, &NONE, 1, 1, 1, bytes)
              : read_quantity(text, length, SIZES, sizeof SIZES / sizeof *SIZES, 1, 1, bytes);
    REGAL_FAIL_IF(!good, REGAL_INVALID_ARGUMENT,
                  "'%s' is no size: expected a number with " SIZE_WORDS
                  ", such as 4KB, up to 2^53 bytes",
                  text);
    return REGAL_OK;
}

static regal_status read_memory(const char *text, int64_t *memory) {
    const bool good =
        read_quantity(text, strlen(text), SIZES, sizeof SIZES / sizeof *SIZES, 1, 1, memory);
    REGAL_FAIL_IF(!good, REGAL_INVALID_ARGUMENT,
                  "'%s' is no memory size: expected a number with " SIZE_WORDS
                  ", such as 16GB, up to 2^53 bytes",
                  text);
    REGAL_FAIL_IF(*memory == 0, REGAL_INVALID_ARGUMENT,
                  "'%s': a device needs at least one byte; leave the size out for unlimited memory",
                  text);
    return REGAL_OK;
}

static regal_status add_devices(regal_cluster *cluster, const char *words) {
    const size_t digits = strspn(words, "0123456789");
    const char *rest = words + digits;
    REGAL_FAIL_IF(digits == 0 || (*rest != '\0' && *rest != 'x'), REGAL_INVALID_ARGUMENT,
                  "'%s' describes no devices: expected a number such as 4, or 4x16GB", words);
    int64_t count = 0;
    for (size_t i = 0; i < digits && count <= REGAL_MAX_DEVICES; ++i)
        count = count * 10 + (words[i] - '0');
    REGAL_FAIL_IF(count < 1 || count > REGAL_MAX_DEVICES, REGAL_INVALID_ARGUMENT,
                  "'%s': the number of devices must be 1..%d", words, REGAL_MAX_DEVICES);

    regal_device device = {0};
    REGAL_FAIL_IF(rest[0] == 'x' && rest[1] == '\0', REGAL_INVALID_ARGUMENT,
                  "'%s' lacks a memory size: expected one such as 16GB after the x, or no x for "
                  "unlimited memory",
                  words);
    if (*rest == 'x')
        REGAL_FORWARD(read_memory(rest + 1, &device.memory));
    for (int64_t i = 0; i < count; ++i)
        REGAL_FORWARD(regal_cluster_add_device(cluster, &device));
    return REGAL_OK;
}

static regal_status read_rate(const char *text, size_t length, int64_t *rate) {
    static const char per_second[] = "/s";
    const size_t suffix = sizeof per_second - 1;
    const bool ends = length > suffix && memcmp(text + length - suffix, per_second, suffix) == 0;
    const bool good =
        ends && read_quantity(text, length - suffix, SIZES, sizeof SIZES / sizeof *SIZES,
                              NANOSECONDS_IN_1000_TICKS, NANOSECONDS_IN_SECOND, rate);
    REGAL_FAIL_IF(!good, REGAL_INVALID_ARGUMENT,
                  "'%.*s' is no rate: expected a number with " SIZE_WORDS
                  " and /s, such as 25GB/s, or 'free' alone for links that cost nothing",
                  (int)length, text);
    REGAL_FAIL_IF(*rate == 0, REGAL_INVALID_ARGUMENT,
                  "'%.*s' is too slow: a link carries at least 1MB/s", (int)length, text);
    return REGAL_OK;
}

static regal_status read_link(const char *words, regal_link *link) {
    *link = (regal_link){0};
    const size_t first = strcspn(words, ",");
    if (first == strlen("free") && memcmp(words, "free", first) == 0) {
        REGAL_FAIL_IF(words[first] != '\0', REGAL_INVALID_ARGUMENT,
                      "'free' stands alone: such links cost nothing, so they have no latency");
        return REGAL_OK;
    }
    REGAL_FAIL_IF(first > 100, REGAL_INVALID_ARGUMENT,
                  "'%.20s...' is no link: expected a rate and a latency, such as 25GB/s,5us",
                  words);
    REGAL_FORWARD(read_rate(words, first, &link->bytes_per_1000_ticks));
    if (words[first] == '\0')
        return REGAL_OK;
    const char *latency = words + first + 1;
    latency += strspn(latency, " ");
    const bool good = read_quantity(latency, strlen(latency), TIMES, sizeof TIMES / sizeof *TIMES,
                                    1, 1, &link->latency);
    REGAL_FAIL_IF(!good, REGAL_INVALID_ARGUMENT,
                  "'%s' is no latency: expected a number with " TIME_WORDS ", such as 5us",
                  latency);
    return REGAL_OK;
}

regal_status regal_cluster_parse(const char *devices, const char *link, regal_cluster **cluster) {
    *cluster = NULL;
    regal_link parsed;
    REGAL_FORWARD(read_link(link != NULL ? link : REGAL_DEFAULT_LINK, &parsed));
    regal_cluster *made = NULL;
    REGAL_FORWARD(regal_cluster_create(&made));
    regal_status status = add_devices(made, devices);
    if (status == REGAL_OK)
        status = regal_cluster_set_default_link(made, parsed);
    if (status != REGAL_OK)
        regal_cluster_destroy(made);
    else
        *cluster = made;
    return status;
}
