#include "dataset/set_file.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"

static void put_values(regal_out *out, const set_recipe *recipe) {
    for (int64_t i = 0; i < recipe->value_count; ++i) {
        regal_out_text(out, i > 0 ? ", " : ", \"values\": {");
        regal_out_string(out, recipe->values[i].name);
        regal_out_format(out, ": %.15g", recipe->values[i].value);
    }
    regal_out_text(out, recipe->value_count > 0 ? "}" : "");
}

static void put_recipe(regal_out *out, const set_recipe *recipe) {
    regal_out_text(out, "{\"generator\": ");
    regal_out_string(out, recipe->generator);
    put_values(out, recipe);
    if (recipe->seed > 0)
        regal_out_format(out, ", \"seed\": %" PRIu64, recipe->seed);
    if (recipe->count > 1)
        regal_out_format(out, ", \"count\": %" PRId64, recipe->count);
    if (recipe->weight != 1)
        regal_out_format(out, ", \"weight\": %.6g", recipe->weight);
    if (recipe->unseen)
        regal_out_text(out, ", \"unseen\": true");
    if (recipe->cluster != NULL) {
        regal_out_text(out, ", \"clusters\": [");
        regal_out_text(out, recipe->cluster);
        regal_out_text(out, "]");
    }
    regal_out_text(out, "}");
}

static void put_set(regal_out *out, const dataset_run *run, const set_file *file) {
    regal_out_format(out,
                     "{\"format\": \"regal-set\", \"version\": 1, \"name\": \"%s, %s\", "
                     "\"objective\": \"%s\"",
                     run->info->name, dataset_split_name(file->split), file->objective);
    regal_out_text(out, ",\n\"made\": ");
    dataset_put_made(out, run);
    regal_out_text(out, ",\n\"about\": ");
    regal_out_string(out, file->about);
    regal_out_text(out, ",\n\"clusters\": [");
    regal_out_text(out, file->clusters);
    regal_out_text(out, "],\n\"graphs\": [");
    for (int64_t i = 0; i < file->recipe_count; ++i) {
        regal_out_text(out, i > 0 ? ",\n" : "\n");
        put_recipe(out, &file->recipes[i]);
    }
    regal_out_text(out, "\n]}\n");
}

regal_status set_file_write(const dataset_run *run, const set_file *file) {
    char name[64];
    snprintf(name, sizeof name, "%s.json", dataset_split_name(file->split));
    REGAL_FORWARD(dataset_folder(run, file->objective, NULL));
    char *path = dataset_path(run, file->objective, name);
    REGAL_FAIL_IF_NULL(path);
    regal_out out = {0};
    put_set(&out, run, file);
    const regal_status status = regal_out_save(&out, path);
    free(path);
    return status;
}
