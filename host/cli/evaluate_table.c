#include "cli/evaluate_table.h"

#include <math.h>
#include <string.h>

#include "cli/human_units.h"
#include "cli/plain_text.h"
#include "cli/text_table.h"

enum { CELL = 96 };

static void print_head(const regal_evaluation_facts *facts, FILE *file) {
    plain_line_print(file, "%s against %s: %s on set %s, %s%s x %s, %s", facts->policy,
                     facts->reference, facts->objective == REGAL_TIME ? "makespan" : "peak memory",
                     facts->set, HUMAN(things, facts->finished, "problem"),
                     facts->finished < facts->problems ? " finished" : "",
                     HUMAN(things, facts->repeats, "seed"), HUMAN(seconds, facts->seconds));
}

static void describe_budget(const regal_evaluation_row *row, char *text) {
    if (row->budget == 0)
        snprintf(text, CELL, "equal time");
    else if (row->budget == row->reference_budget)
        snprintf(text, CELL, "%s evaluations", HUMAN(count, row->budget));
    else
        snprintf(text, CELL, "%s against %s", HUMAN(count, row->budget),
                 HUMAN(count, row->reference_budget));
}

/* Signed percent; "" for none. */
static const char *percent(double number, char *text) {
    text[0] = '\0';
    if (!isnan(number))
        snprintf(text, CELL, "%+.2f", number);
    return text;
}
#define PERCENT(number) percent(number, (char[CELL]){0})

static void add_row(text_table *table, const regal_evaluation_row *row, bool capped, bool known) {
    char gain[CELL] = "-", interval[CELL] = "-", won[CELL], feasible[CELL] = "",
         captured[CELL] = "";
    char seconds[CELL];
    if (!isnan(row->gain))
        snprintf(gain, sizeof gain, "%s +- -", PERCENT(row->gain));
    if (!isnan(row->error)) { /* unknown of a single problem */
        snprintf(gain, sizeof gain, "%s +- %.2f", PERCENT(row->gain), row->error);
        snprintf(interval, sizeof interval, "%s to %s", PERCENT(row->low), PERCENT(row->high));
    }
    snprintf(won, sizeof won, "%.0f %%", 100 * row->won);
    if (capped)
        snprintf(feasible, sizeof feasible, "%.0f / %.0f %%", 100 * row->feasible,
                 100 * row->reference_feasible);
    if (known && !isnan(row->captured))
        snprintf(captured, sizeof captured, "%.0f %%", 100 * row->captured);
    snprintf(seconds, sizeof seconds, "%.3g / %.3g", row->seconds, row->reference_seconds);
    /* What some evaluations lack comes last but for seconds; a cell in between may be empty. */
    if (capped)
        table_row(table, row->group, HUMAN(count, row->problems), feasible, gain, interval, won,
                  seconds, captured, NULL);
    else
        table_row(table, row->group, HUMAN(count, row->problems), gain, interval, won, seconds,
                  captured, NULL);
}

static void add_titles(text_table *table, const char *budget, bool capped, bool known) {
    const char *captured = known ? "of best" : "";
    if (capped)
        table_row(table, budget, "problems", "feasible", "gain %", "95 % interval", "won",
                  "seconds", captured, NULL);
    else
        table_row(table, budget, "problems", "gain %", "95 % interval", "won", "seconds", captured,
                  NULL);
}

static bool begins_block(const regal_evaluation_row *row, const regal_evaluation_row *before) {
    return row->budget != before->budget || row->reference_budget != before->reference_budget;
}

void evaluate_table_print(const regal_evaluation *evaluation, FILE *file) {
    const regal_evaluation_facts facts = regal_evaluation_describe(evaluation);
    regal_evaluation_row row, before = {.budget = -1};
    text_table table = {0};
    bool known = false;
    for (int64_t i = 0; regal_evaluation_summary(evaluation, i, &row); i++)
        known = known || !isnan(row.captured);
    print_head(&facts, file);
    for (int64_t i = 0; regal_evaluation_summary(evaluation, i, &row); i++) {
        if (begins_block(&row, &before)) {
            char budget[CELL];
            describe_budget(&row, budget);
            if (i > 0)
                table_row(&table, "", NULL);
            add_titles(&table, budget, facts.capped, known);
        }
        add_row(&table, &row, facts.capped, known);
        before = row;
    }
    table_print(&table, file, 0);
}
