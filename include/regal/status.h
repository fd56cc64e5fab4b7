#ifndef REGAL_STATUS_H
#define REGAL_STATUS_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One list makes the enum, the names and the exit codes of the command line:
 * X(name, exit code, meaning). */
#define REGAL_STATUS_LIST(X)                                                          \
    X(REGAL_OK, 0, "done")                                                            \
    X(REGAL_INVALID_ARGUMENT, 2, "a wrong option or argument")                        \
    X(REGAL_INVALID_INPUT, 2, "a file or graph that cannot be read or breaks a rule") \
    X(REGAL_INFEASIBLE, 3, "no plan can satisfy the constraints")                     \
    X(REGAL_OUT_OF_MEMORY, 1, "memory ran out")                                       \
    X(REGAL_OUTPUT_FAILED, 1, "an output could not be written")                       \
    X(REGAL_UNAVAILABLE, 1, "this build or machine lacks what was asked for")         \
    X(REGAL_INTERNAL, 1, "a fault in REGAL itself: please report it")                 \
    X(REGAL_INTERRUPTED, 4, "the caller asked to stop before there was a result")

typedef enum regal_status {
#define REGAL_STATUS_ENUM(name, exit_code, meaning) name,
    REGAL_STATUS_LIST(REGAL_STATUS_ENUM)
#undef REGAL_STATUS_ENUM
} regal_status;

/* "REGAL_OK", ... ; never NULL. */
const char *regal_status_name(regal_status status);

/* The exit code of the command line for this status. */
int regal_status_exit_code(regal_status status);

/* What the last failing call of this thread said: one line, no newline at its end. Never NULL. */
const char *regal_error_message(void);

/* Where in REGAL's source that failure arose ("file.c:123"), for bug reports. Never NULL. */
const char *regal_error_location(void);

/* For messages about words that are unknown: the candidate closest to `word` by edit distance, or
 * NULL where none is close. candidate(i, context) is NULL past the last. */
typedef const char *regal_word_list(size_t index, void *context);
const char *regal_nearest_word(const char *word, regal_word_list *candidate, void *context);

/* Warnings (an unknown key, a loop of unknown trip count, ...) go to this thread's handler; without
 * one they are dropped. The message is one line and valid during the call only. */
typedef void regal_warning_handler(const char *message, void *context);
void regal_warning_handler_set(regal_warning_handler *handler, void *context);

#ifdef __cplusplus
}
#endif
#endif
