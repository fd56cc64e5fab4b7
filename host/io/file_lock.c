#include "io/file_lock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"

enum { TRIES = 100 };

/* Whoever releases a lock removes its file: what was opened before then is nobody's lock. */
static bool is_still_there(int file, const char *path) {
    struct stat opened, named;
    return fstat(file, &opened) == 0 && stat(path, &named) == 0 && opened.st_dev == named.st_dev &&
           opened.st_ino == named.st_ino;
}

static regal_status refuse(int file, const char *path, const char *what) {
    char owner[64];
    const ssize_t size = pread(file, owner, sizeof owner - 1, 0);
    owner[size > 0 ? size : 0] = '\0';
    owner[strspn(owner, "0123456789")] = '\0';
    close(file);
    REGAL_FAIL(REGAL_INVALID_INPUT,
               "%s: %s is under way there%s%s; wait for its end, or name another file", path, what,
               *owner != '\0' ? ", process " : "", owner);
}

static void sign(int file) {
    char owner[32];
    const int size = snprintf(owner, sizeof owner, "%ld\n", (long)getpid());
    if (ftruncate(file, 0) != 0 || pwrite(file, owner, (size_t)size, 0) != size)
        return; /* the lock counts, not who is said to have it */
}

static regal_status take(const char *path, const char *what, regal_file_lock *lock) {
    for (int i = 0; i < TRIES; ++i) {
        const int file = open(lock->path, O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0666);
        REGAL_FAIL_IF(file < 0, REGAL_OUTPUT_FAILED, "%s: cannot write: %s", lock->path,
                      strerror(errno));
        if (flock(file, LOCK_EX | LOCK_NB) != 0) {
            if (errno == EWOULDBLOCK)
                return refuse(file, path, what);
        } else if (!is_still_there(file, lock->path)) {
            close(file);
            continue;
        }
        sign(file);
        lock->file = file;
        return REGAL_OK;
    }
    REGAL_FAIL(REGAL_OUTPUT_FAILED, "%s: it is removed again and again", lock->path);
}

regal_status regal_file_lock_take(const char *path, const char *what, regal_file_lock *lock) {
    struct stat about;
    *lock = (regal_file_lock){0};
    if (stat(path, &about) == 0 && !S_ISREG(about.st_mode))
        return REGAL_OK;
    if (asprintf(&lock->path, "%s.lock", path) < 0)
        lock->path = NULL;
    REGAL_FAIL_IF_NULL(lock->path);
    const regal_status status = take(path, what, lock);
    if (status != REGAL_OK) {
        free(lock->path);
        lock->path = NULL;
    }
    return status;
}

void regal_file_lock_release(regal_file_lock *lock) {
    if (lock->path == NULL)
        return;
    unlink(lock->path);
    close(lock->file);
    free(lock->path);
    *lock = (regal_file_lock){0};
}
