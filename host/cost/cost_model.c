#include "cost/cost_model.h"

#include <string.h>

#include "cost/device_profile.h"

enum {
    COMPLEX_FLOPS = 4,       /* a complex multiply-add is four real ones */
    WIDE_INTEGER_OPS = 2,    /* 64-bit integer arithmetic is done in halves */
    TRANSCENDENTAL_F64 = 20, /* a polynomial: there is no special-function unit for f64 */
    RANDOM_OPS = 20,         /* integer operations of a counter-based generator, per word */
};

typedef enum type_family { INTEGER, FLOAT, COMPLEX, NOTHING } type_family;

typedef struct type_info {
    const char *name;
    uint8_t bits, length;
    type_family family;
} type_info;

static const type_info type_table[REGAL_TYPE_COUNT] = {
#define TYPE_INFO(name, word, bits, family) {word, bits, sizeof(word) - 1, family},
    REGAL_TYPE_LIST(TYPE_INFO)
#undef TYPE_INFO
};

static const char *const work_kind_names[REGAL_WORK_KIND_COUNT] = {
#define WORK_NAME(name, word) word,
    REGAL_WORK_LIST(WORK_NAME)
#undef WORK_NAME
};

int64_t regal_count_add(int64_t a, int64_t b) {
    int64_t sum;
    return __builtin_add_overflow(a, b, &sum) ? INT64_MAX : sum;
}

int64_t regal_count_multiply(int64_t a, int64_t b) {
    int64_t product;
    return __builtin_mul_overflow(a, b, &product) ? INT64_MAX : product;
}

const char *regal_type_name(regal_type type) {
    return type_table[type].name;
}

regal_type regal_type_find(const char *word, size_t length) {
    for (int t = 0; t < REGAL_TYPE_COUNT; ++t)
        if (type_table[t].length == length && memcmp(type_table[t].name, word, length) == 0)
            return (regal_type)t;
    return REGAL_TYPE_COUNT;
}

int64_t regal_type_bits(regal_type type) {
    return type_table[type].bits;
}

bool regal_type_is_complex(regal_type type) {
    return type_table[type].family == COMPLEX;
}

static int64_t not_negative(int64_t count) {
    return count < 0 ? 0 : count;
}

int64_t regal_type_bytes(regal_type type, int64_t elements) {
    const int64_t bits = type_table[type].bits, count = not_negative(elements);
    if (bits % 8 == 0)
        return regal_count_multiply(count, bits / 8);
    const int64_t per_byte = 8 / bits; /* 8, 4 or 2 */
    return count / per_byte + (count % per_byte != 0);
}

const char *regal_work_kind_name(regal_work_kind kind) {
    return work_kind_names[kind];
}

static regal_work work_make(regal_work_kind kind, regal_type type, int64_t flops, int64_t bytes) {
    const regal_work work = {.kind = kind, .type = type, .flops = flops, .bytes = bytes};
    return work;
}

/* a * b * c * d of counts. A zero factor wins over an overflow of the others. */
static int64_t product4(int64_t a, int64_t b, int64_t c, int64_t d) {
    a = not_negative(a), b = not_negative(b), c = not_negative(c), d = not_negative(d);
    if (a == 0 || b == 0 || c == 0 || d == 0)
        return 0;
    return regal_count_multiply(regal_count_multiply(a, b), regal_count_multiply(c, d));
}

static int64_t type_bytes3(regal_type type, int64_t a, int64_t b, int64_t c) {
    const int64_t ab = regal_count_add(regal_type_bytes(type, a), regal_type_bytes(type, b));
    return regal_count_add(ab, regal_type_bytes(type, c));
}

regal_work regal_work_matrix_product(regal_type type, int64_t batch, int64_t m, int64_t n,
                                     int64_t k) {
    const int64_t flops = regal_count_multiply(2, product4(batch, m, n, k));
    const int64_t bytes = type_bytes3(type, product4(batch, m, k, 1), product4(batch, k, n, 1),
                                      product4(batch, m, n, 1));
    return work_make(REGAL_WORK_MATRIX_PRODUCT, type, flops, bytes);
}

regal_work regal_work_convolution(regal_type type, int64_t input, int64_t kernel, int64_t output,
                                  int64_t taps) {
    return work_make(REGAL_WORK_CONVOLUTION, type, product4(2, output, taps, 1),
                     type_bytes3(type, input, kernel, output));
}

static int64_t elementwise_bytes(regal_type type, int64_t elements, int64_t inputs) {
    return product4(regal_type_bytes(type, elements), regal_count_add(not_negative(inputs), 1), 1,
                    1);
}

regal_work regal_work_elementwise(regal_type type, int64_t elements, int64_t inputs,
                                  int64_t flops_per_element) {
    return work_make(REGAL_WORK_ELEMENTWISE, type, product4(elements, flops_per_element, 1, 1),
                     elementwise_bytes(type, elements, inputs));
}

regal_work regal_work_transcendental(regal_type type, int64_t elements, int64_t inputs) {
    return work_make(REGAL_WORK_TRANSCENDENTAL, type, not_negative(elements),
                     elementwise_bytes(type, elements, inputs));
}

regal_work regal_work_reduction(regal_type type, int64_t input, int64_t output) {
    return work_make(REGAL_WORK_REDUCTION, type, not_negative(input),
                     type_bytes3(type, input, output, 0));
}

regal_work regal_work_movement(int64_t bytes_read, int64_t bytes_written) {
    return work_make(REGAL_WORK_MOVEMENT, REGAL_TYPE_U8, 0,
                     regal_count_add(not_negative(bytes_read), not_negative(bytes_written)));
}

regal_work regal_work_gather(regal_type type, int64_t elements, int64_t index_bytes) {
    return work_make(REGAL_WORK_GATHER, type, 0,
                     regal_count_add(product4(2, regal_type_bytes(type, elements), 1, 1),
                                     not_negative(index_bytes)));
}

/* Comparisons as a merge sort makes them; memory traffic as a radix sort, one pass per key byte. */
regal_work regal_work_sort(regal_type type, int64_t rows, int64_t length) {
    int64_t depth = 1;
    for (int64_t reach = 2; reach < length && depth < 62; reach *= 2)
        ++depth;
    const int64_t keys = product4(rows, length, 1, 1);
    const int64_t passes = regal_type_bytes(type, 1) > 0 ? regal_type_bytes(type, 1) : 1;
    return work_make(REGAL_WORK_SORT, type, product4(keys, depth, 1, 1),
                     product4(2, regal_type_bytes(type, keys), passes, 1));
}

regal_work regal_work_random(regal_type type, int64_t elements) {
    return work_make(REGAL_WORK_RANDOM, type, product4(elements, RANDOM_OPS, 1, 1),
                     regal_type_bytes(type, elements));
}

regal_work regal_work_collective(int64_t bytes) {
    return work_make(REGAL_WORK_COLLECTIVE, REGAL_TYPE_U8, 0, not_negative(bytes));
}

static regal_unit matrix_unit(const type_info *type, bool full_precision) {
    if (type->family == INTEGER)
        return type->bits <= 8 ? REGAL_UNIT_MATRIX_S8 : REGAL_UNIT_VECTOR_INTEGER;
    const int bits = type->family == COMPLEX ? type->bits / 2 : type->bits;
    if (bits <= 8)
        return REGAL_UNIT_MATRIX_F8;
    if (bits == 16)
        return REGAL_UNIT_MATRIX_F16;
    if (bits == 64)
        return REGAL_UNIT_MATRIX_F64;
    return full_precision ? REGAL_UNIT_MATRIX_F32 : REGAL_UNIT_MATRIX_TF32;
}

static regal_unit vector_unit(const type_info *type) {
    if (type->family == INTEGER || type->family == NOTHING)
        return REGAL_UNIT_VECTOR_INTEGER;
    const int bits = type->family == COMPLEX ? type->bits / 2 : type->bits;
    if (bits <= 16)
        return REGAL_UNIT_VECTOR_F16;
    return bits == 64 ? REGAL_UNIT_VECTOR_F64 : REGAL_UNIT_VECTOR_F32;
}

static bool is_matrix_work(const regal_work *work) {
    return work->kind == REGAL_WORK_MATRIX_PRODUCT || work->kind == REGAL_WORK_CONVOLUTION;
}

int64_t regal_work_flops(const regal_work *work) {
    const type_family family = type_table[work->type].family;
    if (work->kind == REGAL_WORK_FREE || work->kind == REGAL_WORK_RANDOM ||
        (family == INTEGER && !is_matrix_work(work)) || family == NOTHING)
        return 0;
    return regal_count_multiply(not_negative(work->flops), family == COMPLEX ? COMPLEX_FLOPS : 1);
}

void regal_load_add(regal_load *load, const regal_work *work) {
    if (work->kind == REGAL_WORK_FREE)
        return;
    load->counted = regal_count_add(load->counted, regal_work_flops(work));
    if (work->kind == REGAL_WORK_COLLECTIVE)
        load->collective_bytes = regal_count_add(load->collective_bytes, not_negative(work->bytes));

    const type_info *type = &type_table[work->type];
    regal_unit unit =
        is_matrix_work(work) ? matrix_unit(type, work->full_precision) : vector_unit(type);
    int64_t operations = not_negative(work->flops);
    if (type->family == COMPLEX)
        operations = regal_count_multiply(operations, COMPLEX_FLOPS);
    if (type->family == INTEGER && type->bits == 64)
        operations = regal_count_multiply(operations, WIDE_INTEGER_OPS);
    if (work->kind == REGAL_WORK_TRANSCENDENTAL) {
        if (unit == REGAL_UNIT_VECTOR_F64)
            operations = regal_count_multiply(operations, TRANSCENDENTAL_F64);
        else
            unit = REGAL_UNIT_SPECIAL;
    } else if (work->kind == REGAL_WORK_RANDOM) {
        unit = REGAL_UNIT_VECTOR_INTEGER;
    }
    load->flops[unit] = regal_count_add(load->flops[unit], operations);
}

static void add_times(int64_t *sum, int64_t amount, int64_t times) {
    *sum = regal_count_add(*sum, regal_count_multiply(amount, times));
}

void regal_load_merge_times(regal_load *load, const regal_load *other, int64_t times) {
    for (int u = 0; u < REGAL_UNIT_COUNT; ++u)
        add_times(&load->flops[u], other->flops[u], times);
    add_times(&load->bytes, other->bytes, times);
    add_times(&load->collective_bytes, other->collective_bytes, times);
    add_times(&load->counted, other->counted, times);
}

/* ceil(amount / (rate * permille / 1000)): ns for an amount at a rate per ns. */
static int64_t ticks_at(int64_t amount, int64_t rate, int64_t permille) {
    const __int128 pace = (__int128)rate * permille;
    const __int128 ticks = ((__int128)amount * 1000 + pace - 1) / pace;
    return ticks > INT64_MAX ? INT64_MAX : (int64_t)ticks;
}

int64_t regal_load_ticks(const regal_device_profile *profile, const regal_load *load) {
    int64_t compute = 0;
    for (int u = 0; u < REGAL_UNIT_COUNT; ++u) {
        const int64_t permille =
            u < REGAL_UNIT_VECTOR_F64 ? profile->matrix_permille : profile->vector_permille;
        compute =
            regal_count_add(compute, ticks_at(load->flops[u], profile->operations[u], permille));
    }
    int64_t busy = ticks_at(load->bytes, profile->memory_bytes, profile->memory_permille);
    if (compute > busy)
        busy = compute;
    /* Collectives wait for other devices: they do not overlap with the rest of the launch. */
    busy = regal_count_add(busy, ticks_at(load->collective_bytes, profile->collective_bytes,
                                          profile->collective_permille));
    const int64_t ticks = regal_count_add(profile->launch, busy);
    return ticks < 1 ? 1 : ticks;
}

int64_t regal_work_ticks(const regal_device_profile *profile, const regal_work *work) {
    if (work->kind == REGAL_WORK_FREE)
        return 0;
    regal_load load = {.bytes =
                           work->kind == REGAL_WORK_COLLECTIVE ? 0 : not_negative(work->bytes)};
    regal_load_add(&load, work);
    return regal_load_ticks(profile, &load);
}
