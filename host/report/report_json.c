#include "report/report_json.h"

#include <inttypes.h>
#include <math.h>

#include "regal/version.h"

/* Of a live set, the largest; the rest is summed up. */
enum { HELD_SHOWN = 25 };

static const int64_t GREATEST_EXACT = (INT64_C(1) << 53) - 1;

void regal_report_put_integer(regal_out *out, int64_t number) {
    const bool exact = number <= GREATEST_EXACT && number >= -GREATEST_EXACT;
    regal_out_bytes(out, "\"", !exact);
    regal_out_integer(out, number);
    regal_out_bytes(out, "\"", !exact);
}

void regal_report_put_member(regal_out *out, const char *before, const char *name, int64_t number) {
    regal_out_format(out, "%s\"%s\":", before, name);
    regal_report_put_integer(out, number);
}

/* null where unknown. */
static void put_known(regal_out *out, const char *before, const char *name, int64_t number) {
    if (number >= 0)
        regal_report_put_member(out, before, name, number);
    else
        regal_out_format(out, "%s\"%s\":null", before, name);
}

static void put_words(regal_out *out, const char *before, const char *name, const char *words) {
    regal_out_format(out, "%s\"%s\":", before, name);
    if (words != NULL)
        regal_out_string(out, words);
    else
        regal_out_text(out, "null");
}

static void put_real(regal_out *out, const char *before, const char *name, double number) {
    regal_out_format(out, "%s\"%s\":%.6g", before, name, isfinite(number) ? number : 0.0);
}

/* ---- figures */

static void put_device_list(regal_out *out, const regal_report_view *view, const char *name,
                            int64_t (*figure)(const regal_report_view *view, int64_t device)) {
    regal_out_format(out, ",\"%s\":[", name);
    for (int64_t d = 0; d < view->devices; ++d) {
        regal_out_bytes(out, ",", d > 0);
        regal_report_put_integer(out, figure(view, d));
    }
    regal_out_text(out, "]");
}

static int64_t device_peak(const regal_report_view *view, int64_t device) {
    return view->measure.peak[device];
}

static int64_t device_ops(const regal_report_view *view, int64_t device) {
    return view->device_begin[device + 1] - view->device_begin[device];
}

static int64_t device_busy(const regal_report_view *view, int64_t device) {
    return regal_explanation_device(view->explanation, device).busy;
}

/* As `regal check --json` names them; "busy" is in ticks. */
void regal_report_put_figures(regal_out *out, const regal_report_view *view) {
    const regal_bounds bounds = regal_problem_bounds(view->report->problem);
    const bool time = view->plan->objective == REGAL_TIME;
    const int64_t makespan = view->measure.makespan, max_peak = view->measure.time.value[2];
    regal_report_put_member(out, "{", "ops", view->plan->op_count);
    regal_report_put_member(out, ",", "tensors", regal_graph_tensor_count(view->graph));
    regal_report_put_member(out, ",", "control_edges", regal_graph_control_count(view->graph));
    regal_report_put_member(out, ",", "parameters", regal_graph_parameter_count(view->graph));
    regal_report_put_member(out, ",", "devices", view->devices);
    put_words(out, ",", "objective", regal_objective_name(view->plan->objective));
    regal_report_put_member(out, ",", "value", time ? makespan : max_peak);
    put_known(out, ",", "bound", time ? bounds.time : bounds.memory);
    regal_report_put_member(out, ",", "makespan", makespan);
    regal_report_put_member(out, ",", "max_peak", max_peak);
    regal_report_put_member(out, ",", "excess", view->measure.time.value[0]);
    put_known(out, ",\"bounds\":{", "time", bounds.time);
    put_known(out, ",", "memory", bounds.memory);
    regal_out_text(out, "}");
    put_device_list(out, view, "peak", device_peak);
    put_device_list(out, view, "busy", device_busy);
    put_device_list(out, view, "device_ops", device_ops);
    regal_report_put_member(out, ",\"transfers\":{", "count", view->plan->transfer_count);
    regal_report_put_member(out, ",", "bytes", view->measure.transfer_bytes);
    regal_out_text(out, "}}");
}

/* ---- devices and links */

static const char *held_name(const regal_report_view *view, const regal_held *held) {
    switch (held->kind) {
    case REGAL_HELD_WORKSPACE:
        return regal_graph_op(view->graph, held->id).name;
    case REGAL_HELD_PARAMETER:
        return regal_graph_parameter(view->graph, held->id).name;
    default:
        return regal_graph_tensor(view->graph, held->id).name;
    }
}

/* The live set: [kind, name, bytes, from, to] for each of the largest. */
static void put_peak(regal_out *out, const regal_report_view *view, int64_t device) {
    int64_t tick, count;
    const regal_held *held;
    regal_explanation_peak(view->explanation, device, &tick, &count, &held);
    regal_report_put_member(out, ",", "peak_tick", tick);
    regal_report_put_member(out, ",", "held_count", count);
    regal_out_text(out, ",\"held\":[");
    for (int64_t i = 0; i < count && i < HELD_SHOWN; ++i) {
        regal_out_format(out, "%s[%d,", i > 0 ? "," : "", (int)held[i].kind);
        regal_out_string(out, held_name(view, &held[i]));
        regal_out_text(out, ",");
        regal_report_put_integer(out, held[i].bytes);
        regal_out_text(out, ",");
        regal_report_put_integer(out, held[i].from);
        regal_out_text(out, ",");
        regal_report_put_integer(out, held[i].to);
        regal_out_text(out, "]");
    }
    regal_out_text(out, "]");
}

static void put_idle(regal_out *out, const regal_report_view *view, int64_t device) {
    const regal_device_use use = regal_explanation_device(view->explanation, device);
    regal_report_put_member(out, ",", "idle", use.idle);
    regal_report_put_member(out, ",", "idle_end", use.idle_end);
    regal_out_text(out, ",\"idle_for\":[");
    for (int i = 0; i <= REGAL_WAIT_CHOICE; ++i) {
        regal_out_bytes(out, ",", i > 0);
        regal_report_put_integer(out, use.idle_for[i]);
    }
    regal_out_text(out, "]");
    if (use.worst_tensor < 0)
        return;
    put_words(out, ",", "worst_tensor", regal_graph_tensor(view->graph, use.worst_tensor).name);
    regal_report_put_member(out, ",", "worst_from", use.worst_from);
    regal_report_put_member(out, ",", "worst_idle", use.worst_idle);
}

static void put_devices(regal_out *out, const regal_report_view *view) {
    regal_out_text(out, ",\"devices\":[");
    for (int64_t d = 0; d < view->devices; ++d) {
        const regal_device device = regal_cluster_device(view->cluster, d);
        const char *class_name = device.class_name != NULL
                                     ? device.class_name
                                     : regal_graph_class_name(view->graph, device.class_index);
        put_words(out, d > 0 ? ",{" : "{", "name", device.name);
        put_words(out, ",", "class", class_name);
        regal_report_put_member(out, ",", "cap", device.memory);
        put_idle(out, view, d);
        put_peak(out, view, d);
        regal_out_text(out, "}");
    }
    regal_out_text(out, "]");
}

static void put_links(regal_out *out, const regal_report_view *view) {
    regal_out_text(out, ",\"links\":[");
    for (int64_t i = 0; i < view->links; ++i) {
        const regal_link_use link = regal_explanation_link(view->explanation, i);
        regal_report_put_member(out, i > 0 ? ",{" : "{", "from", link.from);
        regal_report_put_member(out, ",", "to", link.to);
        regal_report_put_member(out, ",", "transfers", link.transfers);
        regal_report_put_member(out, ",", "bytes", link.bytes);
        regal_report_put_member(out, ",", "busy", link.busy);
        regal_report_put_member(out, ",", "waited", link.waited);
        regal_out_text(out, "}");
    }
    regal_out_text(out, "]");
}

/* ---- the search */

static void put_made(regal_out *out, const regal_made *made) {
    put_words(out, ",\"made\":{", "version", made->version);
    put_words(out, ",", "origin", made->origin);
    put_words(out, ",", "search", made->search);
    put_words(out, ",", "encoding", made->encoding);
    put_words(out, ",", "backend", made->backend);
    put_words(out, ",", "policy", made->policy);
    put_words(out, ",", "stopped", made->stopped);
    regal_out_format(out, ",\"seed\":\"%" PRIu64 "\"", made->seed);
    put_known(out, ",", "evaluations", made->evaluations);
    put_known(out, ",", "generations", made->generations);
    put_known(out, ",", "rounds", made->rounds);
    put_known(out, ",", "threads", made->threads);
    put_real(out, ",", "seconds", made->seconds);
    regal_out_text(out, "}");
}

static void put_search(regal_out *out, const regal_report *report) {
    regal_out_text(out, ",\"points\":[");
    for (int64_t i = 0; i < report->point_count; ++i) {
        const regal_report_point *point = &report->points[i];
        put_real(out, i > 0 ? ",{" : "{", "seconds", point->seconds);
        regal_report_put_member(out, ",", "evaluations", point->evaluations);
        regal_report_put_member(out, ",", "value", point->value);
        regal_report_put_member(out, ",", "excess", point->excess);
        regal_out_text(out, "}");
    }
    regal_out_text(out, "],\"rivals\":[");
    for (int64_t i = 0; i < report->rival_count; ++i) {
        const regal_report_rival *rival = &report->rivals[i];
        put_words(out, i > 0 ? ",{" : "{", "name", rival->name);
        regal_report_put_member(out, ",", "makespan", rival->makespan);
        regal_report_put_member(out, ",", "max_peak", rival->max_peak);
        regal_report_put_member(out, ",", "excess", rival->excess);
        regal_out_text(out, "}");
    }
    regal_out_text(out, "]");
}

/* ---- the whole */

static void put_kinds(regal_out *out, const regal_report_view *view) {
    regal_out_text(out, ",\"kinds\":");
    regal_out_strings(out, view->kind_at, view->kinds.count);
}

void regal_report_put_data(regal_out *out, const regal_report_view *view) {
    const regal_report *report = view->report;
    put_words(out, "{", "version", REGAL_VERSION);
    put_words(out, ",", "title", report->title);
    put_words(out, ",", "graph", regal_graph_name(view->graph));
    put_words(out, ",", "digest", view->plan->graph_digest);
    put_made(out, &view->plan->made);
    put_devices(out, view);
    put_links(out, view);
    put_kinds(out, view);
    regal_out_text(out, ",\"ops\":");
    regal_report_put_ops(out, view);
    regal_out_text(out, ",\"transfers\":");
    regal_report_put_transfers(out, view);
    regal_out_text(out, ",\"tensors\":");
    regal_report_put_tensors(out, view);
    regal_out_text(out, ",\"memory\":");
    regal_report_put_memory(out, view);
    regal_out_text(out, ",\"critical\":");
    regal_report_put_critical(out, view);
    put_search(out, report);
    regal_out_text(out, "}");
}
