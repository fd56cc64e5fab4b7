/* The classical methods, one file each. Orders are topological over data and control edges; every
 * choice has a stated tie-break, so that results are the same everywhere. */
#ifndef REGAL_BASELINES_METHODS_H
#define REGAL_BASELINES_METHODS_H

#include "baselines/heuristic.h"
#include "regal/baseline.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- baselines ---- */

/* A method: fills a cleared heuristic, which the caller destroys whatever comes back. */
typedef regal_status regal_make(const regal_problem *problem, regal_objective objective,
                                uint64_t seed, regal_heuristic *heuristic);

/* The head of a method's definition. */
#define REGAL_MAKE(function)                                                                 \
    regal_status regal_make_##function(__attribute__((unused)) const regal_problem *problem, \
                                       __attribute__((unused)) regal_objective objective,    \
                                       __attribute__((unused)) uint64_t seed,                \
                                       regal_heuristic *heuristic)

/* All of them. */
#define REGAL_DECLARE_MAKE(name, function, word, title, shown, line) \
    regal_make regal_make_##function;
REGAL_BASELINE_LIST(REGAL_DECLARE_MAKE)
#undef REGAL_DECLARE_MAKE

/* Any of them, with its plan; leaves nothing behind where it fails. */
regal_status regal_make_baseline(const regal_problem *problem, regal_baseline baseline,
                                 regal_objective objective, uint64_t seed,
                                 regal_heuristic *heuristic);

/* ---- one device ---- */

/* An order of ops to sequence [op]. */
typedef regal_status regal_order(const regal_problem_view *view, regal_id *sequence);

/* A device that may run every op: the one with the least summed cost, or the one with most memory
 * (the faster of equals); then the smallest id. REGAL_INFEASIBLE where there is none. */
regal_status regal_fastest_device(const regal_problem_view *view, int32_t *device);
regal_status regal_roomiest_device(const regal_problem_view *view, int32_t *device);

/* An order, run by the roomiest device. */
regal_status regal_run_on_one_device(const regal_problem_view *view, const char *name,
                                     regal_order *order, regal_heuristic *heuristic);

/* ---- orders that need little memory ---- */

/* Ops in post-order from the sinks, which come in canonical order. Of an op's inputs the one is
 * computed first whose computation takes most memory beyond what it leaves behind (Liu 1987:
 * optimal on trees), then the smaller producer id; control predecessors leave nothing behind. */
regal_status regal_depth_first_order(const regal_problem_view *view, regal_id *sequence);

/* Always the ready op that frees most bytes, less those that it defines and leaves behind; then the
 * one that came to its place last. */
regal_status regal_greedy_memory_order(const regal_problem_view *view, regal_id *sequence);

/* ---- as XLA orders (hlo_memory_scheduler) ---- */

/* List scheduler: always the ready op that frees most bytes, less those that it defines; then the
 * one with most users; then the one that came to its place last. */
regal_status regal_xla_list_order(const regal_problem_view *view, regal_id *sequence);

/* Post-order; first the operand with most users beyond the first, summed over all that leads to it;
 * then most bytes, summed likewise; then the smaller id. */
regal_status regal_xla_dfs_order(const regal_problem_view *view, regal_id *sequence);

/* Plain post-order: control predecessors, then inputs, as they stand. */
regal_status regal_post_order(const regal_problem_view *view, regal_id *sequence);

/* Ops as they become ready; at first by id. */
regal_status regal_breadth_first_order(const regal_problem_view *view, regal_id *sequence);

/* ---- earliest finish ---- */

/* As published: links carry any number of transfers at a time. No plan, since none need be valid.
 */
regal_status regal_heft_contention_free(const regal_problem *problem, regal_heuristic *heuristic,
                                        int64_t *makespan);

regal_status regal_cpop_contention_free(const regal_problem *problem, regal_heuristic *heuristic,
                                        int64_t *makespan);
regal_status regal_peft_contention_free(const regal_problem *problem, regal_heuristic *heuristic,
                                        int64_t *makespan);

/* Ops by upward rank. */
regal_status regal_upward_rank_order(const regal_problem_view *view, regal_id *sequence);

/* ---- more devices for an order ---- */

typedef enum regal_balance {
    REGAL_BALANCE_WORK,  /* least makespan, run event-driven; devices work equally long */
    REGAL_BALANCE_MEMORY /* least excess, then least peak, run in the order itself; devices fill
                            equally, by share of their capacity until all caps hold */
} regal_balance;

/* Cuts the order into one piece for each device, in id order, and writes device [op]: the best of
 * about a dozen cuts as the decoder runs them. A group goes where its first op falls, or else to
 * the nearest device that it may run on (the smaller of two). */
regal_status regal_spread_order(const regal_problem_view *view, const regal_id *sequence,
                                regal_balance balance, uint8_t *device);

/* Fills the devices in id order, each as far as its memory seems to last: one that was full does
 * not come again. Once none is left, groups go where most memory is free. */
regal_status regal_fill_order(const regal_problem_view *view, const regal_id *sequence,
                              uint8_t *device);

#ifdef __cplusplus
}
#endif
#endif
