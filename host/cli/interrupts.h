/* SIGINT, SIGTERM and SIGPIPE. */
#ifndef REGAL_CLI_INTERRUPTS_H
#define REGAL_CLI_INTERRUPTS_H

#include <stdbool.h>

enum { EXIT_INTERRUPTED = 4 };

/* A closed pipe becomes a failing write. */
void interrupts_ignore_pipe(void);

/* From now on SIGINT and SIGTERM end the program with exit code 4: there is nothing to save. */
void interrupts_catch(void);

/* From now on the first signal is only remembered; a second one ends the program at once. */
void interrupts_defer(void);

bool interrupted(void);

#endif
