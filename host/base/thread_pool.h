/* A pool of threads that runs loops. The calling thread takes part. */
#ifndef REGAL_BASE_THREAD_POOL_H
#define REGAL_BASE_THREAD_POOL_H

#include <stdint.h>

#include "regal/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct regal_thread_pool regal_thread_pool;

/* One item of a loop. worker: 0 .. threads - 1, never in use twice at a time. */
typedef void regal_loop_body(void *context, int64_t index, int64_t worker);

/* Processors that this process may use. */
int64_t regal_processor_count(void);

/* threads 0: one for each processor. */
regal_status regal_thread_pool_create(int64_t threads, regal_thread_pool **pool);
void regal_thread_pool_destroy(regal_thread_pool *pool);
int64_t regal_thread_pool_size(const regal_thread_pool *pool);

/* Runs body for every index in [0, count), in any order, and returns when all are done. */
void regal_thread_pool_run(regal_thread_pool *pool, int64_t count, regal_loop_body *body,
                           void *context);

#ifdef __cplusplus
}
#endif
#endif
