/* TensorFlow's GraphDef, MetaGraphDef and SavedModel, text and binary. graph_def_map.c says what
 * becomes what. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "io/json_out.h"
#include "io/reader.h"
#include "io/tensorflow/graph_def_map.h"
#include "io/tensorflow/graph_def_remade.h"

/* ---- which graph of a SavedModel */

static void put_tags(const gd_file *file, int64_t meta, regal_out *out) {
    const int64_t count = file->module->tag_count(file->parsed, meta);
    regal_out_text(out, "'");
    for (int64_t k = 0; k < count; ++k) {
        const regal_tf_text tag = file->module->tag(file->parsed, meta, k);
        regal_out_text(out, k > 0 ? "," : "");
        regal_out_bytes(out, tag.data, tag.size);
    }
    regal_out_text(out, "'");
}

static bool has_tag(const gd_file *file, int64_t meta, const char *word) {
    for (int64_t k = 0; k < file->module->tag_count(file->parsed, meta); ++k) {
        const regal_tf_text tag = file->module->tag(file->parsed, meta, k);
        if (tag.size == strlen(word) && memcmp(tag.data, word, tag.size) == 0)
            return true;
    }
    return false;
}

/* The one tagged "serve", else the first. */
static regal_status choose_graph(gd_file *file, bool warn) {
    const int64_t count = file->module->meta_count(file->parsed);
    int64_t chosen = -1;
    for (int64_t m = 0; m < count && chosen < 0; ++m)
        if (has_tag(file, m, "serve"))
            chosen = m;
    if (chosen > 0)
        file->module->select(file->parsed, chosen);
    if (count < 2 || !warn)
        return REGAL_OK;
    regal_out others = {0};
    for (int64_t m = 0; m < count; ++m)
        if (m != (chosen < 0 ? 0 : chosen)) {
            regal_out_text(&others, others.size > 0 ? ", " : "");
            put_tags(file, m, &others);
        }
    regal_out_bytes(&others, "", 1);
    if (!others.failed)
        regal_warn(
            "%s: of its %" PRId64 " graphs %s is read; left out are those of the tags %.1000s",
            file->name, count, chosen < 0 ? "the first" : "the one tagged 'serve'", others.data);
    free(others.data);
    REGAL_FAIL_IF(others.failed, REGAL_OUT_OF_MEMORY, "memory ran out");
    return REGAL_OK;
}

/* ---- opening */

static regal_status read_functions(gd_file *file) {
    file->function_count = file->module->function_count(file->parsed);
    file->bodies = regal_allocate_zeroed(file->function_count, sizeof *file->bodies);
    REGAL_FAIL_IF(file->bodies == NULL ||
                      !regal_name_table_create(&file->functions, file->function_count),
                  REGAL_OUT_OF_MEMORY, "memory ran out");
    for (int64_t f = 0; f < file->function_count; ++f) {
        const char *name;
        REGAL_FORWARD(gd_copy_text(file, file->module->function(file->parsed, f).name,
                                   "the name of a function", &name));
        const int64_t same = regal_name_table_add(&file->functions, name, f);
        REGAL_FAIL_IF(same != f, REGAL_INVALID_INPUT, "%s: two functions have the name '%.200s'",
                      file->name, name);
    }
    return REGAL_OK;
}

regal_status gd_file_open(gd_file *file, const char *data, size_t size, bool strict) {
    const regal_tensorflow_module *module;
    bool text;
    const regal_graph_def_form form = gd_recognize(data, size, &text);
    REGAL_FORWARD(regal_tensorflow_load(&module));
    file->module = module->graph_def;
    file->batch = -1;
    REGAL_FORWARD(file->module->parse(
        data, size, form == REGAL_GRAPH_DEF_NONE ? REGAL_GRAPH_DEF_GRAPH : form, text, strict,
        regal_tensorflow_notice, (void *)file->name, &file->parsed));
    REGAL_FORWARD(choose_graph(file, !strict));
    return read_functions(file);
}

void gd_file_close(gd_file *file) {
    gd_memos_free(file);
    gd_scope_free(&file->main);
    for (int64_t f = 0; file->bodies != NULL && f < file->function_count; ++f)
        gd_scope_free(&file->bodies[f]);
    free(file->bodies);
    free(file->profiles);
    free(file->frame);
    free(file->frames);
    free(file->frame_peak);
    free(file->border);
    regal_name_table_destroy(&file->functions);
    regal_arena_free(&file->strings);
    if (file->parsed != NULL)
        file->module->destroy(file->parsed);
}

/* ---- options */

/* "batch=8" is the only dimension that has a name. */
static regal_status read_dimensions(gd_file *file) {
    static const char name[] = "batch=";
    for (int64_t i = 0; i < file->options->dimension_count; ++i) {
        const char *text = file->options->dimensions[i];
        char *end = NULL;
        const bool known = strncmp(text, name, sizeof name - 1) == 0;
        REGAL_FAIL_IF(!known, REGAL_INVALID_ARGUMENT,
                      "%s: has no dimension '%.*s': TensorFlow names none; 'batch' stands for the "
                      "open first dimension of placeholders",
                      file->name, (int)(strcspn(text, "=") < 200 ? strcspn(text, "=") : 200), text);
        const long long size = strtoll(text + sizeof name - 1, &end, 10);
        REGAL_FAIL_IF(end == text + sizeof name - 1 || *end != '\0' || size < 0 ||
                          size > INT64_C(1) << 53,
                      REGAL_INVALID_ARGUMENT, "'%.200s' is no size of a dimension", text);
        file->batch = size;
    }
    return REGAL_OK;
}

static regal_status check_used(const gd_file *file) {
    REGAL_FAIL_IF(file->batch >= 0 && !file->batch_used, REGAL_INVALID_ARGUMENT,
                  "%s: has no dimension 'batch': no placeholder's first dimension is open",
                  file->name);
    REGAL_FAIL_IF(file->unknown > 0 && !file->options->assume_bytes, REGAL_INVALID_INPUT,
                  "%s: the sizes of %" PRId64
                  " values within functions and loops are unknown: give the dimensions that they "
                  "lack (--dim batch=SIZE), or a size for each of them (--assume-bytes BYTES)",
                  file->name, file->unknown);
    if (file->endless)
        regal_warn("%s: while loops have no trip count: each counts as one run of its body",
                   file->name);
    return REGAL_OK;
}

static regal_status set_options(const gd_file *file, regal_graph *graph) {
    static const char *const words[] = {NULL, "plan", "ignore"};
    const regal_read_options *options = file->options;
    char text[40];
    if (file->batch >= 0) {
        snprintf(text, sizeof text, "batch=%" PRId64, file->batch);
        REGAL_FORWARD(regal_graph_set_option(graph, "dim", text));
    }
    if (file->unknown > 0) {
        snprintf(text, sizeof text, "%" PRId64, options->assumed_bytes);
        REGAL_FORWARD(regal_graph_set_option(graph, "assume-bytes", text));
    }
    if (options->stated_devices != REGAL_DEVICES_ALLOWED)
        return regal_graph_set_option(graph, "stated-devices", words[options->stated_devices]);
    return REGAL_OK;
}

/* ---- */

static regal_status read_model(gd_file *file, regal_graph **graph) {
    REGAL_FORWARD(
        regal_device_profiles_select(file->options, &file->profiles, &file->profile_count));
    REGAL_FORWARD(read_dimensions(file));
    REGAL_FORWARD(gd_scope_make(file, &file->main, REGAL_TF_MAIN));
    REGAL_FORWARD(gd_frames_find(file));
    REGAL_FORWARD(gd_evaluate(file));
    REGAL_FORWARD(gd_map(file, graph));
    return check_used(file);
}

regal_status regal_read_graph_def(const char *data, size_t size, const char *name,
                                  const regal_read_options *options, regal_graph **graph) {
    gd_file file = {.name = name, .options = options};
    *graph = NULL;
    regal_status status = gd_file_open(&file, data, size, false);
    if (status == REGAL_OK)
        status = gd_is_remade(&file) ? gd_read_remade(&file, graph) : read_model(&file, graph);
    if (status == REGAL_OK)
        status = set_options(&file, *graph);
    gd_file_close(&file);
    if (status != REGAL_OK) {
        regal_graph_destroy(*graph);
        *graph = NULL;
    }
    return status;
}
