/* Names in a GraphDef, checked, and in messages. */
#include <stdio.h>

#include "base/error.h"
#include "io/tensorflow/graph_def.h"
#include "io/utf8.h"

const char *gd_place(const gd_file *file, const gd_scope *scope, int64_t node) {
    static _Thread_local char text[320];
    if (scope->function < 0)
        snprintf(text, sizeof text, "node '%.140s'", scope->nodes[node].name);
    else {
        const regal_tf_text name = file->module->function(file->parsed, scope->function).name;
        snprintf(text, sizeof text, "node '%.140s' of function '%.*s'", scope->nodes[node].name,
                 (int)(name.size < 120 ? name.size : 120), name.data);
    }
    return text;
}

regal_status gd_copy_text(gd_file *file, regal_tf_text text, const char *what, const char **copy) {
    for (size_t i = 0; i < text.size;) {
        const size_t length =
            regal_utf8_length((const unsigned char *)text.data + i, text.size - i);
        REGAL_FAIL_IF(length == 0 || text.data[i] == '\0', REGAL_INVALID_INPUT,
                      "%s: %s holds %s at byte %zu", file->name, what,
                      length == 0 ? "bytes that are not UTF-8" : "a NUL", i);
        i += length;
    }
    *copy = regal_arena_copy(&file->strings, text.data, text.size);
    REGAL_FAIL_IF_NULL(*copy);
    return REGAL_OK;
}
