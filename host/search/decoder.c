#include "search/decoder.h"

#include <stdlib.h>
#include <string.h>

#include "base/carver.h"
#include "base/error.h"
#include "base/memory.h"
#include "regal/core/decode.h"
#include "regal/core/fitness.h"

static void carve_simulation(regal_carver *c, const regal_problem_view *view,
                             regal_decoder *decoder) {
    const int64_t n = view->op_count, edges = view->edge_count, devices = view->device_count;
    const int64_t pairs = devices * devices;
    regal_simulation *s = &decoder->simulation;
    s->device = regal_carve(c, n, sizeof *s->device);
    s->order = regal_carve(c, n + edges, sizeof *s->order);
    s->links = regal_carve(c, n + edges, sizeof *s->links);
    s->missing = regal_carve(c, n, sizeof *s->missing);
    s->edge_buffer = regal_carve(c, edges, sizeof *s->edge_buffer);
    s->holds = regal_carve(c, edges + view->tensor_count, sizeof *s->holds);
    s->started = regal_carve(c, n, sizeof *s->started);
    s->ready = regal_carve(c, devices, sizeof *s->ready);
    s->waiting = regal_carve(c, pairs, sizeof *s->waiting);
    s->running = regal_carve(c, pairs, sizeof *s->running);
    s->events = regal_carve(c, pairs, sizeof *s->events);
    s->link_idle = regal_carve(c, devices, sizeof *s->link_idle);
    s->link_waiting = regal_carve(c, devices, sizeof *s->link_waiting);
    s->memory = regal_carve(c, devices, sizeof *s->memory);
    s->peak = regal_carve(c, devices, sizeof *s->peak);
    s->load = regal_carve(c, devices, sizeof *s->load);
    s->tick_limit = s->peak_limit = INT64_MAX;
    decoder->sequence = regal_carve(c, n, sizeof *decoder->sequence);
    decoder->scratch = regal_carve(c, n, sizeof *decoder->scratch);
}

regal_status regal_decoder_create(const regal_problem_view *view, regal_decoder *decoder) {
    *decoder = (regal_decoder){.view = view};
    regal_carver c = {0};
    carve_simulation(&c, view, decoder);
    decoder->memory = regal_carver_memory(&c);
    REGAL_FAIL_IF_NULL(decoder->memory);
    c = (regal_carver){.base = decoder->memory};
    carve_simulation(&c, view, decoder);
    return REGAL_OK;
}

void regal_decoder_destroy(regal_decoder *decoder) {
    free(decoder->memory);
    decoder->memory = NULL;
}

static int compare_transfers(const void *a, const void *b) {
    const regal_transfer *x = a, *y = b;
    if (x->tensor != y->tensor)
        return x->tensor < y->tensor ? -1 : 1;
    return (x->to > y->to) - (x->to < y->to);
}

/* Fills the plan's figures and transfers from a finished simulation that recorded its schedule. */
static void fill_plan(const regal_problem_view *view, const regal_simulation *s, int64_t makespan,
                      regal_plan *plan) {
    for (regal_id op = 0; op < view->op_count; ++op) {
        plan->placement[op] = s->device[op];
        plan->start[op] = s->op_start[op];
    }
    int64_t count = 0;
    for (regal_id e = 0; e < view->edge_count; ++e)
        if (s->edge_buffer[e] == e)
            plan->transfers[count++] = (regal_transfer){
                view->edge_tensor[e], s->device[view->consumer[e]], s->transfer_start[e]};
    qsort(plan->transfers, (size_t)count, sizeof *plan->transfers, compare_transfers);
    memcpy(plan->peak, s->peak, (size_t)view->device_count * sizeof *plan->peak);
    plan->makespan = makespan;
    plan->time =
        regal_fitness_of(REGAL_TIME, makespan, s->peak, view->capacity, view->device_count);
    plan->memory =
        regal_fitness_of(REGAL_MEMORY, makespan, s->peak, view->capacity, view->device_count);
}

static int64_t count_transfers(const regal_problem_view *view, const regal_simulation *s) {
    int64_t count = 0;
    for (regal_id e = 0; e < view->edge_count; ++e)
        count += s->edge_buffer[e] == e;
    return count;
}

/* Sets up the placement and the ranks in the decoder, then simulates: once, recording. */
typedef int64_t run_decoder(regal_decoder *decoder, const void *input);

static regal_status record_plan(const regal_problem *problem, run_decoder *run, const void *input,
                                regal_plan **plan) {
    const regal_problem_view *view = regal_problem_get_view(problem);
    *plan = NULL;
    regal_decoder decoder;
    REGAL_FORWARD(regal_decoder_create(view, &decoder));
    int64_t *op_start = regal_allocate(view->op_count, sizeof *op_start);
    int64_t *transfer_start = regal_allocate(view->edge_count, sizeof *transfer_start);
    regal_plan *made = NULL;
    regal_status status = REGAL_OUT_OF_MEMORY;
    if (op_start != NULL && transfer_start != NULL) {
        decoder.simulation.op_start = op_start;
        decoder.simulation.transfer_start = transfer_start;
        const int64_t makespan = run(&decoder, input);
        status = regal_plan_create(view->op_count, view->device_count,
                                   count_transfers(view, &decoder.simulation), &made);
        if (status == REGAL_OK) {
            fill_plan(view, &decoder.simulation, makespan, made);
            made->bound_time = problem->bounds.time;
            made->bound_memory = problem->bounds.memory;
            status = regal_plan_attach(made, problem->graph, problem->cluster);
        }
    } else {
        regal_error_set(status, __FILE__, __LINE__, "memory ran out");
    }
    free(op_start);
    free(transfer_start);
    regal_decoder_destroy(&decoder);
    if (status == REGAL_OK)
        *plan = made;
    else
        regal_plan_destroy(made);
    return status;
}

typedef struct ranks_input {
    const uint8_t *device;
    const regal_id *rank;
    int64_t window;
} ranks_input;

static int64_t run_ranks(regal_decoder *decoder, const void *input) {
    const ranks_input *ranks = input;
    const int64_t n = decoder->view->op_count;
    memcpy(decoder->simulation.device, ranks->device, (size_t)n * sizeof *ranks->device);
    memcpy(decoder->simulation.order, ranks->rank, (size_t)n * sizeof *ranks->rank);
    return regal_simulate(decoder->view, &decoder->simulation, ranks->window, NULL);
}

regal_status regal_plan_from_ranks(const regal_problem *problem, const uint8_t *device,
                                   const regal_id *rank, int64_t window, regal_plan **plan) {
    const ranks_input input = {device, rank, window};
    return record_plan(problem, run_ranks, &input, plan);
}

static int64_t run_chromosome(regal_decoder *decoder, const void *input) {
    const regal_chromosome *chromosome = input;
    return regal_decode(decoder->view, &decoder->simulation, chromosome->encoding,
                        chromosome->window, chromosome->genes, decoder->sequence, decoder->scratch);
}

regal_status regal_chromosome_decode(const regal_problem *problem,
                                     const regal_chromosome *chromosome, regal_plan **plan) {
    const regal_problem_view *view = regal_problem_get_view(problem);
    *plan = NULL;
    REGAL_FAIL_IF(chromosome->op_count != view->op_count, REGAL_INVALID_INPUT,
                  "the chromosome is for %lld ops, the graph has %lld",
                  (long long)chromosome->op_count, (long long)view->op_count);
    REGAL_FAIL_IF(chromosome->encoding == REGAL_AFFINITY && view->op_count > 0 &&
                      chromosome->device_count != view->device_count,
                  REGAL_INVALID_INPUT,
                  "the chromosome has affinities for %lld devices, the cluster has %d",
                  (long long)chromosome->device_count, view->device_count);
    REGAL_FAIL_IF(chromosome->window < 0, REGAL_INVALID_INPUT, "window: %lld is negative",
                  (long long)chromosome->window);
    return record_plan(problem, run_chromosome, chromosome, plan);
}
