#include "cli/progress.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "cli/console.h"
#include "cli/human_units.h"
#include "cli/interrupts.h"

enum { LINE = 512, WIDEST_BAR = 30, NARROWEST_BAR = 8 };
/* Seconds. A log of a long run stays short: plain lines come at growing distances. */
static const double LIVE_INTERVAL = 0.1, PLAIN_INTERVAL = 5, PLAIN_GROWTH = 0.05;

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

void progress_begin(progress_meter *meter) {
    meter->begun_at = meter->shown_at = now();
    meter->told = false;
}

static bool is_due(progress_meter *meter) {
    const double time = now();
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

static void show(double share, const char *text) {
    if (!console_is_live()) {
        console_plain("%s", text);
        return;
    }
    char bar[LINE], line[2 * LINE];
    const size_t width = console_width() - 1;
    const size_t length = strlen(text);
    share = share < 0 ? 0 : share > 1 ? 1 : share;
    draw_bar(share, width > length ? width - length : 0, bar, sizeof bar);
    snprintf(line, sizeof line, "%s%.*s", bar, (int)(length < width ? length : width), text);
    console_status(line);
}

static void describe_left(double seconds, char *text, size_t size) {
    text[0] = '\0';
    if (seconds >= 0)
        snprintf(text, size, "  %s left", HUMAN(seconds, seconds));
}

/* How far the best is from the bound: a share while that says something. */
static void describe_gap(const regal_progress *progress, char *text, size_t size) {
    const double ratio = (double)progress->value / (double)progress->bound;
    if (progress->bound <= 0 || ratio < 1)
        text[0] = '\0';
    else if (ratio < 3)
        snprintf(text, size, "  gap %s", HUMAN(percent, ratio - 1));
    else
        snprintf(text, size, "  %.3g x bound", ratio);
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
    if (!is_due(meter))
        return;
    char text[LINE], left[64], gap[64], excess[64] = "";
    describe_left(progress->seconds_left, left, sizeof left);
    describe_gap(progress, gap, sizeof gap);
    if (progress->value >= 0 && progress->excess > 0)
        snprintf(excess, sizeof excess, "  %s over the caps", HUMAN(bytes, progress->excess));
    const double seconds = progress->seconds > 0 ? progress->seconds : 1e-9;
    snprintf(text, sizeof text, "%3.0f %%  best %s  bound %s%s%s  %s%s", 100 * progress->share,
             describe_value(objective, progress->value, (char[HUMAN_TEXT]){0}),
             describe_value(objective, progress->bound, (char[HUMAN_TEXT]){0}), gap, excess,
             HUMAN(rate, (double)progress->evaluations / seconds), left);
    show(progress->share, text);
}

void progress_batch(progress_meter *meter, int64_t done, int64_t failed, int64_t count) {
    if (!is_due(meter))
        return;
    char text[LINE], left[64], failures[64] = "";
    const double elapsed = now() - meter->begun_at;
    describe_left(done > 0 ? elapsed / (double)done * (double)(count - done) : -1, left,
                  sizeof left);
    if (failed > 0)
        snprintf(failures, sizeof failures, ", %" PRId64 " failed", failed);
    snprintf(text, sizeof text, "%s of %s%s%s", HUMAN(count, done), HUMAN(things, count, "graph"),
             failures, left);
    show((double)done / (double)count, text);
}

void progress_end(progress_meter *meter) {
    (void)meter;
    console_status_end();
}
