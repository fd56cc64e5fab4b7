#include "cli/interrupts.h"

#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

static atomic_int deferred, caught; /* lock-free, hence fit for a signal handler */

void interrupts_ignore_pipe(void) {
    signal(SIGPIPE, SIG_IGN);
}

static void on_signal(int number) {
    static const char message[] = "regal: interrupted before a plan was found\n";
    (void)number;
    if (!atomic_load(&deferred)) {
        const ssize_t ignored = write(STDERR_FILENO, message, sizeof message - 1);
        (void)ignored;
        _exit(EXIT_INTERRUPTED);
    }
    atomic_store(&caught, 1);
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
}

static void catch_signal(int number) {
    struct sigaction action, before;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_signal;
    action.sa_flags = SA_RESTART;
    sigfillset(&action.sa_mask);
    /* Who started us with the signal ignored (nohup, a background job) wants it so. */
    if (sigaction(number, NULL, &before) == 0 && before.sa_handler == SIG_IGN)
        return;
    sigaction(number, &action, NULL);
}

void interrupts_catch(void) {
    catch_signal(SIGINT);
    catch_signal(SIGTERM);
}

void interrupts_defer(void) {
    atomic_store(&deferred, 1);
}

bool interrupted(void) {
    return atomic_load(&caught) != 0;
}
