/* The work of a node that is a single launch, from its shapes and attributes. */
#include <string.h>

#include "io/onnx/onnx_reading.h"

enum { REPEATS_SEEN = 16 /* inputs among which repeated ones are found (they are read once) */ };

typedef struct scene {
    const onnx_reading *in;
    int64_t id;
    regal_onnx_node node;
    onnx_kind kind;
    regal_onnx_value input, result; /* the first ones; nothing where there are none */
    onnx_cost *cost;
} scene;

static int64_t known_bytes(const regal_onnx_value *value) {
    const int64_t bytes = regal_onnx_bytes(value);
    return bytes > 0 ? bytes : 0;
}

static regal_type type_or_byte(const regal_onnx_value *value) {
    const regal_type type = regal_onnx_type(value);
    return type != REGAL_TYPE_COUNT ? type : REGAL_TYPE_U8;
}

static int64_t input_bytes(const scene *at) {
    int64_t bytes = 0;
    for (int64_t k = 0; k < at->node.input_count; ++k) {
        regal_onnx_value value;
        bool repeated = false;
        for (int64_t e = 0; e < k && e < REPEATS_SEEN && !repeated; ++e)
            repeated = at->node.inputs[e] == at->node.inputs[k];
        if (!repeated && regal_onnx_input(at->in, &at->node, k, &value))
            bytes = regal_count_add(bytes, known_bytes(&value));
    }
    return bytes;
}

static int64_t output_bytes(const scene *at) {
    int64_t bytes = 0;
    regal_onnx_value value;
    for (int64_t k = 0; k < at->node.output_count; ++k)
        if (regal_onnx_output(at->in, &at->node, k, &value))
            bytes = regal_count_add(bytes, known_bytes(&value));
    return bytes;
}

static void add(const scene *at, const regal_work *work) {
    regal_load_add(&at->cost->load, work);
    at->cost->flops = regal_count_add(at->cost->flops, work->flops);
}

static void add_flops(const scene *at, regal_work_kind kind, const regal_onnx_value *of,
                      int64_t flops) {
    const regal_work work = {.kind = kind, .type = type_or_byte(of), .flops = flops};
    add(at, &work);
}

static void add_products(const scene *at, regal_work_kind kind, int64_t count) {
    add_flops(at, kind, &at->input, regal_count_multiply(2, count));
}

/* Element-wise on every output; one with n inputs has n - 1 steps. */
static void elementwise(const scene *at, const regal_onnx_value *of) {
    int64_t steps = at->kind.flops;
    if (strcmp(at->node.kind, "Sum") == 0 || strcmp(at->node.kind, "Max") == 0 ||
        strcmp(at->node.kind, "Min") == 0 || strcmp(at->node.kind, "Mean") == 0)
        steps = at->node.input_count > 1 ? at->node.input_count - 1 : 1;
    add_flops(at, REGAL_WORK_ELEMENTWISE, of,
              regal_count_multiply(steps, regal_onnx_elements(&at->result)));
}

/* Elements of the kernel for each of its first dimension: taps of an output element, or what an
 * input element is spread to. */
static int64_t kernel_taps(const scene *at) {
    regal_onnx_value kernel;
    if (!regal_onnx_input(at->in, &at->node, at->kind.operand, &kernel))
        return 0;
    const int64_t rows = regal_onnx_dim(&kernel, 0);
    return rows > 0 ? regal_onnx_elements(&kernel) / rows : 0;
}

static int64_t depth_of_product(const scene *at) {
    const int64_t last =
        at->kind.form == ONNX_GEMM
            ? regal_onnx_dim(&at->input,
                             regal_onnx_integer(at->in, at->id, "transA", 0) != 0 ? 0 : 1)
            : regal_onnx_dim(&at->input, -1);
    return last > 0 ? last : 0;
}

/* X [steps, batch, input], W [directions, gates * hidden, input], R [.., .., hidden]. */
static void recurrent(const scene *at) {
    regal_onnx_value weights, state;
    if (!regal_onnx_input(at->in, &at->node, 1, &weights) ||
        !regal_onnx_input(at->in, &at->node, 2, &state))
        return;
    const int64_t width = regal_onnx_dim(&at->input, -1);
    const int64_t runs = width > 0 ? regal_onnx_elements(&at->input) / width : 0;
    add_products(at, REGAL_WORK_MATRIX_PRODUCT,
                 regal_count_multiply(runs, regal_count_add(regal_onnx_elements(&weights),
                                                            regal_onnx_elements(&state))));
    const int64_t rows = width > 0 ? regal_onnx_elements(&weights) / width : 0;
    add_flops(at, REGAL_WORK_TRANSCENDENTAL, &at->input, regal_count_multiply(runs, rows));
}

/* Q, K, V [batch, heads, length, size] or [batch, length, heads * size]. */
static void attention(const scene *at) {
    regal_onnx_value keys, values;
    if (!regal_onnx_input(at->in, &at->node, 1, &keys) ||
        !regal_onnx_input(at->in, &at->node, 2, &values))
        return;
    const int64_t length = regal_onnx_dim(&keys, -2);
    const int64_t width = regal_onnx_dim(&at->input, -1);
    if (length <= 0 || width <= 0)
        return;
    const int64_t queries = regal_onnx_elements(&at->input);
    add_products(
        at, REGAL_WORK_MATRIX_PRODUCT,
        regal_count_multiply(length, regal_count_add(queries, regal_onnx_elements(&at->result))));
    add_flops(at, REGAL_WORK_TRANSCENDENTAL, &at->input,
              regal_count_multiply(queries / width, length));
}

static void softmax(const scene *at) {
    const int64_t elements = regal_onnx_elements(&at->input);
    add_flops(at, REGAL_WORK_TRANSCENDENTAL, &at->input, elements);
    add_flops(at, REGAL_WORK_REDUCTION, &at->input, regal_count_multiply(at->kind.flops, elements));
}

static void local_response(const scene *at) {
    const int64_t elements = regal_onnx_elements(&at->input);
    const int64_t size = regal_onnx_integer(at->in, at->id, "size", 1);
    add_flops(at, REGAL_WORK_REDUCTION, &at->input,
              regal_count_multiply(elements, regal_count_add(3, 2 * (size > 0 ? size % 4096 : 1))));
    add_flops(at, REGAL_WORK_TRANSCENDENTAL, &at->input, elements);
}

static void pool(const scene *at) {
    regal_onnx_attribute window;
    int64_t taps = at->kind.flops;
    if (at->in->module->attribute(at->in->model, at->id, "kernel_shape", REGAL_ONNX_INTEGERS,
                                  &window))
        for (int64_t d = 0; d < window.count; ++d)
            taps = regal_count_multiply(taps, window.integers[d] > 0 ? window.integers[d] : 1);
    add_flops(at, REGAL_WORK_REDUCTION, &at->input,
              regal_count_multiply(regal_onnx_elements(&at->result), taps));
}

/* Along an axis; without one everything. */
static void sort(const scene *at) {
    const int64_t elements = regal_onnx_elements(&at->input);
    regal_onnx_attribute axis;
    int64_t length = elements;
    const bool given =
        at->in->module->attribute(at->in->model, at->id, "axis", REGAL_ONNX_INTEGER, &axis);
    if (given || strcmp(at->node.kind, "TopK") == 0)
        length = regal_onnx_dim(&at->input, given ? axis.integer : -1);
    if (length <= 0)
        return;
    const regal_work work = regal_work_sort(type_or_byte(&at->input), elements / length, length);
    add(at, &work);
    at->cost->load.bytes = regal_count_add(work.bytes, output_bytes(at));
}

/* boxes [batch, boxes, 4], scores [batch, classes, boxes]: sorted, and each compared with those
 * that are kept. */
static void suppression(const scene *at) {
    regal_onnx_value scores, most;
    if (!regal_onnx_input(at->in, &at->node, 1, &scores))
        return;
    const int64_t boxes = regal_onnx_dim(&scores, -1), elements = regal_onnx_elements(&scores);
    if (boxes <= 0)
        return;
    int64_t kept = boxes;
    if (regal_onnx_input(at->in, &at->node, 2, &most) && most.content_count == 1 &&
        most.content[0] >= 0 && most.content[0] < kept)
        kept = most.content[0];
    const regal_work work = regal_work_sort(type_or_byte(&scores), elements / boxes, boxes);
    add(at, &work);
    add_flops(at, REGAL_WORK_ELEMENTWISE, &scores,
              regal_count_multiply(at->kind.flops, regal_count_multiply(elements, kept)));
}

static void random_numbers(const scene *at) {
    const regal_work work =
        regal_work_random(type_or_byte(&at->result), regal_onnx_elements(&at->result));
    add(at, &work);
}

static void fourier(const scene *at) {
    const int64_t elements = regal_onnx_elements(&at->result);
    const int64_t length = regal_onnx_dim(&at->result, at->result.rank > 1 ? -2 : -1);
    int64_t depth = 1;
    for (int64_t size = length; size > 2; size = size / 2 + size % 2)
        ++depth;
    add_flops(at, REGAL_WORK_CUSTOM, &at->result,
              regal_count_multiply(regal_count_multiply(at->kind.flops, elements), depth));
}

static void gather(const scene *at) {
    regal_onnx_value indices;
    int64_t bytes = regal_count_multiply(2, output_bytes(at));
    if (regal_onnx_input(at->in, &at->node, 1, &indices))
        bytes = regal_count_add(bytes, known_bytes(&indices));
    at->cost->load.bytes = bytes;
}

static void arithmetic(const scene *at) {
    const int64_t in = regal_onnx_elements(&at->input), out = regal_onnx_elements(&at->result);
    switch (at->kind.form) {
    case ONNX_ELEMENTWISE:
        elementwise(at, &at->result);
        break;
    case ONNX_COMPARISON:
        elementwise(at, &at->input);
        break;
    case ONNX_TRANSCENDENTAL:
        add_flops(at, REGAL_WORK_TRANSCENDENTAL, &at->result,
                  regal_count_multiply(at->kind.flops, out));
        break;
    case ONNX_CONVOLUTION:
        add_products(at, REGAL_WORK_CONVOLUTION, regal_count_multiply(out, kernel_taps(at)));
        break;
    case ONNX_TRANSPOSED_CONVOLUTION:
        add_products(at, REGAL_WORK_CONVOLUTION, regal_count_multiply(in, kernel_taps(at)));
        break;
    case ONNX_GEMM:
    case ONNX_MATRIX_PRODUCT:
        add_products(at, REGAL_WORK_MATRIX_PRODUCT,
                     regal_count_multiply(out, depth_of_product(at)));
        break;
    case ONNX_EINSUM:
        add_products(at, REGAL_WORK_MATRIX_PRODUCT, regal_onnx_einsum(at->in, at->id));
        break;
    case ONNX_NORMALIZATION:
    case ONNX_REDUCTION:
        add_flops(at, REGAL_WORK_REDUCTION, &at->input, regal_count_multiply(at->kind.flops, in));
        break;
    default:
        break;
    }
}

void regal_onnx_work(const onnx_reading *in, int64_t id, onnx_cost *cost) {
    scene at = {.in = in, .id = id, .node = in->module->node(in->model, id), .cost = cost};
    at.kind = regal_onnx_kind(&at.node);
    at.input.rank = at.result.rank = -1;
    regal_onnx_input(in, &at.node, 0, &at.input);
    regal_onnx_output(in, &at.node, 0, &at.result);
    *cost = (onnx_cost){.load.bytes = regal_count_add(input_bytes(&at), output_bytes(&at))};
    switch (at.kind.form) {
    case ONNX_RECURRENT:
        recurrent(&at);
        break;
    case ONNX_ATTENTION:
        attention(&at);
        break;
    case ONNX_SOFTMAX:
        softmax(&at);
        break;
    case ONNX_LOCAL_RESPONSE:
        local_response(&at);
        break;
    case ONNX_POOL:
        pool(&at);
        break;
    case ONNX_GATHER:
        gather(&at);
        break;
    case ONNX_SLICE:
        cost->load.bytes = regal_count_multiply(2, output_bytes(&at));
        break;
    case ONNX_SORT:
        sort(&at);
        break;
    case ONNX_SUPPRESSION:
        suppression(&at);
        break;
    case ONNX_RANDOM:
        random_numbers(&at);
        break;
    case ONNX_FOURIER:
        fourier(&at);
        break;
    default:
        arithmetic(&at);
    }
}
