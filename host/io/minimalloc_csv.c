/* The memory plan of each device as a problem for minimalloc: id,lower,upper,size, over [lower,
 * upper). Its ids cannot be quoted, so they are what a buffer is and its number. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/memory.h"
#include "io/json_out.h"
#include "io/memory_buffers.h"
#include "io/writer.h"

enum { GREATEST_NAME = 100 };

static regal_status make_folder(const char *path) {
    struct stat facts;
    REGAL_FAIL_IF(strcmp(path, "-") == 0, REGAL_INVALID_ARGUMENT,
                  "minimalloc's files, one for each device, need a folder, not standard output");
    if (mkdir(path, 0777) != 0)
        REGAL_FAIL_IF(errno != EEXIST || stat(path, &facts) != 0 || !S_ISDIR(facts.st_mode),
                      REGAL_OUTPUT_FAILED, "%s: cannot make the folder: %s", path, strerror(errno));
    return REGAL_OK;
}

static bool is_plain(char c) {
    return (unsigned char)c > ' ' && c != '/' && c != 0x7f;
}

/* A device's name as that of a file: other characters become "_". */
static void clean_name(const char *name, char *cleaned) {
    size_t length = strlen(name);
    if (length > GREATEST_NAME)
        length = GREATEST_NAME;
    for (size_t i = 0; i < length; ++i)
        cleaned[i] = is_plain(name[i]) && !(i == 0 && name[0] == '.') ? name[i] : '_';
    cleaned[length] = '\0';
}

/* Two names may be the same once cleaned: then all of them end in their device's number. */
static void name_files(const regal_cluster *cluster, int64_t count,
                       char names[][GREATEST_NAME + 16]) {
    bool repeated[REGAL_MAX_DEVICES] = {false};
    for (int64_t d = 0; d < count; ++d)
        clean_name(regal_cluster_device(cluster, d).name, names[d]);
    for (int64_t d = 0; d < count; ++d)
        for (int64_t e = 0; e < count; ++e)
            repeated[d] |= e != d && strcmp(names[d], names[e]) == 0;
    for (int64_t d = 0; d < count; ++d)
        if (repeated[d])
            snprintf(names[d] + strlen(names[d]), 16, "#%d", (int)d);
}

static regal_status write_device(const regal_buffers *buffers, int64_t device, const char *folder,
                                 const char *name) {
    regal_out out = {0};
    char *path;
    regal_out_text(&out, "id,lower,upper,size\n");
    for (int64_t i = 0; i < buffers->count; ++i) {
        const regal_buffer *buffer = &buffers->items[i];
        if (buffer->device == device)
            regal_out_format(&out, "%s%lld,%lld,%lld,%lld\n", regal_buffer_kind_name(buffer->kind),
                             (long long)buffer->item, (long long)buffer->from,
                             (long long)buffer->to, (long long)buffer->bytes);
    }
    if (asprintf(&path, "%s/%s.csv", folder, name) < 0) {
        free(out.data);
        REGAL_FAIL(REGAL_OUT_OF_MEMORY, "memory ran out");
    }
    const regal_status status = regal_out_save(&out, path);
    free(path);
    return status;
}

static regal_status write_devices(const regal_written *what, const regal_buffers *buffers,
                                  const char *folder) {
    const int64_t count = what->plan->device_count;
    char names[REGAL_MAX_DEVICES][GREATEST_NAME + 16];
    name_files(what->plan->cluster, count, names);
    REGAL_FORWARD(make_folder(folder));
    for (int64_t d = 0; d < count; ++d)
        REGAL_FORWARD(write_device(buffers, d, folder, names[d]));
    return REGAL_OK;
}

regal_status regal_write_minimalloc(const regal_written *what, const char *path) {
    regal_buffers buffers;
    int64_t *finish = regal_transfer_finishes(what->graph, what->plan);
    REGAL_FAIL_IF_NULL(finish);
    regal_status status = regal_buffers_create(what->graph, what->plan, finish, &buffers);
    free(finish);
    if (status != REGAL_OK)
        return status;
    status = write_devices(what, &buffers, path);
    regal_buffers_destroy(&buffers);
    return status;
}
