/* Problems in the GPU's memory. */
#include <stdlib.h>

#include "instance.cuh"
#include "regal/core/duration.h"
#include "simulation/state.cuh"

/* More kinds of links than this have their ticks worked out transfer by transfer. */
enum { MOST_KINDS = 16 };

/* Replaces a pointer to `count` items of the host by one to a copy on the GPU. */
template <class T>
static regal_status upload(regal_backend_instance *self, int64_t count, const T **items) {
    void *memory;
    REGAL_CUDA_FORWARD(regal_cuda_allocate(self, count, sizeof(T), "the problem", &memory));
    if (count > 0)
        REGAL_CUDA(cudaMemcpyAsync(memory, *items, (size_t)count * sizeof(T),
                                   cudaMemcpyHostToDevice, self->stream));
    REGAL_CUDA_FORWARD(regal_cuda_wait(self)); /* items may be the caller's scratch */
    *items = (const T *)memory;
    return REGAL_OK;
}

static regal_status upload_view(regal_backend_instance *self, regal_problem_view *v) {
    const int64_t n = v->op_count, tensors = v->tensor_count, devices = v->device_count;
    const int64_t parameter_ops = v->parameter_begin[v->parameter_count];
    REGAL_CUDA_FORWARD(upload(self, n + 1, &v->ops));
    REGAL_CUDA_FORWARD(upload(self, tensors + 1, &v->tensors));
    REGAL_CUDA_FORWARD(upload(self, n * v->class_count, &v->op_ticks));
    REGAL_CUDA_FORWARD(upload(self, n, &v->tail));
    REGAL_CUDA_FORWARD(upload(self, (int64_t)v->edge_count, &v->inputs));
    REGAL_CUDA_FORWARD(upload(self, tensors, &v->output_tensor));
    REGAL_CUDA_FORWARD(upload(self, (int64_t)v->control_count, &v->control_successor));
    REGAL_CUDA_FORWARD(upload(self, (int64_t)v->edge_count, &v->consumer));
    REGAL_CUDA_FORWARD(upload(self, (int64_t)v->edge_count, &v->edge_tensor));
    REGAL_CUDA_FORWARD(upload(self, (int64_t)v->parameter_count + 1, &v->parameter_begin));
    REGAL_CUDA_FORWARD(upload(self, parameter_ops, &v->parameter_op));
    REGAL_CUDA_FORWARD(upload(self, (int64_t)v->parameter_count, &v->parameter_bytes));
    REGAL_CUDA_FORWARD(upload(self, n, &v->canonical));
    REGAL_CUDA_FORWARD(upload(self, n, &v->leader));
    REGAL_CUDA_FORWARD(upload(self, n, &v->lead));
    REGAL_CUDA_FORWARD(upload(self, n, &v->allowed));
    REGAL_CUDA_FORWARD(upload(self, devices, &v->device_class));
    REGAL_CUDA_FORWARD(upload(self, devices, &v->capacity));
    return upload(self, devices * devices, &v->link);
}

/* source [op], place [op]: scratch. */
static void find_sources(const regal_problem_view *view, int32_t *place, int32_t *source) {
    for (int64_t i = 0; i < view->op_count; ++i)
        place[view->canonical[i]] = (int32_t)i;
    for (int64_t i = 0; i < view->op_count; ++i) {
        const regal_id op = view->canonical[i], leader = view->leader[op];
        const regal_id follows = leader != op ? leader : view->lead[op];
        source[i] = follows >= 0 ? place[follows] : -1;
    }
}

static regal_status upload_sources(regal_backend_instance *self, const regal_problem_view *view,
                                   device_problem *problem) {
    const size_t n = (size_t)view->op_count;
    int32_t *scratch = (int32_t *)malloc((2 * n + 1) * sizeof *scratch);
    if (scratch == NULL)
        REGAL_CUDA_FAIL(REGAL_OUT_OF_MEMORY, "memory ran out");
    find_sources(view, scratch, scratch + n);
    problem->source = scratch + n;
    const regal_status status = upload(self, view->op_count, &problem->source);
    free(scratch);
    return status;
}

static bool same_link(regal_link a, regal_link b) {
    return a.latency == b.latency && a.bytes_per_1000_ticks == b.bytes_per_1000_ticks;
}

/* Numbers the kinds of links; first [kind] is a link of it. Returns their number, or 0 if there are
 * more than MOST_KINDS. */
static int32_t find_kinds(const regal_problem_view *view, uint16_t *kind, int32_t *first) {
    const int32_t pairs = view->device_count * view->device_count;
    int32_t kinds = 0;
    for (int32_t pair = 0; pair < pairs; ++pair) {
        int32_t k = 0;
        while (k < kinds && !same_link(view->link[first[k]], view->link[pair]))
            ++k;
        if (k == MOST_KINDS)
            return 0;
        if (k == kinds)
            first[kinds++] = pair;
        kind[pair] = (uint16_t)k;
    }
    return kinds;
}

static regal_status upload_ticks(regal_backend_instance *self, const regal_problem_view *view,
                                 device_problem *problem) {
    uint16_t kind[REGAL_MAX_DEVICES * REGAL_MAX_DEVICES];
    int32_t first[MOST_KINDS];
    const int32_t kinds = find_kinds(view, kind, first);
    const int64_t tensors = view->tensor_count;
    problem->link_kind = NULL;
    problem->kind_ticks = NULL;
    if (kinds == 0)
        return REGAL_OK;
    int64_t *ticks = (int64_t *)malloc((size_t)(kinds * tensors + 1) * sizeof *ticks);
    if (ticks == NULL)
        REGAL_CUDA_FAIL(REGAL_OUT_OF_MEMORY, "memory ran out");
    for (int32_t k = 0; k < kinds; ++k)
        for (int64_t t = 0; t < tensors; ++t)
            ticks[k * tensors + t] = regal_link_ticks(view->link[first[k]], view->tensors[t].bytes);
    problem->kind_ticks = ticks;
    regal_status status = upload(self, kinds * tensors, &problem->kind_ticks);
    free(ticks);
    problem->link_kind = kind;
    if (status == REGAL_OK)
        status =
            upload(self, (int64_t)view->device_count * view->device_count, &problem->link_kind);
    return status;
}

static int64_t predecessors_most(const regal_problem_view *view) {
    int64_t most = 0;
    for (int64_t op = 0; op < view->op_count; ++op)
        if (view->ops[op].predecessor_count > most)
            most = view->ops[op].predecessor_count;
    return most;
}

/* The most of anything that ids of 16 bits count, with one value to spare. */
#ifndef REGAL_CUDA_MOST_SHORT_IDS /* tests set it lower */
#define REGAL_CUDA_MOST_SHORT_IDS 65534
#endif

static bool fits_16_bits(const regal_problem_view *view) {
    const int64_t most = REGAL_CUDA_MOST_SHORT_IDS;
    return view->op_count <= most && view->tensor_count <= most && view->edge_count <= most &&
           predecessors_most(view) <= most;
}

static regal_status upload_problem(regal_backend_instance *self, const regal_backend_problem *given,
                                   device_problem *problem) {
    const regal_problem_view *view = given->view;
    const int64_t n = view->op_count, devices = view->device_count, edges = view->edge_count;
    const int64_t links = devices * (devices - 1) < edges ? devices * (devices - 1) : edges;
    if (n > INT32_MAX || edges > INT32_MAX || view->tensor_count > INT32_MAX)
        REGAL_CUDA_FAIL(REGAL_UNAVAILABLE,
                        "the CUDA backend takes at most 2^31 ops, tensors and edges; use --backend "
                        "cpu");
    problem->view = *view;
    problem->gene_count = self->search.shape.encoding == REGAL_INHERIT ? 2 * n : (devices + 2) * n;
    problem->gene_stride = (problem->gene_count + 7) / 8 * 8;
    problem->event_most = (int32_t)(devices + links);
    problem->tree = bit_tree_shape_of(n);
    problem->proposal_rows = given->proposal_rows;
    problem->proposals = given->proposals;
    if (given->proposals != NULL)
        REGAL_CUDA_FORWARD(
            upload(self, given->proposal_rows * problem->gene_count, &problem->proposals));
    REGAL_CUDA_FORWARD(upload_sources(self, view, problem));
    REGAL_CUDA_FORWARD(upload_ticks(self, view, problem));
    return upload_view(self, &problem->view);
}

regal_status regal_cuda_upload_problems(regal_backend_instance *self) {
    self->simulate.wide = false;
    for (int64_t i = 0; i < self->problem_count; ++i)
        self->simulate.wide |= !fits_16_bits(self->given[i].view);
    for (int64_t i = 0; i < self->problem_count; ++i) {
        device_problem *problem = &self->problems[i];
        REGAL_CUDA_FORWARD(upload_problem(self, &self->given[i], problem));
        const regal_problem_view *view = self->given[i].view;
        problem->layout = self->simulate.wide
                              ? state_layout_of<uint32_t>(view, problem->tree, problem->event_most)
                              : state_layout_of<uint16_t>(view, problem->tree, problem->event_most);
        if (problem->layout.bytes > self->search.state_bytes)
            self->search.state_bytes = problem->layout.bytes;
        if (view->op_count > self->search.op_most)
            self->search.op_most = view->op_count;
    }
    self->search.problems = self->problems;
    return upload(self, self->problem_count, &self->search.problems);
}
