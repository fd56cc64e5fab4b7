#include "cli/text_sink.h"

#include <stdlib.h>

#include "cli/console.h"
#include "regal/io.h"

bool text_sink_open(text_sink *sink) {
    *sink = (text_sink){0};
    sink->file = open_memstream(&sink->text, &sink->size);
    sink->failed = !sink->file;
    return !sink->failed;
}

regal_status text_sink_save(text_sink *sink, const char *path) {
    if (sink->file) {
        const bool failed = ferror(sink->file) != 0;
        sink->failed = fclose(sink->file) != 0 || failed || sink->failed;
    }
    const regal_status status =
        sink->failed ? own_memory_failure() : regal_text_write(path, sink->text, sink->size);
    free(sink->text);
    *sink = (text_sink){0};
    return status;
}
