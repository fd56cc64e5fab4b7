#include "cli/progress.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "cli/console.h"
#include "cli/human_units.h"
#include "cli/interrupts.h"
#include "cli/plain_text.h"

enum { LINE = 512, FIELD = 128, SEPARATOR = 2, WIDEST_BAR = 30, NARROWEST_BAR = 8, AROUND_BAR = 3 };
/* Seconds. A log of a long run stays short: plain lines come at growing distances. */
static const double LIVE_INTERVAL = 0.1, FIRST_PLAIN = 1, PLAIN_INTERVAL = 5, PLAIN_GROWTH = 0.05;

/* A part of the line that is shown whole or not at all. */
typedef struct field {
    char text[FIELD]; /* "": nothing to show */
    int worth;        /* where the line is too narrow, the least goes first */
} field;

double progress_clock(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

void progress_begin(progress_meter *meter) {
    meter->begun_at = meter->shown_at = progress_clock();
    meter->told = meter->shown = meter->best_is_excess = false;
    spark_clear(&meter->best);
}

static double interval_at(const progress_meter *meter, double time) {
    if (console_is_live())
        return LIVE_INTERVAL;
    if (!meter->shown)
        return FIRST_PLAIN;
    return fmax(PLAIN_INTERVAL, PLAIN_GROWTH * (time - meter->begun_at));
}

bool progress_is_due(progress_meter *meter) {
    const double time = progress_clock();
    if (console_is_quiet() || time - meter->shown_at < interval_at(meter, time))
        return false;
    meter->shown_at = time;
    meter->shown = true;
    return true;
}

/* "[#####.....] " within `room` columns, or nothing where it would be too narrow; the columns that
 * it takes. */
static size_t draw_bar(double share, size_t room, char *bar, size_t size) {
    bar[0] = '\0';
    if (room < NARROWEST_BAR + AROUND_BAR)
        return 0;
    const int width = room - AROUND_BAR > WIDEST_BAR ? WIDEST_BAR : (int)room - AROUND_BAR;
    share = share > 0 ? fmin(share, 1) : 0;
    const int filled = (int)(share * width + 0.5);
    char cells[WIDEST_BAR + 1];
    memset(cells, '#', (size_t)filled);
    memset(cells + filled, '.', (size_t)(width - filled));
    cells[width] = '\0';
    const bool colour = console_has_colour();
    snprintf(bar, size, "[%s%.*s%s%s] ", colour ? "\033[36m" : "", filled, cells,
             colour ? "\033[0m" : "", cells + filled);
    return (size_t)width + AROUND_BAR;
}

static size_t joined_length(const field *fields, int count) {
    size_t length = 0;
    for (int i = 0; i < count; i++)
        if (fields[i].text[0] != '\0')
            length += plain_text_columns(fields[i].text) + (length > 0) * SEPARATOR;
    return length;
}

/* Empties fields, those worth least first, until the others fit. */
static void drop_fields(field *fields, int count, size_t room) {
    while (joined_length(fields, count) > room) {
        field *least = NULL;
        for (int i = 0; i < count; i++)
            if (fields[i].text[0] != '\0' && (!least || fields[i].worth < least->worth))
                least = &fields[i];
        least->text[0] = '\0';
    }
}

static void join_fields(const field *fields, int count, char *text, size_t size) {
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; i < count && used < size; i++)
        if (fields[i].text[0] != '\0')
            used += (size_t)snprintf(text + used, size - used, "%*s%s", used > 0 ? SEPARATOR : 0,
                                     "", fields[i].text);
}

/* `spark`, one of the fields or NULL, stays only where there is room for a bar beside it. */
static void show(double share, field *fields, int count, field *spark) {
    char bar[LINE], text[LINE];
    const bool live = console_is_live();
    const size_t width = live ? console_width() - 1 : LINE - 1;
    if (spark && joined_length(fields, count) + NARROWEST_BAR + AROUND_BAR > width)
        spark->text[0] = '\0';
    drop_fields(fields, count, width);
    join_fields(fields, count, text, sizeof text);
    if (live) {
        const size_t taken = draw_bar(share, width - plain_text_columns(text), bar, sizeof bar);
        console_status_after(bar, taken, text);
    } else {
        console_plain("%s", text);
    }
}

static void describe_left(double seconds, field *left) {
    if (seconds >= 0)
        snprintf(left->text, sizeof left->text, "%s left", HUMAN(seconds, seconds));
}

/* How far the best is from the bound: a share while that says something. */
static void describe_gap(const regal_progress *progress, field *gap) {
    const double ratio = (double)progress->value / (double)progress->bound;
    if (progress->bound <= 0 || ratio < 1)
        return;
    if (ratio < 3)
        snprintf(gap->text, sizeof gap->text, "gap %s", HUMAN(percent, ratio - 1));
    else
        snprintf(gap->text, sizeof gap->text, "%.3g x bound", ratio);
}

static const char *describe_value(regal_objective objective, int64_t value, char *text) {
    if (value < 0)
        return "-";
    return objective == REGAL_TIME ? human_ticks(value, text) : human_bytes(value, text);
}

/* What the best is has to be one thing all along: bytes above the caps, or the value itself. */
static void note_best(progress_meter *meter, const regal_progress *progress) {
    if (progress->value < 0)
        return;
    const bool is_excess = progress->excess > 0;
    if (is_excess != meter->best_is_excess)
        spark_clear(&meter->best);
    meter->best_is_excess = is_excess;
    spark_add(&meter->best, progress->seconds, is_excess ? progress->excess : progress->value);
}

/* "brkga 17": the generation of the genetic algorithm, the round of the chains. */
static void describe_stage(const regal_progress *progress, field *stage) {
    const int64_t number = strcmp(progress->stage, "brkga") == 0 ? progress->generation
                           : progress->rounds > 0                ? progress->rounds
                                                                 : 0;
    snprintf(stage->text, sizeof stage->text, "%s%s%s", progress->stage, number > 0 ? " " : "",
             number > 0 ? HUMAN(count, number) : "");
}

void progress_search(progress_meter *meter, regal_objective objective,
                     const regal_progress *progress) {
    if (interrupted() && !meter->told) {
        meter->told = true;
        console_note("stopping with the best plan so far; another signal ends at once");
    }
    note_best(meter, progress);
    if (!progress_is_due(meter))
        return;
    enum { SHARE, STAGE, BEST, SPARK, BOUND, GAP, EXCESS, RATE, LEFT, FIELDS };
    field fields[FIELDS] = {[SPARK] = {.worth = 0}, [RATE] = {.worth = 1},   [BOUND] = {.worth = 2},
                            [GAP] = {.worth = 3},   [STAGE] = {.worth = 4},  [LEFT] = {.worth = 5},
                            [SHARE] = {.worth = 6}, [EXCESS] = {.worth = 7}, [BEST] = {.worth = 8}};
    const double seconds = progress->seconds > 0 ? progress->seconds : 1e-9;
    snprintf(fields[SHARE].text, FIELD, "%3.0f %%", 100 * progress->share);
    describe_stage(progress, &fields[STAGE]);
    snprintf(fields[BEST].text, FIELD, "best %s",
             describe_value(objective, progress->value, (char[HUMAN_TEXT]){0}));
    if (console_has_blocks())
        spark_draw(&meter->best, fields[SPARK].text);
    snprintf(fields[BOUND].text, FIELD, "bound %s",
             describe_value(objective, progress->bound, (char[HUMAN_TEXT]){0}));
    describe_gap(progress, &fields[GAP]);
    if (progress->value >= 0 && progress->excess > 0)
        snprintf(fields[EXCESS].text, FIELD, "%s over the caps", HUMAN(bytes, progress->excess));
    snprintf(fields[RATE].text, FIELD, "%s", HUMAN(rate, (double)progress->evaluations / seconds));
    describe_left(progress->seconds_left, &fields[LEFT]);
    show(progress->share, fields, FIELDS, &fields[SPARK]);
}

void progress_batch(int64_t finished, int64_t failed, int64_t count, double seconds_left) {
    enum { COUNT, FAILED, LEFT, FIELDS };
    field fields[FIELDS] = {[LEFT] = {.worth = 0}, [FAILED] = {.worth = 1}, [COUNT] = {.worth = 2}};
    snprintf(fields[COUNT].text, FIELD, "%s of %s", HUMAN(count, finished),
             HUMAN(things, count, "graph"));
    if (failed > 0)
        snprintf(fields[FAILED].text, FIELD, "%s failed", HUMAN(count, failed));
    describe_left(seconds_left, &fields[LEFT]);
    show((double)finished / (double)count, fields, FIELDS, NULL);
}

void progress_end(progress_meter *meter) {
    (void)meter;
    console_status_end();
}
