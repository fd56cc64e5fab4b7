#include "io/seed_file.h"

typedef struct seed_content {
    regal_plan *plan;
    regal_chromosome *keys;
} seed_content;

/* Keys are told by their "encoding"; anything else is read as a plan, whose reader says what is
 * wrong with it. */
static regal_status read_root(const regal_json *root, void *result) {
    seed_content *content = result;
    if (json_object_get(root->json, "encoding") != NULL)
        return regal_chromosome_from_json(root, &content->keys);
    return regal_plan_from_json(root, &content->plan);
}

regal_status regal_seed_file_read(const char *path, regal_plan **plan, regal_chromosome **keys) {
    seed_content content = {0};
    const regal_status status = regal_json_read(path, read_root, &content);
    *plan = content.plan;
    *keys = content.keys;
    return status;
}
