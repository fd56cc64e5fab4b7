/* Files out, whole or not at all: written beside their place under a name of their own, then
 * renamed. What is no regular file (a device, a pipe) is written directly. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "io/file.h"
#include "regal/io.h"

enum { GREATEST_CALL = 1 << 30, GREATEST_LINKS = 40, NAME_TRIES = 100, NAME_ROOM = 64 };

static regal_status write_failed(const char *label, const char *what, int error) {
    REGAL_FAIL(REGAL_OUTPUT_FAILED, "%s: %s: %s", label, what, strerror(error));
}

static regal_status write_all(int file, const char *label, const char *data, size_t size) {
    while (size > 0) {
        const ssize_t count = write(file, data, size < GREATEST_CALL ? size : GREATEST_CALL);
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return write_failed(label, "cannot write", errno);
        data += count;
        size -= (size_t)count;
    }
    return REGAL_OK;
}

static regal_status write_and_close(int file, const char *label, const char *data, size_t size) {
    const regal_status status = write_all(file, label, data, size);
    if (close(file) != 0 && errno != EINTR && status == REGAL_OK)
        return write_failed(label, "cannot write", errno);
    return status;
}

static regal_status write_directly(const char *path, const char *data, size_t size) {
    const int file = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
    if (file < 0)
        return write_failed(path, "cannot write", errno);
    return write_and_close(file, path, data, size);
}

/* The standard stream that a path such as /dev/stdout stands for, or -1. A rename would take the
 * file from under the stream's other writers. */
static int standard_stream(const struct stat *about) {
    for (int file = STDOUT_FILENO; file <= STDERR_FILENO; ++file) {
        struct stat stream;
        if (fstat(file, &stream) == 0 && stream.st_dev == about->st_dev &&
            stream.st_ino == about->st_ino)
            return file;
    }
    return -1;
}

/* Replaces *path (malloc'ed) by what it links to, link by link; the last may not exist yet. */
static regal_status follow_links(char **path, const char *label) {
    for (int i = 0; i < GREATEST_LINKS; ++i) {
        char target[PATH_MAX];
        const ssize_t length = readlink(*path, target, sizeof target - 1);
        if (length < 0)
            return REGAL_OK;
        target[length] = '\0';
        const char *slash = strrchr(*path, '/');
        const size_t folder = target[0] == '/' || slash == NULL ? 0 : (size_t)(slash - *path) + 1;
        char *next = malloc(folder + (size_t)length + 1);
        REGAL_FAIL_IF_NULL(next);
        memcpy(next, *path, folder);
        memcpy(next + folder, target, (size_t)length + 1);
        free(*path);
        *path = next;
    }
    return write_failed(label, "cannot write", ELOOP);
}

/* The files that are being written under names of their own. */
typedef struct unfinished_file {
    const char *name;
    struct unfinished_file *next, **link;
} unfinished_file;

static unfinished_file *first_unfinished;
static pthread_mutex_t unfinished_lock = PTHREAD_MUTEX_INITIALIZER;

static void list_unfinished(unfinished_file *entry) {
    entry->next = first_unfinished;
    entry->link = &first_unfinished;
    if (entry->next != NULL)
        entry->next->link = &entry->next;
    first_unfinished = entry;
}

static void unlist_unfinished(unfinished_file *entry) {
    pthread_mutex_lock(&unfinished_lock);
    *entry->link = entry->next;
    if (entry->next != NULL)
        entry->next->link = entry->link;
    pthread_mutex_unlock(&unfinished_lock);
}

void regal_unfinished_files_remove(void) {
    /* Never unlocked: nothing new is begun. */
    pthread_mutex_lock(&unfinished_lock);
    for (const unfinished_file *entry = first_unfinished; entry != NULL; entry = entry->next)
        unlink(entry->name);
}

/* Opens a new file in the folder of `target`; its name goes to `name` (room for NAME_ROOM more
 * characters than target). An open file, or -1 with errno. */
static int open_beside(const char *target, char *name) {
    static _Atomic unsigned counter;
    const char *slash = strrchr(target, '/');
    const size_t folder = slash != NULL ? (size_t)(slash - target) + 1 : 0;
    memcpy(name, target, folder);
    for (int i = 0; i < NAME_TRIES; ++i) {
        struct timespec now;
        clock_gettime(CLOCK_REALTIME, &now);
        snprintf(name + folder, NAME_ROOM, ".regal-%ld-%u-%lx.tmp", (long)getpid(),
                 atomic_fetch_add(&counter, 1), (unsigned long)now.tv_nsec);
        const int file = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (file >= 0 || errno != EEXIST)
            return file;
    }
    return -1;
}

/* open_beside, with the file listed where it could be opened. */
static int open_listed(const char *target, char *name, unfinished_file *entry) {
    pthread_mutex_lock(&unfinished_lock);
    const int file = open_beside(target, name);
    const int error = errno;
    entry->name = name;
    if (file >= 0)
        list_unfinished(entry);
    pthread_mutex_unlock(&unfinished_lock);
    errno = error;
    return file;
}

/* Gives the new file the owner, where that is allowed, and the permissions of the old one. */
static int keep_permissions(int file, const struct stat *old) {
    mode_t mode = old->st_mode & 0777;
    if (fchown(file, old->st_uid, old->st_gid) != 0 && fchown(file, (uid_t)-1, old->st_gid) != 0)
        mode &= (mode_t) ~(mode_t)S_IRWXG; /* the group is another one */
    return fchmod(file, mode);
}

/* old: what is at target now, or NULL. */
static regal_status write_and_rename(const char *target, const struct stat *old, const char *label,
                                     const char *data, size_t size) {
    if (old != NULL && faccessat(AT_FDCWD, target, W_OK, AT_EACCESS) != 0)
        return write_failed(label, "cannot write", errno);
    char *name = malloc(strlen(target) + NAME_ROOM);
    REGAL_FAIL_IF_NULL(name);
    unfinished_file entry;
    const int file = open_listed(target, name, &entry);
    if (file < 0) {
        const int error = errno;
        free(name);
        return write_failed(label, "cannot create a file in its folder", error);
    }
    regal_status status = REGAL_OK;
    if (old != NULL && keep_permissions(file, old) != 0) {
        status = write_failed(label, "cannot set its permissions", errno);
        close(file);
    } else {
        status = write_and_close(file, label, data, size);
    }
    if (status == REGAL_OK && rename(name, target) != 0)
        status = write_failed(label, "cannot create", errno);
    if (status != REGAL_OK)
        unlink(name);
    unlist_unfinished(&entry);
    free(name);
    return status;
}

static regal_status replace_file(const char *path, const struct stat *old, const char *data,
                                 size_t size) {
    char *target = strdup(path);
    REGAL_FAIL_IF_NULL(target);
    regal_status status = follow_links(&target, path);
    if (status == REGAL_OK)
        status = write_and_rename(target, old, path, data, size);
    free(target);
    return status;
}

regal_status regal_file_write(const char *path, const char *data, size_t size) {
    if (strcmp(path, "-") == 0)
        return write_all(STDOUT_FILENO, "<stdout>", data, size);
    REGAL_FAIL_IF(path[0] == '\0', REGAL_OUTPUT_FAILED, "cannot write: the file name is empty");
    struct stat about;
    if (stat(path, &about) != 0) {
        if (errno != ENOENT)
            return write_failed(path, "cannot write", errno);
        return replace_file(path, NULL, data, size);
    }
    if (S_ISDIR(about.st_mode))
        return write_failed(path, "cannot write", EISDIR);
    const int stream = standard_stream(&about);
    if (stream >= 0)
        return write_all(stream, path, data, size);
    if (!S_ISREG(about.st_mode))
        return write_directly(path, data, size);
    return replace_file(path, &about, data, size);
}

regal_status regal_text_write(const char *path, const char *text, size_t size) {
    return regal_file_write(path, text, size);
}
