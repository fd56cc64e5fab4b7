/* The results of `compare` for machines.
 *
 *   {"format": "regal-comparison", "version": 1, "regal": "0.1.0", "objective": "time", "seed": 1,
 *    "machine": {"device", "simd", "processors"}, "side_by_side": 2, "threads": 1, "seconds": 81.2,
 *    "stopped": false, "reference": "brkga-5k",
 *    "methods": [{"method", "name", "line", "options": {of the search}}],
 *    "summary": [{"method", "served", "feasible", "won", "compared", "gain", "error", "ratio",
 *                 "seconds"}],
 *    "graphs": [{"graph", "digest", "ops", "devices", "bound", "capped", "runs": [
 *      {"method", "status", "value", "makespan", "max_peak", "excess", "ratio_to_bound", "seconds",
 *       "evaluations", "reason", "curve": [[seconds, evaluations, value, excess], ...]}]}]}
 *
 * null is unknown. A run a line. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/compare_parts.h"
#include "cli/json_values.h"
#include "cli/text_sink.h"

enum { DIGITS = 6 };

/* Takes the value over. */
static void put_json(text_sink *sink, json_t *value) {
    char *text = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(DIGITS));
    json_decref(value);
    sink->failed = sink->failed || !text;
    if (text)
        fputs(text, sink->file);
    free(text);
}

/* ---- JSON */

static json_t *real_or_null(double number) {
    return isfinite(number) ? json_real(number) : json_null();
}

static json_t *known_integer(int64_t number) {
    return number >= 0 ? json_integer(number) : json_null();
}

static json_t *machine_json(void) {
    regal_backend_info info;
    json_t *object = json_object();
    if (!regal_backend_describe(0, &info))
        return object;
    json_add_words(object, "device", info.device);
    json_add_words(object, "simd", info.simd);
    json_add_integer(object, "processors", info.threads);
    return object;
}

static json_t *method_json(const compare_results *results, const compare_method *method) {
    json_t *object = json_object();
    regal_method_info info;
    regal_options options;
    json_add_words(object, "method", method->word);
    json_add_words(object, "name", method->name);
    if (method->method < 0 || !regal_method_describe(method->method, &info))
        return object;
    json_add_words(object, "line", info.line);
    if (regal_method_options(method->method, results->objective, 0, &options) != REGAL_OK)
        return object;
    options.seed = results->seed;
    options.threads = results->threads;
    char *text = regal_options_json(&options);
    json_t *settings = text ? json_loads(text, 0, NULL) : NULL;
    free(text);
    json_object_set_new(object, "options", settings ? settings : json_null());
    return object;
}

static json_t *summary_json(const compare_results *results, const compare_figures *figures,
                            int64_t method) {
    const regal_compare_row *row = &figures->rows[method];
    json_t *object = json_object();
    json_add_words(object, "method", results->methods.items[method].word);
    json_add_integer(object, "served", row->served);
    json_add_integer(object, "feasible", row->feasible);
    json_add_integer(object, "won", row->won);
    json_add_integer(object, "compared", row->compared);
    json_object_set_new(object, "gain", real_or_null(row->gain));
    json_object_set_new(object, "error", real_or_null(row->error));
    json_object_set_new(object, "ratio", real_or_null(row->ratio));
    json_object_set_new(object, "seconds", real_or_null(row->seconds));
    return object;
}

static json_t *curve_json(const regal_run *run) {
    json_t *array = json_array();
    for (int64_t i = 0; i < run->point_count; i++) {
        const regal_run_point *point = &run->curve[i];
        json_t *item = json_array();
        json_array_append_new(item, json_real(point->seconds));
        json_array_append_new(item, json_integer(point->evaluations));
        json_array_append_new(item, json_integer(point->value));
        json_array_append_new(item, json_integer(point->excess));
        json_array_append_new(array, item);
    }
    return array;
}

static json_t *run_json(const compare_results *results, int64_t graph, int64_t method) {
    const compare_run *run = compare_run_at(results, graph, method);
    json_t *object = json_object();
    json_add_words(object, "method", results->methods.items[method].word);
    json_add_words(object, "status", compare_run_word(results, run, method));
    json_object_set_new(object, "seconds",
                        real_or_null(run->run.seconds >= 0 ? run->run.seconds : NAN));
    if (!compare_run_serves(run)) {
        json_add_words(object, "reason", run->run.reason);
        return object;
    }
    json_add_integer(object, "value", run->run.value);
    json_add_integer(object, "makespan", run->run.makespan);
    json_add_integer(object, "max_peak", run->run.max_peak);
    json_add_integer(object, "excess", run->run.excess);
    json_object_set_new(
        object, "ratio_to_bound",
        real_or_null(regal_compare_ratio(run->run.value, results->graphs[graph].bound)));
    json_object_set_new(object, "evaluations", known_integer(run->run.evaluations));
    if (run->run.point_count > 0)
        json_object_set_new(object, "curve", curve_json(&run->run));
    return object;
}

static void put_graph(text_sink *sink, const compare_results *results, int64_t index) {
    const compare_graph *graph = &results->graphs[index];
    const char *separator = "";
    fputs("{\"graph\": ", sink->file);
    put_json(sink, json_words(graph->name));
    fprintf(sink->file,
            ", \"digest\": \"%s\", \"ops\": %" PRId64 ", \"devices\": %" PRId64
            ", \"bound\": %" PRId64 ", \"capped\": %s, \"runs\": [",
            graph->digest, graph->ops, graph->devices, graph->bound,
            graph->capped ? "true" : "false");
    for (int64_t m = 0; m < results->methods.count; m++) {
        if (!compare_run_at(results, index, m)->done)
            continue;
        fprintf(sink->file, "%s\n  ", separator);
        put_json(sink, run_json(results, index, m));
        separator = ",";
    }
    fputs("]}", sink->file);
}

/* Without its last brace. */
static void put_head(text_sink *sink, const compare_results *results) {
    json_t *machine = machine_json();
    fprintf(sink->file, "{\"format\": \"regal-comparison\", \"version\": 1, \"regal\": \"%s\",\n",
            regal_version());
    /* JSON's numbers are signed. */
    const char *quote = results->seed > INT64_MAX ? "\"" : "";
    fprintf(sink->file, "\"objective\": \"%s\", \"seed\": %s%" PRIu64 "%s, \"machine\": ",
            regal_objective_name(results->objective), quote, results->seed, quote);
    put_json(sink, machine);
    fprintf(sink->file,
            ", \"side_by_side\": %" PRId64 ", \"threads\": %" PRId64
            ", \"seconds\": %.3f, \"stopped\": %s, \"reference\": ",
            results->workers, results->threads, results->seconds,
            results->stopped ? "true" : "false");
    put_json(sink, results->reference >= 0
                       ? json_words(results->methods.items[results->reference].word)
                       : json_null());
}

static void put_all(text_sink *sink, const compare_results *results,
                    const compare_figures *figures) {
    put_head(sink, results);
    fputs(",\n\"methods\": [", sink->file);
    for (int64_t m = 0; m < results->methods.count; m++) {
        fputs(m > 0 ? ",\n" : "\n", sink->file);
        put_json(sink, method_json(results, &results->methods.items[m]));
    }
    fputs("],\n\"summary\": [", sink->file);
    for (int64_t m = 0; m < results->methods.count; m++) {
        fputs(m > 0 ? ",\n" : "\n", sink->file);
        put_json(sink, summary_json(results, figures, m));
    }
    fputs("],\n\"graphs\": [", sink->file);
    const char *separator = "\n";
    for (int64_t g = 0; g < results->graph_count; g++) {
        if (!results->graphs[g].read)
            continue;
        fputs(separator, sink->file);
        put_graph(sink, results, g);
        separator = ",\n";
    }
    fputs("]}\n", sink->file);
}

regal_status compare_json_write(const compare_results *results, const compare_figures *figures,
                                const char *path) {
    text_sink sink;
    if (text_sink_open(&sink))
        put_all(&sink, results, figures);
    return text_sink_save(&sink, path);
}

/* ---- CSV */

static void put_words(FILE *file, const char *words) {
    fputc('"', file);
    for (; words && *words != '\0'; words++) {
        if (*words == '"')
            fputc('"', file);
        fputc(*words, file);
    }
    fputc('"', file);
}

static void put_ratio(FILE *file, double ratio) {
    if (isfinite(ratio))
        fprintf(file, "%.6g", ratio);
    fputc(',', file);
}

static int64_t best_of(const compare_results *results, int64_t graph) {
    int64_t best = -1;
    for (int64_t m = 0; m < results->methods.count; m++) {
        const compare_run *run = compare_run_at(results, graph, m);
        if (compare_run_serves(run) && run->run.excess == 0 && (best < 0 || run->run.value < best))
            best = run->run.value;
    }
    return best;
}

static void put_figures(FILE *file, const regal_run *run, int64_t bound, int64_t best) {
    fprintf(file, "%" PRId64 ",", run->value);
    put_ratio(file, regal_compare_ratio(run->value, bound));
    put_ratio(file, best >= 0 ? regal_compare_ratio(run->value, best) : NAN);
    fprintf(file, "%" PRId64 ",%" PRId64 ",%" PRId64 ",", run->makespan, run->max_peak,
            run->excess);
}

static void put_row(FILE *file, const compare_results *results, int64_t g, int64_t m,
                    int64_t best) {
    const compare_graph *graph = &results->graphs[g];
    const compare_run *run = compare_run_at(results, g, m);
    put_words(file, graph->name);
    fprintf(file, ",%s,%" PRId64 ",%" PRId64 ",%s,", graph->digest, graph->ops, graph->devices,
            regal_objective_name(results->objective));
    put_words(file, results->methods.items[m].word);
    fprintf(file, ",%s,", compare_run_word(results, run, m));
    if (compare_run_serves(run))
        put_figures(file, &run->run, graph->bound, best);
    else
        fputs(",,,,,,", file);
    if (run->run.seconds >= 0)
        fprintf(file, "%.6g", run->run.seconds);
    fputc(',', file);
    if (run->run.evaluations >= 0)
        fprintf(file, "%" PRId64, run->run.evaluations);
    fputc(',', file);
    put_words(file, run->run.reason);
    fputc('\n', file);
}

regal_status compare_csv_write(const compare_results *results, const char *path) {
    text_sink sink;
    if (text_sink_open(&sink))
        fputs("graph,digest,ops,devices,objective,method,status,value,ratio_to_bound,ratio_to_best,"
              "makespan,max_peak,excess,seconds,evaluations,reason\n",
              sink.file);
    for (int64_t g = 0; !sink.failed && g < results->graph_count; g++) {
        const int64_t best = best_of(results, g);
        for (int64_t m = 0; m < results->methods.count; m++)
            if (compare_run_at(results, g, m)->done)
                put_row(sink.file, results, g, m, best);
    }
    return text_sink_save(&sink, path);
}
