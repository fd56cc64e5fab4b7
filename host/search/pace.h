/* How long a search will take, from its speed of late. */
#ifndef REGAL_SEARCH_PACE_H
#define REGAL_SEARCH_PACE_H

#ifdef __cplusplus
extern "C" {
#endif

/* Share of the work per second: means in which what is older counts for less. */
typedef struct regal_pace {
    double begun;          /* second at which work of this kind began */
    double share, seconds; /* at the last note */
    double shares, spent;  /* faded sums of the differences */
} regal_pace;

/* The work begins, or goes on, at a share of 0..1 and a second. */
regal_pace regal_pace_begin(double share, double seconds);

/* Share and second never go back. */
void regal_pace_note(regal_pace *pace, double share, double seconds);

/* Work of another kind begins: the speed so far counts for little. */
void regal_pace_change(regal_pace *pace);

/* Seconds until the share is 1; < 0 while too little is known. */
double regal_pace_left(const regal_pace *pace);

#ifdef __cplusplus
}
#endif

#endif
