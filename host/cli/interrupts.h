/* SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE and SIGXFSZ. A thread waits for the first four, so that
 * what they end may be ended in order: no signal leaves an unfinished file. */
#ifndef REGAL_CLI_INTERRUPTS_H
#define REGAL_CLI_INTERRUPTS_H

#include <stdbool.h>

enum { EXIT_INTERRUPTED = 4 };

/* To be called before there are other threads. A closed pipe and a full quota become failing
 * writes; SIGINT, SIGTERM and SIGHUP (unless ignored from the start) end the program with exit code
 * 4 unless a thread holds them; SIGQUIT ends it as ever, but for unfinished files. */
void interrupts_open(void);

/* While any thread holds interrupts the first signal is only remembered, and ends the program when
 * none does any more; a second signal ends it at once. Not nested; release before anything that may
 * last and has nothing to save. */
void interrupts_hold(void);
void interrupts_release(void);

/* What to do when a signal ends the program, instead of saying only `message`; finish (or NULL)
 * returns the exit code and runs while no thread can take a hold. */
void interrupts_on_end(const char *message, int (*finish)(void *context), void *context);

/* A signal has come. */
bool interrupted(void);

#endif
