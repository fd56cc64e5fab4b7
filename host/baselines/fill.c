/* An order given to the devices in turn, each as far as its memory lasts, by a running estimate:
 * ops run one after the other; a storage lives on its producer's device up to its last reader, a
 * copy from its first use on a device to the tensor's last use anywhere. */
#include <stdlib.h>

#include "base/error.h"
#include "base/memory.h"
#include "baselines/methods.h"
#include "baselines/resident.h"
#include "regal/core/placement.h"

typedef struct filler {
    const regal_problem_view *view;
    uint8_t *device;    /* [op] */
    bool *decided;      /* [op] of a leader: its group has a device */
    regal_id *next;     /* [op] the next op of its group, or -1 */
    regal_id *uses;     /* [tensor] edges still to be used */
    regal_id *readings; /* [tensor] of a root: the same for its whole storage */
    uint64_t *copies;   /* [tensor] set of devices */
    regal_resident resident;
    int64_t live[REGAL_MAX_DEVICES]; /* bytes in use now and not for good */
    int32_t current;                 /* device being filled */
} filler;

static bool lasts(const filler *f, regal_id tensor) {
    return f->view->tensors[f->view->tensors[tensor].root].kept != 0;
}

/* Copies that the op needs on a device: those missing there. */
static int64_t missing_copies(const filler *f, regal_id op, int32_t device) {
    const regal_problem_view *view = f->view;
    int64_t sum = 0;
    for (regal_id i = view->ops[op].input_begin; i < view->ops[op + 1].input_begin; ++i) {
        const regal_id tensor = view->inputs[i].tensor;
        if (f->device[view->tensors[tensor].producer] != device &&
            (f->copies[tensor] >> device & 1) == 0)
            sum += view->tensors[tensor].bytes;
    }
    return sum;
}

/* What starting the op takes, on any device, beyond what stays for good. */
static int64_t passing_bytes(const filler *f, regal_id op) {
    int64_t sum = f->view->ops[op].start_bytes;
    for (regal_id o = f->view->ops[op].output_begin; o < f->view->ops[op + 1].output_begin; ++o) {
        const regal_id tensor = f->view->output_tensor[o];
        if (f->view->tensors[tensor].root == tensor && lasts(f, tensor))
            sum -= f->view->tensors[tensor].bytes;
    }
    return sum;
}

/* Bytes left on a device while the op runs there; more than any capacity where unlimited. */
static int64_t room_left(const filler *f, regal_id op, int32_t device, const int64_t *need) {
    if (f->view->capacity[device] == 0)
        return INT64_MAX;
    return f->view->capacity[device] - need[device] - f->live[device] - passing_bytes(f, op) -
           missing_copies(f, op, device);
}

static int32_t choose_device(filler *f, regal_id op) {
    const regal_id leader = f->view->leader[op];
    const uint64_t allowed = f->view->allowed[leader];
    int64_t need[REGAL_MAX_DEVICES];
    regal_resident_need(&f->resident, leader, f->next, allowed, need);
    int64_t most = 0;
    int32_t roomiest = -1;
    for (uint64_t set = allowed; set != 0; set &= set - 1) {
        const int32_t d = regal_set_first(set);
        const int64_t room = room_left(f, op, d, need);
        if (d >= f->current && room >= 0)
            return d;
        if (roomiest < 0 || room > most) {
            most = room;
            roomiest = d;
        }
    }
    return roomiest;
}

/* A device is full once an op that may run there had to pass it by. */
static void decide_group(filler *f, regal_id op) {
    const regal_id leader = f->view->leader[op];
    if (f->decided[leader])
        return;
    const int32_t device = choose_device(f, op);
    while (f->current < device && (f->view->allowed[leader] >> f->current & 1) != 0)
        f->current++;
    f->decided[leader] = true;
    for (regal_id member = leader; member >= 0; member = f->next[member])
        f->device[member] = (uint8_t)device;
    regal_resident_add(&f->resident, leader, f->next, device);
}

static void use_input(filler *f, regal_id tensor, int32_t device) {
    const regal_problem_view *view = f->view;
    const regal_id root = view->tensors[tensor].root;
    const int32_t home = f->device[view->tensors[tensor].producer];
    if (home != device && (f->copies[tensor] >> device & 1) == 0) {
        f->copies[tensor] |= (uint64_t)1 << device;
        f->live[device] += view->tensors[tensor].bytes;
    }
    if (--f->uses[tensor] == 0)
        for (uint64_t set = f->copies[tensor]; set != 0; set &= set - 1)
            f->live[regal_set_first(set)] -= view->tensors[tensor].bytes;
    if (--f->readings[root] == 0 && !lasts(f, root))
        f->live[home] -= view->tensors[root].bytes;
}

static void run(filler *f, regal_id op) {
    const regal_problem_view *view = f->view;
    const int32_t device = f->device[op];
    f->live[device] += passing_bytes(f, op) - view->ops[op].workspace;
    for (regal_id i = view->ops[op].input_begin; i < view->ops[op + 1].input_begin; ++i)
        use_input(f, view->inputs[i].tensor, device);
    for (regal_id o = view->ops[op].output_begin; o < view->ops[op + 1].output_begin; ++o) {
        const regal_id tensor = view->output_tensor[o];
        if (view->tensors[tensor].root == tensor && f->readings[tensor] == 0 && !lasts(f, tensor))
            f->live[device] -= view->tensors[tensor].bytes;
    }
}

static void fill(filler *f, const regal_id *sequence) {
    const regal_problem_view *view = f->view;
    regal_link_groups(view, f->next);
    for (regal_id t = 0; t < view->tensor_count; ++t) {
        f->uses[t] = view->tensors[t + 1].consumer_begin - view->tensors[t].consumer_begin;
        f->readings[view->tensors[t].root] += f->uses[t];
    }
    for (int64_t i = 0; i < view->op_count; ++i) {
        decide_group(f, sequence[i]);
        run(f, sequence[i]);
    }
}

regal_status regal_fill_order(const regal_problem_view *view, const regal_id *sequence,
                              uint8_t *device) {
    filler f = {.view = view,
                .device = device,
                .decided = regal_allocate_zeroed(view->op_count, sizeof *f.decided),
                .next = regal_allocate(view->op_count, sizeof *f.next),
                .uses = regal_allocate(view->tensor_count, sizeof *f.uses),
                .readings = regal_allocate_zeroed(view->tensor_count, sizeof *f.readings),
                .copies = regal_allocate_zeroed(view->tensor_count, sizeof *f.copies)};
    regal_status status = REGAL_OUT_OF_MEMORY;
    if (f.decided != NULL && f.next != NULL && f.uses != NULL && f.readings != NULL &&
        f.copies != NULL)
        status = regal_resident_create(view, &f.resident);
    else
        regal_error_set(status, __FILE__, __LINE__, "memory ran out");
    if (status == REGAL_OK)
        fill(&f, sequence);
    regal_resident_destroy(&f.resident);
    free(f.decided);
    free(f.next);
    free(f.uses);
    free(f.readings);
    free(f.copies);
    return status;
}
