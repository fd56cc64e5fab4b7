#include "base/thread_pool.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/memory.h"

/* How often a waiting thread looks for work before it sleeps: a loop of a few microseconds follows
 * the last one at once, and waking a sleeper costs more than that. */
enum { SPINS = 2000 };

typedef struct worker_start {
    regal_thread_pool *pool;
    int64_t worker;
    pthread_t thread;
} worker_start;

struct regal_thread_pool {
    int64_t threads, started;
    worker_start *workers; /* [threads]; 0, the caller, is unused */

    pthread_mutex_t lock;
    pthread_cond_t work, done;
    atomic_uint_fast64_t loop; /* counts loops: a new number is work */
    atomic_bool quit;

    regal_loop_body *body;
    void *context;
    int64_t count;
    atomic_int_fast64_t next;    /* index not yet taken */
    atomic_int_fast64_t working; /* workers that have not finished this loop */
};

int64_t regal_processor_count(void) {
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0)
        return CPU_COUNT(&set);
    return 1;
}

static void run_items(regal_thread_pool *pool, int64_t worker) {
    for (;;) {
        const int64_t index = atomic_fetch_add_explicit(&pool->next, 1, memory_order_relaxed);
        if (index >= pool->count)
            return;
        pool->body(pool->context, index, worker);
    }
}

static void pause_briefly(void) {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

/* Waits until a loop after `seen` begins; returns its number. */
static uint64_t await_loop(regal_thread_pool *pool, uint64_t seen) {
    for (int i = 0; i < SPINS; ++i) {
        const uint64_t loop = atomic_load_explicit(&pool->loop, memory_order_acquire);
        if (loop != seen)
            return loop;
        pause_briefly();
    }
    pthread_mutex_lock(&pool->lock);
    uint64_t loop;
    while ((loop = atomic_load_explicit(&pool->loop, memory_order_acquire)) == seen)
        pthread_cond_wait(&pool->work, &pool->lock);
    pthread_mutex_unlock(&pool->lock);
    return loop;
}

static void *serve(void *argument) {
    const worker_start *self = argument;
    regal_thread_pool *pool = self->pool;
    uint64_t seen = 0;
    for (;;) {
        seen = await_loop(pool, seen);
        if (atomic_load(&pool->quit))
            return NULL;
        run_items(pool, self->worker);
        if (atomic_fetch_sub_explicit(&pool->working, 1, memory_order_acq_rel) == 1) {
            pthread_mutex_lock(&pool->lock);
            pthread_cond_signal(&pool->done);
            pthread_mutex_unlock(&pool->lock);
        }
    }
}

static void announce_loop(regal_thread_pool *pool) {
    pthread_mutex_lock(&pool->lock);
    atomic_fetch_add_explicit(&pool->loop, 1, memory_order_release);
    pthread_cond_broadcast(&pool->work);
    pthread_mutex_unlock(&pool->lock);
}

static void await_workers(regal_thread_pool *pool) {
    for (int i = 0; i < SPINS; ++i) {
        if (atomic_load_explicit(&pool->working, memory_order_acquire) == 0)
            return;
        pause_briefly();
    }
    pthread_mutex_lock(&pool->lock);
    while (atomic_load_explicit(&pool->working, memory_order_acquire) != 0)
        pthread_cond_wait(&pool->done, &pool->lock);
    pthread_mutex_unlock(&pool->lock);
}

void regal_thread_pool_run(regal_thread_pool *pool, int64_t count, regal_loop_body *body,
                           void *context) {
    if (pool->threads == 1 || count <= 1) {
        for (int64_t i = 0; i < count; ++i)
            body(context, i, 0);
        return;
    }
    pool->body = body;
    pool->context = context;
    pool->count = count;
    atomic_store_explicit(&pool->next, 0, memory_order_relaxed);
    atomic_store_explicit(&pool->working, pool->threads - 1, memory_order_relaxed);
    announce_loop(pool);
    run_items(pool, 0);
    await_workers(pool);
}

regal_status regal_thread_pool_create(int64_t threads, regal_thread_pool **pool) {
    *pool = NULL;
    regal_thread_pool *made = regal_allocate_zeroed(1, sizeof *made);
    REGAL_FAIL_IF_NULL(made);
    made->threads = threads > 0 ? threads : regal_processor_count();
    made->workers = regal_allocate_zeroed(made->threads, sizeof *made->workers);
    pthread_mutex_init(&made->lock, NULL);
    pthread_cond_init(&made->work, NULL);
    pthread_cond_init(&made->done, NULL);
    int error = made->workers == NULL;
    for (int64_t i = 1; error == 0 && i < made->threads; ++i) {
        made->workers[i] = (worker_start){.pool = made, .worker = i};
        error = pthread_create(&made->workers[i].thread, NULL, serve, &made->workers[i]);
        made->started += error == 0;
    }
    if (error != 0)
        regal_thread_pool_destroy(made);
    else
        *pool = made;
    REGAL_FAIL_IF(error != 0, REGAL_OUT_OF_MEMORY, "%lld threads could not be started",
                  (long long)threads);
    return REGAL_OK;
}

void regal_thread_pool_destroy(regal_thread_pool *pool) {
    if (pool == NULL)
        return;
    atomic_store(&pool->quit, true);
    announce_loop(pool);
    for (int64_t i = 1; i <= pool->started; ++i)
        pthread_join(pool->workers[i].thread, NULL);
    pthread_cond_destroy(&pool->work);
    pthread_cond_destroy(&pool->done);
    pthread_mutex_destroy(&pool->lock);
    free(pool->workers);
    free(pool);
}

int64_t regal_thread_pool_size(const regal_thread_pool *pool) {
    return pool->threads;
}
