/* Which graphs are taken. Verdicts do not depend on threads: candidates are examined side by side,
 * and taken one after the other. With the filter they are saved now and then, to go on from. */
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/memory.h"
#include "dataset/room_filter.h"
#include "dataset/synthetic.h"
#include "dataset/topology.h"
#include "policy/graph_set.h"

enum { STREAM_LENGTH = 900000000, SHARE_PLAIN = 64, SHARE_FILTERED = 4 };
/* Refused in a row: a filter that lets one in a hundred pass is not given up by chance. */
enum { HOPELESS_AT_FIRST = 1000, HOPELESS = 10000 };
static const double SAVE_INTERVAL = 5, TELL_INTERVAL = 0.1; /* seconds */

typedef struct candidate {
    uint64_t topology;
    bool has_room, examined;
    dataset_outcome outcome;
} candidate;

typedef struct choice {
    dataset_run *run;
    verdicts *verdicts;
    bool filtered;
    room_filter filter;
    topology_set seen;
    candidate *batch; /* [batch_size] */
    int64_t batch_size, taken, wanted;
    double saved_at, told_at;

    /* the stream at work */
    synthetic_stream stream;
    verdict_stream *known;
    regal_graph_set *problems; /* with the filter */
    int64_t first;             /* candidate of the batch */
    atomic_bool stop;
} choice;

/* A search of the filter; only the thread that made the call tells of it. */
typedef struct filter_search {
    choice *choice;
    bool tells;
} filter_search;

static bool tell(choice *c) {
    c->told_at = regal_clock();
    if (dataset_tell(c->run, c->filtered ? "filter" : "topologies", c->taken, c->wanted))
        atomic_store(&c->stop, true);
    return c->run->stopped;
}

static bool is_to_stop(const regal_progress *progress, void *context) {
    const filter_search *search = context;
    (void)progress;
    if (search->tells && regal_clock() - search->choice->told_at >= TELL_INTERVAL)
        tell(search->choice);
    return atomic_load(&search->choice->stop);
}

static bool is_known(const choice *c, int64_t number) {
    return number < c->known->count;
}

static regal_status examine_plain(const choice *c, int64_t number, candidate *made) {
    regal_graph *graph = NULL;
    REGAL_FORWARD(regal_graph_generate(c->stream.generator, NULL, 0,
                                       c->stream.first_seed + (uint64_t)number, NULL, &graph));
    made->has_room = true;
    const regal_status status = regal_topology_digest(graph, &made->topology);
    regal_graph_destroy(graph);
    return status;
}

static regal_status examine_filtered(choice *c, int64_t number, bool tells, candidate *made) {
    regal_set_problem problem = {0};
    filter_search search = {c, tells};
    REGAL_FORWARD(regal_graph_set_problem(c->problems, number, &problem));
    regal_status status = regal_topology_digest(problem.graph, &made->topology);
    if (status == REGAL_OK)
        status =
            room_filter_judge(&c->filter, problem.problem, is_to_stop, &search, &made->has_room);
    regal_set_problem_destroy(&problem);
    return status;
}

/* Of those known already only the topologies of the taken ones are needed. */
static void examine(void *context, int64_t index, int64_t worker) {
    choice *c = context;
    candidate *made = &c->batch[index];
    const int64_t number = c->first + index;
    made->outcome.status = REGAL_OK;
    made->examined = false;
    if (atomic_load(&c->stop))
        return;
    if (!is_known(c, number) && c->filtered)
        dataset_outcome_keep(&made->outcome, examine_filtered(c, number, worker == 0, made));
    else if (!is_known(c, number) || c->known->letters[number] == VERDICT_TAKEN)
        dataset_outcome_keep(&made->outcome, examine_plain(c, number, made));
    made->examined = !atomic_load(&c->stop);
}

static regal_status decide(choice *c, int64_t number, const candidate *made) {
    bool added = true;
    if (is_known(c, number))
        return c->known->letters[number] == VERDICT_TAKEN
                   ? topology_set_add(&c->seen, made->topology, &added)
                   : REGAL_OK;
    if (made->has_room)
        REGAL_FORWARD(topology_set_add(&c->seen, made->topology, &added));
    return verdicts_add(c->known, !made->has_room ? VERDICT_NO_ROOM
                                  : added         ? VERDICT_TAKEN
                                                  : VERDICT_DUPLICATE);
}

static regal_status save(choice *c, bool now) {
    const double time = regal_clock();
    if (!c->filtered || (!now && time - c->saved_at < SAVE_INTERVAL))
        return REGAL_OK;
    c->saved_at = time;
    return verdicts_write(c->verdicts, c->run);
}

static regal_status give_up(const choice *c, int64_t refused) {
    char cap[] = "cap_barabasi_albert";
    snprintf(cap, sizeof cap, "cap_%s", c->stream.generator);
    for (char *at = cap; *at != '\0'; ++at)
        if (*at == '-')
            *at = '_';
    REGAL_FAIL(REGAL_INFEASIBLE,
               "of %" PRId64
               " '%s' in a row none passed the filter: choose another %s, low, high or "
               "faster",
               refused, c->stream.generator, cap);
}

/* Candidates in batches until `wanted` are taken. */
static regal_status run_stream(choice *c, int64_t wanted) {
    int64_t taken = 0, refused = 0;
    for (c->first = 0; taken < wanted; c->first += c->batch_size) {
        REGAL_FAIL_IF(c->first > STREAM_LENGTH - c->batch_size, REGAL_INVALID_ARGUMENT,
                      "of %d graphs '%s' too few pass the filter", STREAM_LENGTH,
                      c->stream.generator);
        if (tell(c))
            return REGAL_OK;
        regal_thread_pool_run(c->run->pool, c->batch_size, examine, c);
        for (int64_t i = 0; i < c->batch_size && taken < wanted; ++i) {
            if (!c->batch[i].examined)
                return REGAL_OK;
            REGAL_FORWARD(dataset_outcome_report(&c->batch[i].outcome));
            REGAL_FORWARD(decide(c, c->first + i, &c->batch[i]));
            const bool is_taken = c->known->letters[c->first + i] == VERDICT_TAKEN;
            taken += is_taken;
            c->taken += is_taken;
            refused = is_taken ? 0 : refused + 1;
            if (refused >= (taken == 0 ? HOPELESS_AT_FIRST : HOPELESS))
                return give_up(c, refused);
        }
        REGAL_FORWARD(save(c, false));
    }
    return REGAL_OK;
}

static regal_status open_problems(choice *c) {
    char text[600], cluster[SYNTHETIC_CLUSTER_SIZE];
    synthetic_cluster(c->run, c->stream.family, cluster);
    snprintf(text, sizeof text,
             "{\"format\": \"regal-set\", \"version\": 1, \"name\": \"\", \"objective\": \"time\", "
             "\"clusters\": [%s], \"graphs\": [{\"generator\": \"%s\", \"seed\": %" PRIu64
             ", \"count\": %d}]}",
             cluster, c->stream.generator, c->stream.first_seed, STREAM_LENGTH);
    return regal_graph_set_parse(text, strlen(text), "the filter's set", &c->problems);
}

static regal_status choose_stream(choice *c, int index) {
    c->stream = synthetic_stream_at(index);
    c->known = &c->verdicts->stream[index];
    c->problems = NULL;
    const int64_t wanted = synthetic_wanted(c->run, &c->stream);
    if (wanted == 0)
        return REGAL_OK;
    regal_status status = c->filtered ? open_problems(c) : REGAL_OK;
    if (status == REGAL_OK)
        status = run_stream(c, wanted);
    regal_graph_set_destroy(c->problems);
    return status;
}

static regal_status choose_all(choice *c) {
    if (c->filtered)
        REGAL_FORWARD(verdicts_read(c->verdicts, c->run));
    regal_status status = REGAL_OK;
    for (int i = 0; i < VERDICT_STREAMS && status == REGAL_OK && !c->run->stopped; ++i)
        status = choose_stream(c, i);
    return status == REGAL_OK ? save(c, true) : status;
}

regal_status synthetic_choose(dataset_run *run, verdicts *judged) {
    const double *values = run->values;
    choice c = {.run = run,
                .verdicts = judged,
                .filtered = values[SYNTHETIC_FILTER] != 0,
                .filter = {(int64_t)values[SYNTHETIC_LOW], (int64_t)values[SYNTHETIC_HIGH],
                           values[SYNTHETIC_FASTER]},
                .saved_at = regal_clock()};
    c.batch_size = regal_thread_pool_size(run->pool) * (c.filtered ? SHARE_FILTERED : SHARE_PLAIN);
    for (int which = 0; which < DATASET_SPLITS; ++which)
        c.wanted += (int64_t)values[SYNTHETIC_COUNT + which];
    c.batch = regal_allocate_zeroed(c.batch_size, sizeof *c.batch);
    REGAL_FAIL_IF_NULL(c.batch);
    const regal_status status = choose_all(&c);
    topology_set_free(&c.seen);
    free(c.batch);
    return status;
}
