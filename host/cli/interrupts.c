#include "cli/interrupts.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "regal/io.h"

static atomic_bool caught;
static _Thread_local bool holds;

static struct {
    pthread_mutex_t lock; /* over everything below */
    pthread_cond_t changed;
    int holders;
    const char *message;
    int (*finish)(void *context);
    void *context;
} state = {.lock = PTHREAD_MUTEX_INITIALIZER,
           .changed = PTHREAD_COND_INITIALIZER,
           .message = "interrupted"};

static const int waited_for[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
static sigset_t signals; /* those of them that are not ignored */
static pthread_once_t files_removed = PTHREAD_ONCE_INIT;

/* Lets the next signal end the program without asking. */
static void stop_catching(void) {
    for (size_t i = 0; i < sizeof waited_for / sizeof *waited_for; i++)
        if (sigismember(&signals, waited_for[i]) == 1)
            signal(waited_for[i], SIG_DFL);
    pthread_sigmask(SIG_UNBLOCK, &signals, NULL);
}

/* Runs with the lock held, for ever: whoever wants a hold now waits for the end. */
static _Noreturn void end_program(void) {
    pthread_once(&files_removed, regal_unfinished_files_remove);
    stop_catching();
    int code = EXIT_INTERRUPTED;
    if (state.finish) {
        code = state.finish(state.context);
    } else {
        char line[128];
        const int length = snprintf(line, sizeof line, "regal: %s\n", state.message);
        const ssize_t ignored = write(STDERR_FILENO, line, (size_t)length);
        (void)ignored;
    }
    _exit(code);
}

/* Waits until nobody holds interrupts, and ends the program. */
static void *wait_for_release(void *unused) {
    pthread_mutex_lock(&state.lock);
    while (state.holders > 0)
        pthread_cond_wait(&state.changed, &state.lock);
    end_program();
    return unused;
}

static void *wait_for_signals(void *unused) {
    int number;
    pthread_t waiter;
    if (sigwait(&signals, &number) != 0)
        return unused;
    if (number != SIGQUIT) {
        atomic_store(&caught, true);
        if (pthread_create(&waiter, NULL, wait_for_release, NULL) == 0)
            pthread_detach(waiter);
        if (sigwait(&signals, &number) != 0)
            return unused;
    }
    pthread_once(&files_removed, regal_unfinished_files_remove);
    stop_catching();
    kill(getpid(), number);
    return unused;
}

/* Who started us with a signal ignored (nohup, a background job) wants it so. */
static void add_unless_ignored(int number) {
    struct sigaction action;
    if (sigaction(number, NULL, &action) == 0 && action.sa_handler != SIG_IGN)
        sigaddset(&signals, number);
}

/* A thread without a hold need not give up: the program ends meanwhile, with its own last word. */
static bool interrupted_under_hold(void) {
    return holds && interrupted();
}

void interrupts_open(void) {
    pthread_t thread;
    sigset_t before;
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    regal_reading_stop_when(interrupted_under_hold);
    sigemptyset(&signals);
    for (size_t i = 0; i < sizeof waited_for / sizeof *waited_for; i++)
        add_unless_ignored(waited_for[i]);
    pthread_sigmask(SIG_BLOCK, &signals, &before);
    if (pthread_create(&thread, NULL, wait_for_signals, NULL) == 0)
        pthread_detach(thread);
    else
        pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void interrupts_hold(void) {
    pthread_mutex_lock(&state.lock);
    state.holders++;
    pthread_mutex_unlock(&state.lock);
    holds = true;
}

void interrupts_release(void) {
    holds = false;
    pthread_mutex_lock(&state.lock);
    if (--state.holders == 0)
        pthread_cond_signal(&state.changed);
    pthread_mutex_unlock(&state.lock);
}

void interrupts_on_end(const char *message, int (*finish)(void *context), void *context) {
    pthread_mutex_lock(&state.lock);
    state.message = message;
    state.finish = finish;
    state.context = context;
    pthread_mutex_unlock(&state.lock);
}

bool interrupted(void) {
    return atomic_load(&caught);
}
