#ifndef REGAL_BASE_CLOCK_H
#define REGAL_BASE_CLOCK_H

#ifdef __cplusplus
extern "C" {
#endif

/* Seconds since some moment in the past; never goes back. */
double regal_clock(void);

#ifdef __cplusplus
}
#endif
#endif
