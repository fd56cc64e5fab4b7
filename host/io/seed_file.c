#include "io/seed_file.h"

#include <jansson.h>
#include <stdlib.h>

#include "io/file.h"
#include "regal/io.h"

/* Keys are told by their "encoding"; anything else is read as a plan, whose reader says what is
 * wrong with it. */
static bool holds_keys(const char *data, size_t size) {
    json_t *root = json_loadb(data, size, 0, NULL);
    const bool keys = json_object_get(root, "encoding") != NULL;
    json_decref(root);
    return keys;
}

regal_status regal_seed_file_read(const char *path, regal_plan **plan, regal_chromosome **keys) {
    char *data;
    size_t size;
    *plan = NULL;
    *keys = NULL;
    regal_status status = regal_file_read(path, &data, &size);
    if (status != REGAL_OK)
        return status;
    if (holds_keys(data, size))
        status = regal_chromosome_parse(data, size, regal_file_label(path), keys);
    else
        status = regal_plan_parse(data, size, regal_file_label(path), plan);
    free(data);
    return status;
}
