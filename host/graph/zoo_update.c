/* The optimizer of a zoo builder. */
#include "graph/zoo_data.h"

/* Bytes per weight that only the optimizer keeps: moments, and a f32 copy of narrower weights. */
static int64_t state_bytes(const zoo *z) {
    const int64_t moments = z->settings.optimizer == ZOO_ADAM ? 2 : 1;
    const bool narrow = regal_type_bits(z->settings.type) < 32;
    return 4 * (moments + (narrow ? 1 : 0));
}

/* Reads gradient, weight and state, writes weight and state. */
static regal_work update_work(const zoo *z, const zoo_weight_record *weight) {
    const int64_t flops = z->settings.optimizer == ZOO_ADAM ? 12 : 4;
    const int64_t per_weight = 3 * regal_type_bits(z->settings.type) / 8 + 2 * state_bytes(z);
    return (regal_work){.kind = REGAL_WORK_ELEMENTWISE,
                        .type = REGAL_TYPE_F32,
                        .flops = regal_count_multiply(weight->touched, flops),
                        .bytes = regal_count_multiply(weight->touched, per_weight)};
}

/* An update changes the weight in place: whoever reads the old one goes first. Forward ops do, for
 * the gradient comes from them; backward ops need not. */
static void wait_for_readers(zoo *z, zoo_weight weight, int64_t update, int64_t *next) {
    for (; *next < z->late.count && z->late.items[*next].from <= weight; ++*next)
        if (z->status == REGAL_OK && z->late.items[*next].from == weight)
            z->status = regal_edge_list_add(&z->waits, z->late.items[*next].to, update);
}

static int64_t add_update(zoo *z, zoo_weight w) {
    const zoo_weight_record weight = z->weights[w];
    z->weight_cursor = z->weight_count;
    const zoo_weight state =
        zoo_weight_use(z, zoo_text(z, weight.name, ".state"),
                       regal_count_multiply(weight.elements, state_bytes(z) / 4), false);
    zoo_op op = zoo_op_make(z->settings.optimizer == ZOO_ADAM ? "Adam" : "Momentum",
                            update_work(z, &weight), &weight.gradient, 1);
    op.weights[0] = w;
    op.weights[1] = state;
    return zoo_add_named_op(z, zoo_text(z, weight.name, ".update"), &op);
}

void zoo_add_updates(zoo *z) {
    const int64_t count = z->weight_count;
    zoo_begin_microbatch(z, 0, 1);
    if (z->status == REGAL_OK)
        z->status = regal_edge_list_sort(&z->late, count > z->op_count ? count : z->op_count);
    int64_t next = 0;
    for (zoo_weight w = 0; w < count && z->status == REGAL_OK; ++w)
        if (z->weights[w].gradient != ZOO_NONE)
            wait_for_readers(z, w, add_update(z, w), &next);
}
