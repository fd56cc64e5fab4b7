#include "search/pace.h"

#include <math.h>

/* In so many seconds, or this share of the work's time, a difference fades to 1/e of its weight:
 * longer than the noise of a machine, short for the wait that is estimated. */
static const double FADE = 2, FADE_SHARE = 0.1;

/* Seconds that make a speed worth telling, and that the speed of other work counts for. */
static const double LEAST = 0.1;

regal_pace regal_pace_begin(double share, double seconds) {
    return (regal_pace){.begun = seconds, .share = share, .seconds = seconds};
}

void regal_pace_note(regal_pace *pace, double share, double seconds) {
    const double passed = seconds - pace->seconds;
    const double fade = exp(-passed / fmax(FADE, FADE_SHARE * (seconds - pace->begun)));
    pace->shares = fade * pace->shares + (share - pace->share);
    pace->spent = fade * pace->spent + passed;
    pace->share = share;
    pace->seconds = seconds;
}

void regal_pace_change(regal_pace *pace) {
    pace->begun = pace->seconds;
    if (pace->spent <= LEAST)
        return;
    pace->shares *= LEAST / pace->spent;
    pace->spent = LEAST;
}

double regal_pace_left(const regal_pace *pace) {
    if (pace->spent < LEAST || pace->shares <= 0)
        return -1;
    return (1 - pace->share) * pace->spent / pace->shares;
}
