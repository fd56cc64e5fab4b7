#include "dataset/verdicts.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/memory.h"
#include "io/file.h"

static const char title[] = "regal-verdicts 1\n";

void verdicts_free(verdicts *all) {
    for (int i = 0; i < VERDICT_STREAMS; ++i)
        free(all->stream[i].letters);
    *all = (verdicts){0};
}

regal_status verdicts_add(verdict_stream *stream, verdict found) {
    REGAL_FAIL_IF(!regal_array_reserve(&stream->letters, &stream->capacity, stream->count + 1, 1),
                  REGAL_OUT_OF_MEMORY, "memory ran out");
    stream->letters[stream->count++] = (char)found;
    stream->taken += found == VERDICT_TAKEN;
    return REGAL_OK;
}

static bool is_verdict(char letter) {
#define VERDICT_IS(name, word) || letter == (word)
    return false VERDICT_LIST(VERDICT_IS);
#undef VERDICT_IS
}

/* One line; *at moves behind it. */
static regal_status read_stream(verdict_stream *stream, const char **at, const char *end,
                                const char *path) {
    for (; *at < end && **at != '\n'; ++*at) {
        REGAL_FAIL_IF(!is_verdict(**at), REGAL_INVALID_INPUT,
                      "%s holds something that is no verdict; remove it to begin anew", path);
        REGAL_FORWARD(verdicts_add(stream, (verdict) * *at));
    }
    REGAL_FAIL_IF(*at == end, REGAL_INVALID_INPUT, "%s is cut off; remove it to begin anew", path);
    ++*at;
    return REGAL_OK;
}

static regal_status parse(verdicts *all, const char *data, size_t size, const char *path) {
    const size_t length = sizeof title - 1;
    REGAL_FAIL_IF(size < length || memcmp(data, title, length) != 0, REGAL_INVALID_INPUT,
                  "%s is no file of verdicts; remove it to begin anew", path);
    const char *at = data + length, *end = data + size;
    for (int i = 0; i < VERDICT_STREAMS; ++i)
        REGAL_FORWARD(read_stream(&all->stream[i], &at, end, path));
    return REGAL_OK;
}

regal_status verdicts_read(verdicts *all, const dataset_run *run) {
    char *path = dataset_path(run, "verdicts.txt", NULL), *data = NULL;
    size_t size = 0;
    REGAL_FAIL_IF_NULL(path);
    regal_status status = REGAL_OK;
    if (access(path, F_OK) == 0)
        status = regal_file_read(path, &data, &size);
    if (status == REGAL_OK && data != NULL)
        status = parse(all, data, size, path);
    free(data);
    free(path);
    return status;
}

regal_status verdicts_write(const verdicts *all, const dataset_run *run) {
    char *path = dataset_path(run, "verdicts.txt", NULL);
    REGAL_FAIL_IF_NULL(path);
    regal_out out = {0};
    regal_out_text(&out, title);
    for (int i = 0; i < VERDICT_STREAMS; ++i) {
        regal_out_bytes(&out, all->stream[i].letters, (size_t)all->stream[i].count);
        regal_out_text(&out, "\n");
    }
    const regal_status status = regal_out_save(&out, path);
    free(path);
    return status;
}
