#include "io/tensorflow/graph_def_places.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/memory.h"

regal_status gd_places_create(gd_places *places, int64_t items) {
    *places = (gd_places){0};
    places->of_item = regal_allocate(items, sizeof *places->of_item);
    places->names = regal_allocate(items, sizeof *places->names);
    places->owners = regal_allocate(items, sizeof *places->owners);
    REGAL_FAIL_IF(places->of_item == NULL || places->names == NULL || places->owners == NULL ||
                      !regal_name_table_create(&places->table, items),
                  REGAL_OUT_OF_MEMORY, "memory ran out");
    for (int64_t i = 0; i < items; ++i)
        places->of_item[i] = -1;
    return REGAL_OK;
}

void gd_places_free(gd_places *places) {
    gd_devices_free(places->sets, places->count);
    free(places->sets);
    free(places->of_item);
    free(places->names);
    free(places->owners);
    regal_name_table_destroy(&places->table);
}

void gd_places_put(gd_places *places, int64_t item, const char *device, const char *owner) {
    places->of_item[item] = regal_name_table_add(&places->table, device, places->count);
    if (places->of_item[item] < places->count)
        return;
    places->names[places->count] = device;
    places->owners[places->count++] = owner;
}

regal_status gd_places_find(gd_places *places, const char *file,
                            const regal_read_options *options) {
    if (options->stated_devices == REGAL_DEVICES_IGNORED)
        return REGAL_OK;
    places->sets = regal_allocate(places->count, sizeof *places->sets);
    REGAL_FAIL_IF_NULL(places->sets);
    return gd_devices_find(file, options, places->names, places->owners, places->count,
                           places->sets);
}

const gd_device_set *gd_places_at(const gd_places *places, int64_t item) {
    const int64_t set = places->of_item[item];
    return set >= 0 && places->sets != NULL && places->sets[set].count >= 0 ? &places->sets[set]
                                                                            : NULL;
}
