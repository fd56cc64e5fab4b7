#include <string.h>

#include "policy/feature_parts.h"

enum { DIGIT_BITS = 8, DIGITS = 1 << DIGIT_BITS, PASSES = 32 / DIGIT_BITS };

/* Keys that are ordered as the numbers are; 0 and -0 are one. */
static uint32_t key_of(float value) {
    uint32_t bits;
    value += 0.0f;
    memcpy(&bits, &value, sizeof bits);
    return bits >> 31 ? ~bits : bits | 0x80000000u;
}

/* Items by key, those of equal keys as they were. */
static void sort_by_digit(const uint32_t *keys, const int32_t *items, int64_t count, int shift,
                          uint32_t *sorted_keys, int32_t *sorted_items) {
    int64_t begin[DIGITS + 1] = {0};
    for (int64_t i = 0; i < count; ++i)
        begin[(keys[i] >> shift) % DIGITS + 1]++;
    for (int d = 0; d < DIGITS; ++d)
        begin[d + 1] += begin[d];
    for (int64_t i = 0; i < count; ++i) {
        const int64_t place = begin[(keys[i] >> shift) % DIGITS]++;
        sorted_keys[place] = keys[i];
        sorted_items[place] = items[i];
    }
}

/* An even number of passes ends where it began. */
static void sort(const regal_feature_work *work) {
    const int64_t n = work->view->op_count;
    uint32_t *keys[2] = {work->keys, work->keys + n};
    int32_t *items[2] = {work->items, work->items + n};
    for (int64_t i = 0; i < n; ++i) {
        keys[0][i] = key_of(work->value[i]);
        items[0][i] = (int32_t)i;
    }
    for (int pass = 0; pass < PASSES; ++pass)
        sort_by_digit(keys[pass % 2], items[pass % 2], n, pass * DIGIT_BITS, keys[1 - pass % 2],
                      items[1 - pass % 2]);
}

void regal_feature_put_rank(const regal_feature_work *work, regal_feature feature) {
    const int64_t n = work->view->op_count;
    sort(work);
    for (int64_t begin = 0, end; begin < n; begin = end) {
        for (end = begin + 1; end < n && work->keys[end] == work->keys[begin];)
            ++end;
        for (int64_t i = begin; i < end; ++i)
            regal_feature_put(work, work->items[i], feature, (double)(begin + end) / (double)n - 1);
    }
}

void regal_feature_put_deviation(const regal_feature_work *work, regal_feature feature) {
    const double least_deviation = 0.1; /* what differs less hardly differs */
    const int64_t n = work->view->op_count;
    double count = 0, sum = 0, square = 0;
    for (int64_t op = 0; op < n; ++op)
        if (work->value[op] > 0) {
            sum += log(work->value[op]);
            count++;
        }
    const double mean = regal_ratio(sum, count);
    for (int64_t op = 0; op < n; ++op)
        if (work->value[op] > 0) {
            const double offset = log(work->value[op]) - mean;
            square += offset * offset;
        }
    const double unit = sqrt(regal_ratio(square, count)) + least_deviation;
    for (int64_t op = 0; op < n; ++op)
        regal_feature_put(work, op, feature,
                          work->value[op] > 0 ? (log(work->value[op]) - mean) / unit
                                              : -REGAL_FEATURE_LIMIT);
}
