#include "cli/progress.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "cli/console.h"
#include "cli/human_units.h"
#include "cli/interrupts.h"

enum { LINE = 512, FIELD = 128, SEPARATOR = 2, WIDEST_BAR = 30, NARROWEST_BAR = 8 };
/* Seconds. A log of a long run stays short: plain lines come at growing distances. */
static const double LIVE_INTERVAL = 0.1, PLAIN_INTERVAL = 5, PLAIN_GROWTH = 0.05;

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
    meter->told = false;
}

bool progress_is_due(progress_meter *meter) {
    const double time = progress_clock();
    const double interval = console_is_live()
                                ? LIVE_INTERVAL
                                : fmax(PLAIN_INTERVAL, PLAIN_GROWTH * (time - meter->begun_at));
    if (console_is_quiet() || time - meter->shown_at < interval)
        return false;
    meter->shown_at = time;
    return true;
}

/* "[#####.....] " of the given width, or nothing where it would be too narrow. */
static void draw_bar(double share, size_t room, char *bar, size_t size) {
    bar[0] = '\0';
    if (room < NARROWEST_BAR + 3)
        return;
    const int width = room - 3 > WIDEST_BAR ? WIDEST_BAR : (int)room - 3;
    const int filled = (int)(share * width + 0.5);
    char cells[WIDEST_BAR + 1];
    memset(cells, '#', (size_t)filled);
    memset(cells + filled, '.', (size_t)(width - filled));
    cells[width] = '\0';
    const bool colour = console_has_colour();
    snprintf(bar, size, "[%s%.*s%s%s] ", colour ? "\033[36m" : "", filled, cells,
             colour ? "\033[0m" : "", cells + filled);
}

static size_t joined_length(const field *fields, int count) {
    size_t length = 0;
    for (int i = 0; i < count; i++)
        if (fields[i].text[0] != '\0')
            length += strlen(fields[i].text) + (length > 0) * SEPARATOR;
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

static void show(double share, field *fields, int count) {
    char bar[LINE], text[LINE], line[2 * LINE];
    const size_t width = console_is_live() ? console_width() - 1 : LINE - 1;
    drop_fields(fields, count, width);
    join_fields(fields, count, text, sizeof text);
    if (!console_is_live()) {
        console_plain("%s", text);
        return;
    }
    share = share < 0 ? 0 : share > 1 ? 1 : share;
    draw_bar(share, width - strlen(text), bar, sizeof bar);
    snprintf(line, sizeof line, "%s%s", bar, text);
    console_status(line);
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

void progress_search(progress_meter *meter, regal_objective objective,
                     const regal_progress *progress) {
    if (interrupted() && !meter->told) {
        meter->told = true;
        console_note("stopping with the best plan so far; another signal ends at once");
    }
    if (!progress_is_due(meter))
        return;
    enum { SHARE, STAGE, BEST, BOUND, GAP, EXCESS, RATE, LEFT, FIELDS };
    field fields[FIELDS] = {[RATE] = {.worth = 0},   [BOUND] = {.worth = 1}, [GAP] = {.worth = 2},
                            [STAGE] = {.worth = 3},  [LEFT] = {.worth = 4},  [SHARE] = {.worth = 5},
                            [EXCESS] = {.worth = 6}, [BEST] = {.worth = 7}};
    const double seconds = progress->seconds > 0 ? progress->seconds : 1e-9;
    snprintf(fields[SHARE].text, FIELD, "%3.0f %%", 100 * progress->share);
    snprintf(fields[STAGE].text, FIELD, "%s", progress->stage);
    snprintf(fields[BEST].text, FIELD, "best %s",
             describe_value(objective, progress->value, (char[HUMAN_TEXT]){0}));
    snprintf(fields[BOUND].text, FIELD, "bound %s",
             describe_value(objective, progress->bound, (char[HUMAN_TEXT]){0}));
    describe_gap(progress, &fields[GAP]);
    if (progress->value >= 0 && progress->excess > 0)
        snprintf(fields[EXCESS].text, FIELD, "%s over the caps", HUMAN(bytes, progress->excess));
    snprintf(fields[RATE].text, FIELD, "%s", HUMAN(rate, (double)progress->evaluations / seconds));
    describe_left(progress->seconds_left, &fields[LEFT]);
    show(progress->share, fields, FIELDS);
}

void progress_batch(int64_t finished, int64_t failed, int64_t count, double seconds_left) {
    enum { COUNT, FAILED, LEFT, FIELDS };
    field fields[FIELDS] = {[LEFT] = {.worth = 0}, [FAILED] = {.worth = 1}, [COUNT] = {.worth = 2}};
    snprintf(fields[COUNT].text, FIELD, "%s of %s", HUMAN(count, finished),
             HUMAN(things, count, "graph"));
    if (failed > 0)
        snprintf(fields[FAILED].text, FIELD, "%s failed", HUMAN(count, failed));
    describe_left(seconds_left, &fields[LEFT]);
    show((double)finished / (double)count, fields, FIELDS);
}

void progress_end(progress_meter *meter) {
    (void)meter;
    console_status_end();
}
