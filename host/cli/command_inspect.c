#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/console.h"
#include "cli/graph_facts.h"
#include "cli/human_units.h"
#include "cli/inspect_features.h"
#include "cli/json_values.h"
#include "cli/options.h"
#include "cli/plain_text.h"
#include "cli/plan_facts.h"
#include "cli/setting.h"
#include "cli/text_table.h"

enum { KINDS_SHOWN = 12, CLASSES_SHOWN = 8, ODDITIES = 12, ODDITY_TEXT = 240 };
/* From here on control edges into one op make it a barrier, and one op a bottleneck. */
enum { HUGE_FAN_IN = 1000 };
static const double BOTTLENECK_SHARE = 0.5;

/* What looks odd, one line each. */
typedef struct oddity_list {
    char lines[ODDITIES][ODDITY_TEXT];
    int count;
} oddity_list;

typedef struct inspection {
    const cli_options *options;
    const cli_setting *setting;
    const regal_graph *graph;
    graph_facts facts;
    bool bounded;
    regal_bounds bounds;
    oddity_list oddities;
} inspection;

__attribute__((format(printf, 2, 3))) static void add_oddity(oddity_list *list, const char *format,
                                                             ...) {
    if (list->count == ODDITIES)
        return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(list->lines[list->count++], ODDITY_TEXT, format, arguments);
    va_end(arguments);
}

static void find_odd_ops(inspection *seen) {
    const graph_facts *facts = &seen->facts;
    oddity_list *list = &seen->oddities;
    if (facts->counts.ops == 0)
        add_oddity(list, "there are no ops");
    else if (facts->free_ops == facts->counts.ops)
        add_oddity(list, "every op costs 0 ticks: each counts as one tick");
    else if (2 * facts->free_ops > facts->counts.ops)
        add_oddity(list, "%s of %s ops cost 0 ticks: each counts as one tick",
                   HUMAN(count, facts->free_ops), HUMAN(count, facts->counts.ops));
    if (facts->control_fan_in >= HUGE_FAN_IN)
        add_oddity(list, "op %.100s waits for %s: it is a barrier",
                   regal_graph_op(seen->graph, facts->control_fan_in_op).name,
                   HUMAN(things, facts->control_fan_in, "control edge"));
    if (facts->counts.ops > 2) {
        const regal_op op = regal_graph_op(seen->graph, facts->costliest_op);
        const double share = (double)op.cost[0] / (double)facts->work[0];
        if (share > BOTTLENECK_SHARE)
            add_oddity(list, "op %.100s is %s of all work", op.name, HUMAN(percent, share));
    }
    if (facts->counts.ops > 1 && facts->width == 1)
        add_oddity(list, "the ops form one chain: more devices cannot make it faster");
}

static void find_odd_tensors(inspection *seen) {
    const graph_facts *facts = &seen->facts;
    oddity_list *list = &seen->oddities;
    if (facts->counts.tensors > 0 && facts->tensor_bytes == 0)
        add_oddity(list, "every tensor has 0 bytes");
    if (facts->counts.tensors == 0 && facts->counts.ops > 1)
        add_oddity(list, "no op hands data to another");
    if (facts->unused_tensors > 0)
        add_oddity(list, "%s %s neither read nor an output",
                   HUMAN(things, facts->unused_tensors, "tensor"),
                   facts->unused_tensors == 1 ? "is" : "are");
}

/* Bounds that cannot be had are an error only where the user chose the devices. */
static int find_bounds(inspection *seen) {
    regal_problem *problem = NULL;
    const regal_status status = regal_problem_create(seen->graph, seen->setting->cluster, &problem);
    if (status != REGAL_OK) {
        if (seen->options->devices || seen->options->cluster)
            return report_failure(seen->options->arguments[0], status);
        add_oddity(&seen->oddities, "does not fit the default devices: %s", regal_error_message());
        return 0;
    }
    seen->bounded = true;
    seen->bounds = regal_problem_bounds(problem);
    regal_problem_destroy(problem);
    return 0;
}

static void find_odd_caps(inspection *seen) {
    if (seen->bounded && caps_are_hopeless(seen->setting->cluster, seen->bounds))
        add_oddity(&seen->oddities,
                   "no plan can keep within the caps: some device needs at least %s",
                   HUMAN(bytes, seen->bounds.memory));
}

static void print_contents(const inspection *seen) {
    const graph_facts *facts = &seen->facts;
    text_table table = {0};
    char largest[128] = "";
    if (facts->largest_tensor >= 0)
        snprintf(largest, sizeof largest, "largest %s: %.80s", HUMAN(bytes, facts->largest_bytes),
                 regal_graph_tensor(seen->graph, facts->largest_tensor).name);
    table_row(&table, "ops", HUMAN(count, facts->counts.ops), NULL);
    table_row(&table, "tensors", HUMAN(count, facts->counts.tensors),
              HUMAN(bytes, facts->tensor_bytes), largest, NULL);
    table_row(&table, "outputs", HUMAN(count, facts->outputs), NULL);
    table_row(&table, "aliases", HUMAN(count, facts->aliases), NULL);
    table_row(&table, "parameters", HUMAN(count, facts->counts.parameters),
              HUMAN(bytes, facts->parameter_bytes), NULL);
    table_row(&table, "control edges", HUMAN(count, facts->counts.controls), NULL);
    table_row(&table, "colocation groups", HUMAN(count, facts->groups), NULL);
    table_row(&table, "bound to devices", HUMAN(count, facts->restricted_ops), NULL);
    table_row(&table, "greatest workspace", "", HUMAN(bytes, facts->greatest_workspace), NULL);
    table_row(&table, "depth", HUMAN(count, facts->depth), NULL);
    table_row(&table, "width", HUMAN(count, facts->width), NULL);
    table_print(&table, stdout, 2);
}

static void print_classes(const inspection *seen) {
    const graph_facts *facts = &seen->facts;
    text_table table = {0};
    table_row(&table, "device class", "total work", "critical path", "parallelism", NULL);
    for (int64_t i = 0; i < facts->classes && i < CLASSES_SHOWN; i++)
        table_row(&table, regal_graph_class_name(seen->graph, i), HUMAN(ticks, facts->work[i]),
                  HUMAN(ticks, facts->critical_path[i]),
                  HUMAN(ratio, (double)facts->work[i], (double)facts->critical_path[i]), NULL);
    putchar('\n');
    table_print(&table, stdout, 2);
    if (facts->classes > CLASSES_SHOWN)
        printf("  ... and %" PRId64 " more\n", facts->classes - CLASSES_SHOWN);
}

static void print_kinds(const graph_facts *facts) {
    text_table table = {0};
    if (facts->kind_count == 0)
        return;
    table_row(&table, "kind of op", "ops", "work", "of all", NULL);
    for (int64_t i = 0; i < facts->kind_count && i < KINDS_SHOWN; i++) {
        const kind_facts *kind = &facts->kinds[i];
        table_row(&table, *kind->name ? kind->name : "(none)", HUMAN(count, kind->ops),
                  HUMAN(ticks, kind->work),
                  HUMAN(percent, (double)kind->work / (double)facts->work[0]), NULL);
    }
    putchar('\n');
    table_print(&table, stdout, 2);
    if (facts->kind_count > KINDS_SHOWN)
        printf("  ... and %s more\n", HUMAN(count, facts->kind_count - KINDS_SHOWN));
}

static void print_inspection(const inspection *seen) {
    const char *name = regal_graph_name(seen->graph);
    plain_line_print(stdout, "%s%s%s%s  digest %s", seen->options->arguments[0],
                     name && *name ? " (" : "", name && *name ? name : "", name && *name ? ")" : "",
                     seen->facts.counts.digest);
    print_contents(seen);
    print_classes(seen);
    print_kinds(&seen->facts);
    if (seen->bounded)
        printf("\n  on %s: no plan takes less than %s, nor less than %s on its fullest device\n",
               HUMAN(things, regal_cluster_device_count(seen->setting->cluster), "device"),
               HUMAN(ticks, seen->bounds.time), HUMAN(bytes, seen->bounds.memory));
    if (seen->oddities.count > 0)
        putchar('\n');
    for (int i = 0; i < seen->oddities.count; i++)
        plain_line_print(stdout, "  odd: %s", seen->oddities.lines[i]);
}

static json_t *classes_json(const inspection *seen) {
    const graph_facts *facts = &seen->facts;
    json_t *array = json_array();
    for (int64_t i = 0; i < facts->classes; i++)
        json_array_append_new(array, json_pack("{s:o,s:I,s:I}", "name",
                                               json_words(regal_graph_class_name(seen->graph, i)),
                                               "work", (json_int_t)facts->work[i], "critical_path",
                                               (json_int_t)facts->critical_path[i]));
    return array;
}

static json_t *kinds_json(const graph_facts *facts) {
    json_t *array = json_array();
    for (int64_t i = 0; i < facts->kind_count; i++)
        json_array_append_new(array,
                              json_pack("{s:o,s:I,s:I}", "kind", json_words(facts->kinds[i].name),
                                        "ops", (json_int_t)facts->kinds[i].ops, "work",
                                        (json_int_t)facts->kinds[i].work));
    return array;
}

static json_t *oddities_json(const oddity_list *list) {
    json_t *array = json_array();
    for (int i = 0; i < list->count; i++)
        json_array_append_new(array, json_words(list->lines[i]));
    return array;
}

static json_t *inspection_json(const inspection *seen) {
    const graph_facts *facts = &seen->facts;
    const struct {
        const char *name;
        int64_t value;
    } numbers[] = {
        {"tensor_bytes", facts->tensor_bytes},
        {"largest_tensor_bytes", facts->largest_bytes},
        {"parameter_bytes", facts->parameter_bytes},
        {"greatest_workspace", facts->greatest_workspace},
        {"outputs", facts->outputs},
        {"aliases", facts->aliases},
        {"groups", facts->groups},
        {"grouped_ops", facts->grouped_ops},
        {"restricted_ops", facts->restricted_ops},
        {"greatest_control_fan_in", facts->control_fan_in},
        {"depth", facts->depth},
        {"width", facts->width},
        {"devices", regal_cluster_device_count(seen->setting->cluster)},
    };
    json_t *object = json_object();
    json_add_words(object, "graph", seen->options->arguments[0]);
    json_add_words(object, "name", regal_graph_name(seen->graph));
    graph_counts_add_json(&facts->counts, object);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        json_object_set_new(object, numbers[i].name, json_integer(numbers[i].value));
    json_object_set_new(object, "bounds",
                        seen->bounded
                            ? json_pack("{s:I,s:I}", "time", (json_int_t)seen->bounds.time,
                                        "memory", (json_int_t)seen->bounds.memory)
                            : json_null());
    json_object_set_new(object, "classes", classes_json(seen));
    json_object_set_new(object, "kinds", kinds_json(facts));
    json_object_set_new(object, "odd", oddities_json(&seen->oddities));
    return object;
}

static int inspect(inspection *seen) {
    if (seen->options->features)
        return features_print(seen->options, seen->graph, seen->setting->cluster);
    const regal_status status = graph_facts_collect(seen->graph, &seen->facts);
    if (status != REGAL_OK)
        return report_failure(seen->options->arguments[0], status);
    const int code = find_bounds(seen);
    if (code != 0)
        return code;
    find_odd_ops(seen);
    find_odd_tensors(seen);
    find_odd_caps(seen);
    if (seen->options->json)
        return json_print_line(inspection_json(seen));
    print_inspection(seen);
    return 0;
}

int command_inspect(const cli_options *options) {
    cli_setting setting;
    regal_graph *graph = NULL;
    int code = usage_check_streams(COMMAND_INSPECT, options, 1);
    if (code == 0 && options->objective && !options->features)
        code = usage_error(COMMAND_INSPECT, "--objective goes with --features");
    if (code == 0)
        code = setting_load(COMMAND_INSPECT, options, &setting);
    if (code != 0)
        return code;
    const regal_status status = setting_read_graph(&setting, options->arguments[0], &graph);
    if (status == REGAL_OK) {
        inspection seen = {.options = options, .setting = &setting, .graph = graph};
        code = inspect(&seen);
        graph_facts_clear(&seen.facts);
    } else {
        code = report_failure(options->arguments[0], status);
    }
    regal_graph_destroy(graph);
    setting_destroy(&setting);
    return code;
}
