/* Chrome trace JSON: complete events (X) and pairs (B, E) of a thread. An event is named by its
 * argument `name` where it has one (TensorFlow's timelines name the op there, and the kind in the
 * event's own name). Events of other phases, and halves of pairs, tell no time. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/name_table.h"
#include "graph/graph_limits.h"
#include "io/costs/costs_data.h"
#include "io/json_fields.h"

enum { TICKS_IN_MICROSECOND = 1000 };

/* One end of a pair. */
typedef struct pair_end {
    int64_t thread, tick, place;
    const char *name;
    bool begins;
} pair_end;

typedef struct trace_reading {
    regal_costs *costs;
    regal_cost_sample *samples; /* [sample_count] */
    int64_t sample_count, sample_capacity;
    pair_end *ends; /* [end_count] */
    int64_t end_count, end_capacity;
    regal_name_table threads;
    regal_arena thread_names;
} trace_reading;

static const char *text_of(const json_t *object, const char *key) {
    return json_string_value(json_object_get(object, key));
}

static const char *name_of(const json_t *event) {
    const char *name = text_of(json_object_get(event, "args"), "name");
    return name != NULL ? name : text_of(event, "name");
}

/* Microseconds as ticks. */
static regal_status read_ticks(const regal_json *event, const char *key, int64_t low,
                               int64_t *ticks) {
    const regal_json value = {
        .file = event->file, .json = json_object_get(event->json, key), .up = event, .key = key};
    const double limit = low < 0 ? 9e15 : (double)(REGAL_NUMBER_MAX / TICKS_IN_MICROSECOND);
    REGAL_JSON_FAIL_IF(!json_is_number(value.json), &value,
                       "expected a number of microseconds, found %s", regal_json_kind(value.json));
    const double number = json_number_value(value.json);
    REGAL_JSON_FAIL_IF(low >= 0 && number < 0, &value, "a time cannot be negative: %g", number);
    REGAL_JSON_FAIL_IF(!(fabs(number) <= limit), &value, "%g microseconds are too many", number);
    *ticks = json_is_integer(value.json)
                 ? (int64_t)json_integer_value(value.json) * TICKS_IN_MICROSECOND
                 : (int64_t)floor(number * TICKS_IN_MICROSECOND + 0.5);
    return REGAL_OK;
}

static regal_status add_sample(trace_reading *in, const char *name, int64_t ticks) {
    REGAL_FAIL_IF(!regal_array_reserve(&in->samples, &in->sample_capacity, in->sample_count + 1,
                                       sizeof *in->samples),
                  REGAL_OUT_OF_MEMORY, "memory ran out");
    in->samples[in->sample_count++] = (regal_cost_sample){name, ticks};
    return REGAL_OK;
}

static regal_status add_complete(trace_reading *in, const regal_json *event) {
    const char *name = name_of(event->json);
    int64_t ticks;
    if (name == NULL || *name == '\0' || json_object_get(event->json, "dur") == NULL)
        return REGAL_OK;
    REGAL_FORWARD(read_ticks(event, "dur", 0, &ticks));
    return add_sample(in, name, ticks);
}

/* ---- pairs */

/* Processes and threads are numbers or words. */
static void put_id(regal_out *out, const json_t *id) {
    if (json_is_string(id))
        regal_out_string(out, json_string_value(id));
    else
        regal_out_integer(out, json_integer_value(id));
    regal_out_text(out, " ");
}

static regal_status find_thread(trace_reading *in, const json_t *event, int64_t *thread) {
    regal_out key = {0};
    put_id(&key, json_object_get(event, "pid"));
    put_id(&key, json_object_get(event, "tid"));
    const char *name = key.failed ? NULL : regal_arena_copy(&in->thread_names, key.data, key.size);
    free(key.data);
    REGAL_FAIL_IF_NULL(name);
    *thread = regal_name_table_add(&in->threads, name, in->threads.count);
    return REGAL_OK;
}

static regal_status add_end(trace_reading *in, const regal_json *event, bool begins) {
    pair_end end = {.place = in->end_count, .name = name_of(event->json), .begins = begins};
    REGAL_FORWARD(read_ticks(event, "ts", -1, &end.tick));
    REGAL_FORWARD(find_thread(in, event->json, &end.thread));
    REGAL_FAIL_IF(!regal_array_reserve(&in->ends, &in->end_capacity, in->end_count + 1, sizeof end),
                  REGAL_OUT_OF_MEMORY, "memory ran out");
    in->ends[in->end_count++] = end;
    return REGAL_OK;
}

/* A file need not have them in the order of time. */
static int compare_ends(const void *left, const void *right) {
    const pair_end *a = left, *b = right;
    if (a->thread != b->thread)
        return a->thread < b->thread ? -1 : 1;
    if (a->tick != b->tick)
        return a->tick < b->tick ? -1 : 1;
    return (a->place > b->place) - (a->place < b->place);
}

static regal_status match_ends(trace_reading *in, const pair_end **open) {
    int64_t depth = 0;
    for (int64_t i = 0; i < in->end_count; ++i) {
        const pair_end *end = &in->ends[i];
        if (i > 0 && end->thread != in->ends[i - 1].thread)
            depth = 0;
        if (end->begins) {
            open[depth++] = end;
        } else if (depth > 0) {
            const pair_end *begin = open[--depth];
            const uint64_t ticks = (uint64_t)end->tick - (uint64_t)begin->tick;
            REGAL_FAIL_IF(ticks > (uint64_t)REGAL_NUMBER_MAX, REGAL_INVALID_INPUT,
                          "%s: an event of a pair (B, E) lasts more than 2^53 ticks (of 1 ns)",
                          in->costs->label);
            if (begin->name != NULL && *begin->name != '\0')
                REGAL_FORWARD(add_sample(in, begin->name, (int64_t)ticks));
        }
    }
    return REGAL_OK;
}

static regal_status add_pairs(trace_reading *in) {
    if (in->end_count == 0)
        return REGAL_OK;
    const pair_end **open = regal_allocate(in->end_count, sizeof *open);
    REGAL_FAIL_IF_NULL(open);
    qsort(in->ends, (size_t)in->end_count, sizeof *in->ends, compare_ends);
    const regal_status status = match_ends(in, open);
    free(open);
    return status;
}

/* ---- the file */

static regal_status add_event(trace_reading *in, const regal_json *event) {
    REGAL_JSON_FAIL_IF(!json_is_object(event->json), event, "expected an event, found %s",
                       regal_json_kind(event->json));
    const char *phase = text_of(event->json, "ph");
    if (phase == NULL)
        return REGAL_OK;
    if (strcmp(phase, "X") == 0)
        return add_complete(in, event);
    if (strcmp(phase, "B") == 0 || strcmp(phase, "E") == 0)
        return add_end(in, event, phase[0] == 'B');
    return REGAL_OK;
}

static regal_status read_events(trace_reading *in, const regal_json *root) {
    regal_json events = *root;
    if (json_is_object(root->json)) {
        events = (regal_json){.file = root->file, .up = root, .key = "traceEvents"};
        events.json = json_object_get(root->json, events.key);
        REGAL_JSON_FAIL_IF(events.json == NULL, root,
                           "has no \"traceEvents\": JSON with measured times is a Chrome trace");
    }
    int64_t count;
    REGAL_FORWARD(regal_json_array(&events, &count));
    REGAL_FAIL_IF(!regal_name_table_create(&in->threads, count), REGAL_OUT_OF_MEMORY,
                  "memory ran out");
    for (int64_t i = 0; i < count; ++i) {
        const regal_json event = regal_json_item(&events, i);
        REGAL_FORWARD(add_event(in, &event));
    }
    REGAL_FORWARD(add_pairs(in));
    return regal_costs_add_means(in->costs, in->samples, in->sample_count);
}

static regal_status read_root(const regal_json *root, void *costs) {
    trace_reading in = {.costs = costs};
    const regal_status status = read_events(&in, root);
    regal_name_table_destroy(&in.threads);
    regal_arena_free(&in.thread_names);
    free(in.samples);
    free(in.ends);
    return status;
}

/* A list of events may end without its bracket, after a comma or not: programs that are cut off
 * leave such traces. Returns a text that ends with it, in *copy where that is another one. */
static regal_status close_list(const char **data, size_t *size, char **copy) {
    static const char WHITE[] = " \t\r\n";
    size_t end = *size;
    *copy = NULL;
    while (end > 0 && memchr(WHITE, (*data)[end - 1], sizeof WHITE - 1) != NULL)
        --end;
    if ((*data)[strspn(*data, WHITE)] != '[' || (*data)[end - 1] == ']')
        return REGAL_OK;
    end -= (*data)[end - 1] == ',';
    *copy = malloc(end + 2);
    REGAL_FAIL_IF_NULL(*copy);
    memcpy(*copy, *data, end);
    (*copy)[end] = ']';
    (*copy)[end + 1] = '\0';
    *data = *copy;
    *size = end + 1;
    return REGAL_OK;
}

regal_status regal_costs_from_trace(regal_costs *costs, const char *data, size_t size) {
    char *copy;
    REGAL_FORWARD(close_list(&data, &size, &copy));
    const regal_status status = regal_json_parse(data, size, costs->label, read_root, costs);
    free(copy);
    return status;
}
