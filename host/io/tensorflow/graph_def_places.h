/* Where the items of a graph (nodes, loops) are placed: device names, each resolved once. */
#ifndef REGAL_IO_GRAPH_DEF_PLACES_H
#define REGAL_IO_GRAPH_DEF_PLACES_H

#include "base/name_table.h"
#include "io/tensorflow/graph_def_devices.h"

typedef struct gd_places {
    int64_t *of_item;             /* [items] in sets, or -1 */
    const char **names, **owners; /* [count] device names, and an item that has it */
    gd_device_set *sets;          /* [count] */
    int64_t count;
    regal_name_table table;
} gd_places;

/* For so many items, none of which is placed. */
regal_status gd_places_create(gd_places *places, int64_t items);
void gd_places_free(gd_places *places);
/* The strings must live as long as the places. */
void gd_places_put(gd_places *places, int64_t item, const char *device, const char *owner);
/* gd_devices_find for all of them; with REGAL_DEVICES_IGNORED none is restricted. */
regal_status gd_places_find(gd_places *places, const char *file, const regal_read_options *options);
/* NULL: any device. */
const gd_device_set *gd_places_at(const gd_places *places, int64_t item);

#endif
