/* One process at a time. */
#ifndef REGAL_IO_FILE_LOCK_H
#define REGAL_IO_FILE_LOCK_H

#include "regal/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* {0} is no lock. */
typedef struct regal_file_lock {
    char *path;
    int file;
} regal_file_lock;

/* Takes PATH.lock, a file that is there while `path` is worked on. It ends with its process, so
 * that one which a killed process left behind is in nobody's way. REGAL_INVALID_INPUT, with the
 * process that has it, where another does; `what` names in that message what both are, as "a
 * training". A device or a pipe has no lock, nor has a file system without locks. */
regal_status regal_file_lock_take(const char *path, const char *what, regal_file_lock *lock);
void regal_file_lock_release(regal_file_lock *lock);

#ifdef __cplusplus
}
#endif
#endif
