#include "policy/rollout.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/memory.h"
#include "policy/message_graph.h"
#include "policy/roller.h"
#include "regal/core/fitness.h"

/* What the roll-outs of the search are drawn for (generation of the stream). */
enum { PURPOSE_SEARCH = 0 };

typedef struct rolling {
    const regal_policy_settings *settings;
    const regal_problem *problem;
    regal_walk_graph graph;
    regal_walk_question question;
    float *channel;        /* [op][channels] */
    regal_roller *rollers; /* [threads] */
    int64_t threads;
    regal_rollout_stop *stop; /* or NULL */
    void *stop_context;
    atomic_bool stopped;
    regal_rollouts *made;
} rolling;

void regal_rollouts_destroy(regal_rollouts *rollouts) {
    free(rollouts->sequence);
    free(rollouts->device);
    free(rollouts->fitness);
    free(rollouts->best);
    free(rollouts->score);
    *rollouts = (regal_rollouts){0};
}

regal_status regal_rollouts_create(int64_t count, int64_t op_count, regal_rollouts *r) {
    int64_t all;
    REGAL_FAIL_IF(__builtin_mul_overflow(count, op_count, &all), REGAL_OUT_OF_MEMORY,
                  "memory ran out");
    *r = (regal_rollouts){.count = count, .op_count = op_count};
    r->sequence = regal_allocate(all, sizeof *r->sequence);
    r->device = regal_allocate(all, sizeof *r->device);
    r->fitness = regal_allocate(count, sizeof *r->fitness);
    r->best = regal_allocate(count, sizeof *r->best);
    r->score = regal_allocate(op_count, sizeof *r->score);
    if (r->sequence != NULL && r->device != NULL && r->fitness != NULL && r->best != NULL &&
        r->score != NULL)
        return REGAL_OK;
    regal_rollouts_destroy(r);
    REGAL_FAIL(REGAL_OUT_OF_MEMORY, "memory ran out");
}

/* The network's outputs [op][1 + channels]. */
static regal_status ask_network(const rolling *r, const regal_policy *policy,
                                const regal_message_graph *graph, const regal_math *math,
                                regal_math_context *context, float *output) {
    const regal_network_shape shape = regal_policy_network(&policy->settings);
    regal_network *network;
    REGAL_FORWARD(regal_network_create(math, context, &shape, &network));
    regal_network_stop_when(network, r->stop, r->stop_context);
    regal_status status = regal_network_set(network, policy->parameters);
    if (status == REGAL_OK)
        status = regal_network_forward(network, graph, false, output);
    regal_network_destroy(network);
    return status;
}

static regal_status run_network(const rolling *r, const regal_policy *policy,
                                const regal_math *math, int64_t gpu, float *output) {
    const regal_problem_view *view = regal_problem_get_view(r->problem);
    regal_message_graph graph;
    regal_math_context *context;
    REGAL_FORWARD(regal_message_graph_create(&view, 1, policy->settings.objective, &graph));
    regal_status status = math->create(r->threads, gpu, &context);
    if (status == REGAL_OK) {
        status = ask_network(r, policy, &graph, math, context, output);
        math->destroy(context);
    }
    regal_message_graph_destroy(&graph);
    return status;
}

static regal_status find_scores(rolling *r, const regal_policy *policy, const regal_math *math,
                                int64_t gpu) {
    const regal_problem_view *view = regal_problem_get_view(r->problem);
    const int64_t channels = policy->settings.channels;
    float *output = regal_allocate(view->op_count, (size_t)(1 + channels) * sizeof *output);
    r->channel = regal_allocate(view->op_count, (size_t)channels * sizeof *r->channel);
    regal_status status = REGAL_OK;
    if (output == NULL || r->channel == NULL)
        status = regal_error_set(REGAL_OUT_OF_MEMORY, __FILE__, __LINE__, "memory ran out");
    if (status == REGAL_OK)
        status = run_network(r, policy, math, gpu, output);
    if (status == REGAL_OK)
        regal_policy_heads(&policy->settings, &r->graph, output, r->made->score, r->channel, NULL);
    free(output);
    return status;
}

static regal_status create_rollers(rolling *r) {
    r->rollers = regal_allocate_zeroed(r->threads, sizeof *r->rollers);
    REGAL_FAIL_IF_NULL(r->rollers);
    for (int64_t i = 0; i < r->threads; ++i)
        REGAL_FORWARD(regal_roller_create(&r->graph, r->settings, &r->rollers[i]));
    return REGAL_OK;
}

static void roll_one(void *context, int64_t index, int64_t worker) {
    rolling *r = context;
    if (worker == 0 && r->stop != NULL && r->stop(r->stop_context))
        atomic_store(&r->stopped, true);
    if (atomic_load(&r->stopped))
        return;
    regal_roller *roller = &r->rollers[worker];
    regal_rollouts *made = r->made;
    regal_walk_question question = r->question;
    regal_id *sequence = made->sequence + index * made->op_count;
    uint8_t *device = made->device + index * made->op_count;
    question.rollout = (uint32_t)index;
    regal_order_draw(r->graph.view, made->score, true, question.seed, PURPOSE_SEARCH,
                     question.rollout, &roller->order, sequence);
    regal_walk(&question, roller->walker, sequence, device, NULL, NULL);
    made->fitness[index] = regal_roller_evaluate(roller, sequence, device);
}

void regal_rollouts_order(regal_rollouts *made) {
    for (int64_t i = 0; i < made->count; ++i) {
        int64_t at = i;
        for (; at > 0 && regal_fitness_less(made->fitness[i], made->fitness[made->best[at - 1]]);
             --at)
            made->best[at] = made->best[at - 1];
        made->best[at] = i;
    }
}

static regal_status roll_all(rolling *r, const regal_policy *policy, const regal_math *math,
                             int64_t gpu, uint64_t seed) {
    regal_thread_pool *pool;
    REGAL_FORWARD(find_scores(r, policy, math, gpu));
    REGAL_FORWARD(regal_walk_question_make(r->settings, policy->parameters, &r->question));
    r->question.graph = &r->graph;
    r->question.channel = r->channel;
    r->question.seed = seed;
    r->question.purpose = PURPOSE_SEARCH;
    REGAL_FORWARD(create_rollers(r));
    REGAL_FORWARD(regal_thread_pool_create(r->threads, &pool));
    regal_thread_pool_run(pool, r->made->count, roll_one, r);
    regal_thread_pool_destroy(pool);
    if (atomic_load(&r->stopped))
        regal_rollouts_destroy(r->made);
    else
        regal_rollouts_order(r->made);
    return REGAL_OK;
}

regal_status regal_policy_roll_out_until(const regal_policy *policy, const regal_problem *problem,
                                         const regal_math *math, int64_t threads, int64_t gpu,
                                         int64_t count, uint64_t seed, regal_rollout_stop *stop,
                                         void *context, regal_rollouts *rollouts) {
    const regal_problem_view *view = regal_problem_get_view(problem);
    rolling r = {.settings = &policy->settings,
                 .problem = problem,
                 .threads = threads > 0 ? threads : regal_processor_count(),
                 .stop = stop,
                 .stop_context = context,
                 .made = rollouts};
    r.threads = r.threads < count ? r.threads : count;
    REGAL_FORWARD(regal_rollouts_create(count, view->op_count, rollouts));
    regal_status status = regal_walk_graph_create(view, &r.graph);
    if (status == REGAL_OK)
        status = roll_all(&r, policy, math, gpu, seed);
    if (status == REGAL_INTERRUPTED) { /* before the first roll-out */
        regal_rollouts_destroy(rollouts);
        status = REGAL_OK;
    }
    for (int64_t i = 0; r.rollers != NULL && i < r.threads; ++i)
        regal_roller_destroy(&r.rollers[i]);
    free(r.rollers);
    free(r.channel);
    regal_walk_graph_destroy(&r.graph);
    if (status != REGAL_OK)
        regal_rollouts_destroy(rollouts);
    return status;
}

regal_status regal_policy_roll_out(const regal_policy *policy, const regal_problem *problem,
                                   const regal_math *math, int64_t threads, int64_t gpu,
                                   int64_t count, uint64_t seed, regal_rollouts *rollouts) {
    return regal_policy_roll_out_until(policy, problem, math, threads, gpu, count, seed, NULL, NULL,
                                       rollouts);
}
