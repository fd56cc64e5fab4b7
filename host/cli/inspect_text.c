/* An inspection for people. */
#include <inttypes.h>
#include <string.h>

#include "cli/human_units.h"
#include "cli/inspection.h"
#include "cli/plain_text.h"
#include "cli/text_table.h"

enum { KINDS_SHOWN = 12, CLASSES_SHOWN = 8, NAME_WIDTH = 56 };

/* A name that fits a column: of a long one its end, which tells more. */
static const char *short_name(const char *name, char text[NAME_WIDTH + 1]) {
    const size_t length = strlen(name);
    if (length <= NAME_WIDTH)
        return name;
    const char *end = name + length - (NAME_WIDTH - 3);
    while ((*end & 0xc0) == 0x80) /* not within a character */
        end++;
    snprintf(text, NAME_WIDTH + 1, "...%s", end);
    return text;
}
#define SHORT_NAME(name) short_name(name, (char[NAME_WIDTH + 1]){0})

static const char *share_of(int64_t part, int64_t whole, char *text) {
    return whole > 0 ? human_percent((double)part / (double)whole, text) : "-";
}
#define SHARE(part, whole) share_of(part, whole, (char[HUMAN_TEXT]){0})

static void print_source(const regal_source *source) {
    if (!source)
        return;
    printf("  %s: %s %.*s: %s, %s", source->format, HUMAN(count, source->nodes),
           (int)strlen(source->unit) - (source->nodes == 1), source->unit,
           HUMAN(things, source->ops, "op"), HUMAN(things, source->parameters, "parameter"));
    if (source->nothing > 0)
        printf(", %s folded away", HUMAN(count, source->nothing));
    putchar('\n');
}

static void print_contents(const inspection *seen) {
    const graph_facts *facts = &seen->facts;
    const int64_t held = facts->activation_bytes > INT64_MAX - facts->parameter_bytes
                             ? INT64_MAX
                             : facts->activation_bytes + facts->parameter_bytes;
    text_table table = {0};
    table_row(&table, "ops", HUMAN(count, facts->counts.ops), NULL);
    if (facts->flops > 0)
        table_row(&table, "FLOPs", "", HUMAN(flops, facts->flops), NULL);
    table_row(&table, "tensors", HUMAN(count, facts->counts.tensors),
              HUMAN(bytes, facts->tensor_bytes), NULL);
    table_row(&table, "outputs", HUMAN(count, facts->outputs), NULL);
    table_row(&table, "aliases", HUMAN(count, facts->aliases), NULL);
    table_row(&table, "activations", HUMAN(count, facts->counts.tensors - facts->aliases),
              HUMAN(bytes, facts->activation_bytes), NULL);
    table_row(&table, "parameters", HUMAN(count, facts->counts.parameters),
              HUMAN(bytes, facts->parameter_bytes), NULL);
    table_row(&table, "activations, parameters", "", HUMAN(bytes, held), NULL);
    table_row(&table, "greatest workspace", "", HUMAN(bytes, facts->greatest_workspace), NULL);
    table_row(&table, "control edges", HUMAN(count, facts->counts.controls), NULL);
    table_row(&table, "colocation groups", HUMAN(count, facts->groups), NULL);
    table_row(&table, "bound to devices", HUMAN(count, facts->restricted_ops), NULL);
    if (facts->free_ops > 0)
        table_row(&table, "ops that cost nothing", HUMAN(count, facts->free_ops), NULL);
    table_row(&table, "depth", HUMAN(count, facts->shape.depth), NULL);
    table_row(&table, "width", HUMAN(count, facts->shape.width), NULL);
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
    const bool has_flops = facts->flops > 0;
    text_table table = {0};
    if (facts->kind_count == 0)
        return;
    table_row(&table, "kind of op", "ops", "work", "of all", "outputs", has_flops ? "FLOPs" : NULL,
              "of all", NULL);
    for (int64_t i = 0; i < facts->kind_count && i < KINDS_SHOWN; i++) {
        const kind_facts *kind = &facts->kinds[i];
        table_row(&table, *kind->name ? SHORT_NAME(kind->name) : "(none)", HUMAN(count, kind->ops),
                  HUMAN(ticks, kind->work), SHARE(kind->work, facts->work[0]),
                  HUMAN(bytes, kind->output_bytes), has_flops ? HUMAN(flops, kind->flops) : NULL,
                  SHARE(kind->flops, facts->flops), NULL);
    }
    putchar('\n');
    table_print(&table, stdout, 2);
    if (facts->kind_count > KINDS_SHOWN)
        printf("  ... and %s more\n", HUMAN(count, facts->kind_count - KINDS_SHOWN));
}

static void print_costliest_ops(const inspection *seen) {
    const top_list *list = &seen->facts.costliest_ops;
    const bool has_flops = seen->facts.flops > 0;
    text_table table = {0};
    if (list->count < 2)
        return;
    table_row(&table, "costliest ops", "kind", "work", "of all", has_flops ? "FLOPs" : NULL, NULL);
    for (int i = 0; i < list->count; i++) {
        const top_item item = list->items[i];
        const regal_op op = regal_graph_op(seen->graph, item.index);
        table_row(&table, SHORT_NAME(op.name), SHORT_NAME(op.kind), HUMAN(ticks, item.value),
                  SHARE(item.value, seen->facts.work[0]), has_flops ? HUMAN(flops, op.flops) : NULL,
                  NULL);
    }
    putchar('\n');
    table_print(&table, stdout, 2);
}

static void print_largest_tensors(const inspection *seen) {
    const top_list *list = &seen->facts.largest_tensors;
    text_table table = {0};
    if (list->count == 0)
        return;
    table_row(&table, "largest tensors", "bytes", "of all", "made by", NULL);
    for (int i = 0; i < list->count; i++) {
        const regal_tensor tensor = regal_graph_tensor(seen->graph, list->items[i].index);
        table_row(&table, SHORT_NAME(tensor.name), HUMAN(bytes, tensor.bytes),
                  SHARE(tensor.bytes, seen->facts.activation_bytes),
                  SHORT_NAME(regal_graph_op(seen->graph, tensor.producer).kind), NULL);
    }
    putchar('\n');
    table_print(&table, stdout, 2);
}

static void print_largest_parameters(const inspection *seen) {
    const top_list *list = &seen->facts.largest_parameters;
    text_table table = {0};
    if (list->count == 0)
        return;
    table_row(&table, "largest parameters", "bytes", "of all", NULL);
    for (int i = 0; i < list->count; i++) {
        const regal_parameter parameter = regal_graph_parameter(seen->graph, list->items[i].index);
        table_row(&table, SHORT_NAME(parameter.name), HUMAN(bytes, parameter.bytes),
                  SHARE(parameter.bytes, seen->facts.parameter_bytes), NULL);
    }
    putchar('\n');
    table_print(&table, stdout, 2);
}

static int64_t whole_ticks(double ticks) {
    return ticks < 0x1p62 ? (int64_t)ticks : INT64_MAX;
}

static void print_cluster(const inspection *seen) {
    const char *devices =
        HUMAN(things, regal_cluster_device_count(seen->setting->cluster), "device");
    if (seen->bounded)
        printf("\n  on %s: no plan takes less than %s, nor less than %s on its fullest device\n",
               devices, HUMAN(ticks, seen->bounds.time), HUMAN(bytes, seen->bounds.memory));
    if (seen->sent.tensors > 0)
        printf("%s  every tensor that is read, sent once over a link: %s, %s x the work\n",
               seen->bounded ? "" : "\n", HUMAN(ticks, whole_ticks(seen->sent.ticks)),
               HUMAN(ratio, seen->sent.ticks, (double)seen->facts.work[0]));
}

void inspection_print(const inspection *seen) {
    const char *name = regal_graph_name(seen->graph);
    plain_line_print(stdout, "%s%s%s%s  digest %s", seen->options->arguments[0],
                     name && *name ? " (" : "", name && *name ? name : "", name && *name ? ")" : "",
                     seen->facts.counts.digest);
    print_source(regal_graph_source(seen->graph));
    print_contents(seen);
    print_classes(seen);
    print_kinds(&seen->facts);
    print_costliest_ops(seen);
    print_largest_tensors(seen);
    print_largest_parameters(seen);
    print_cluster(seen);
    if (seen->oddities.count > 0)
        putchar('\n');
    for (int i = 0; i < seen->oddities.count; i++)
        plain_line_print(stdout, "  odd: %s", seen->oddities.lines[i]);
}
