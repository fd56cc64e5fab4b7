/* Error flow: a failing function records what happened for regal_error_message() and returns a
 * status; callers forward it. */
#ifndef REGAL_BASE_ERROR_H
#define REGAL_BASE_ERROR_H

#include "regal/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Records message and place for this thread and returns status. */
regal_status regal_error_set(regal_status status, const char *file, int line, const char *format,
                             ...) __attribute__((format(printf, 4, 5)));

/* Puts "prefix: " before this thread's message and returns status. */
regal_status regal_error_prefix(regal_status status, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Sends a warning to this thread's handler. */
void regal_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Returns the status itself rather than what regal_error_set returns, so that the compiler sees
 * that a failure is not REGAL_OK. */
#define REGAL_FAIL(status, ...)                                     \
    do {                                                            \
        regal_error_set((status), __FILE__, __LINE__, __VA_ARGS__); \
        return (status);                                            \
    } while (0)

#define REGAL_FAIL_IF(condition, status, ...) \
    do {                                      \
        if (condition)                        \
            REGAL_FAIL(status, __VA_ARGS__);  \
    } while (0)

/* Returns from the caller if expression is not REGAL_OK. */
#define REGAL_FORWARD(expression)                           \
    do {                                                    \
        const regal_status forwarded_status = (expression); \
        if (forwarded_status != REGAL_OK)                   \
            return forwarded_status;                        \
    } while (0)

#define REGAL_FAIL_IF_NULL(pointer) \
    REGAL_FAIL_IF((pointer) == NULL, REGAL_OUT_OF_MEMORY, "memory ran out")

#ifdef __cplusplus
}
#endif
#endif
