/* TensorFlow's GraphDef, out: the plan in the file that the graph was read from, or a graph as a
 * GraphDef. */
#include "io/tensorflow/graph_def_write.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "io/file.h"
#include "io/tensorflow/graph_def_remade.h"

/* What the text form has no names for is named, or left out. */
static regal_status settle_unknown(gd_file *file, bool text, bool drop) {
    char where[200];
    if (!text || !file->module->unknown_field(file->parsed, where, sizeof where))
        return REGAL_OK;
    REGAL_FAIL_IF(!drop, REGAL_INVALID_INPUT,
                  "%s: %s cannot be kept in the text form: write the binary form, or leave it out "
                  "with --drop-unknown",
                  file->name, where);
    file->module->drop_unknown(file->parsed);
    return REGAL_OK;
}

static regal_status save(gd_file *file, bool text, const char *path) {
    char *data;
    size_t size;
    regal_status status = file->module->serialize(file->parsed, text, &data, &size);
    REGAL_FAIL_IF(status != REGAL_OK, status,
                  status == REGAL_OUT_OF_MEMORY ? "memory ran out"
                                                : "%s: is larger than 2 GiB, the limit of protobuf",
                  regal_file_label(path));
    status = regal_file_write(path, data, size);
    free(data);
    return status;
}

static regal_status write_made(gd_file *file, const regal_written *what, bool text,
                               const char *path) {
    const regal_tensorflow_module *module;
    REGAL_FORWARD(regal_tensorflow_load(&module));
    file->module = module->graph_def;
    const regal_status status = file->module->create(&file->parsed);
    REGAL_FAIL_IF(status != REGAL_OK, status, "memory ran out");
    REGAL_FORWARD(gd_make(file, what->graph, what->plan));
    return save(file, text, path);
}

/* In the form that the path asks for; standard output has that of the source. */
static regal_status write_source(gd_file *file, const regal_written *what, const char *path) {
    static const char byte_order_mark[] = "\xef\xbb\xbf";
    const char *data = what->source;
    size_t size = what->source_size;
    bool was_text;
    if (size > 3 && memcmp(data, byte_order_mark, 3) == 0) {
        data += 3;
        size -= 3;
    }
    gd_recognize(data, size, &was_text);
    const bool text = strcmp(path, "-") == 0 ? was_text : what->text;
    REGAL_FORWARD(gd_file_open(file, data, size, !what->drop_unknown));
    if (gd_is_remade(file)) { /* the graph has all of it */
        gd_file_close(file);
        *file = (gd_file){.name = file->name, .options = file->options};
        return write_made(file, what, text, path);
    }
    if (what->plan != NULL)
        REGAL_FORWARD(gd_put_plan(file, what->graph, what->plan));
    REGAL_FORWARD(settle_unknown(file, text, what->drop_unknown));
    return save(file, text, path);
}

regal_status regal_write_graph_def(const regal_written *what, const char *path) {
    static const regal_read_options options = {0};
    gd_file file = {.name = what->source_name != NULL ? what->source_name : regal_file_label(path),
                    .options = &options};
    const regal_status status =
        what->source != NULL ? write_source(&file, what, path)
                             : write_made(&file, what, what->text || strcmp(path, "-") == 0, path);
    gd_file_close(&file);
    return status;
}
