/* Why methods have no plan: one note for all that say the same. */
#include <stdlib.h>
#include <string.h>

#include "cli/compare_parts.h"
#include "cli/human_units.h"
#include "cli/plain_text.h"

enum { MOST_REASONS = 3 }; /* of a method */

typedef struct compare_note {
    const char *word, *reason; /* of the runs */
    int64_t graphs;
    char *names; /* of the methods; NULL where memory ran out */
} compare_note;

typedef struct note_list {
    compare_note *notes; /* [count] */
    size_t count;
} note_list;

static bool has_reason(const compare_run *run) {
    return run->done && run->run.status != REGAL_OK && run->run.reason;
}

static bool is_same(const compare_run *a, const compare_run *b) {
    return has_reason(a) && has_reason(b) && strcmp(a->run.reason, b->run.reason) == 0;
}

static void add_name(compare_note *note, const char *name) {
    char *longer = NULL;
    if (asprintf(&longer, "%s, %s", note->names ? note->names : "...", name) < 0)
        return;
    free(note->names);
    note->names = longer;
}

static void add_note(note_list *list, const compare_note *note, const char *name) {
    for (size_t i = 0; i < list->count; i++) {
        compare_note *other = &list->notes[i];
        if (other->graphs == note->graphs && strcmp(other->word, note->word) == 0 &&
            strcmp(other->reason, note->reason) == 0) {
            add_name(other, name);
            return;
        }
    }
    compare_note *notes = reallocarray(list->notes, list->count + 1, sizeof *notes);
    if (!notes)
        return;
    list->notes = notes;
    notes[list->count] = *note;
    notes[list->count++].names = strdup(name);
}

/* Graphs with the reason that this one has; 0 where an earlier one has it too. */
static int64_t count_graphs(const compare_results *results, int64_t graph, int64_t method) {
    const compare_run *run = compare_run_at(results, graph, method);
    int64_t count = 0;
    for (int64_t g = 0; g < results->graph_count; g++) {
        const bool same = is_same(run, compare_run_at(results, g, method));
        if (same && g < graph)
            return 0;
        count += same;
    }
    return count;
}

static void add_method(const compare_results *results, int64_t method, note_list *list) {
    int told = 0;
    for (int64_t g = 0; g < results->graph_count && told < MOST_REASONS; g++) {
        const compare_run *run = compare_run_at(results, g, method);
        const int64_t graphs = has_reason(run) ? count_graphs(results, g, method) : 0;
        if (graphs == 0)
            continue;
        const compare_note note = {compare_run_word(results, run, method), run->run.reason, graphs,
                                   NULL};
        add_note(list, &note, results->methods.items[method].name);
        told++;
    }
}

void compare_reasons_print(const compare_results *results, FILE *file) {
    note_list list = {0};
    for (int64_t m = 0; m < results->methods.count; m++)
        add_method(results, m, &list);
    for (size_t i = 0; i < list.count; i++) {
        const compare_note *note = &list.notes[i];
        char many[2 * HUMAN_TEXT] = "";
        if (results->graph_count > 1)
            snprintf(many, sizeof many, " on %s", HUMAN(things, note->graphs, "graph"));
        fputc('\n', file);
        plain_line_print(file, "  %s%s: %s", note->word, many, note->names ? note->names : "...");
        plain_line_print(file, "    %s", note->reason);
        free(note->names);
    }
    free(list.notes);
}
