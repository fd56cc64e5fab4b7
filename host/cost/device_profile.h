/* Device profiles: what a device can do, read from models/profiles.json (embedded; a profiles.json
 * in the folder REGAL_DATA is used instead). */
#ifndef REGAL_COST_DEVICE_PROFILE_H
#define REGAL_COST_DEVICE_PROFILE_H

#include "cost/cost_model.h"
#include "regal/io.h"

#ifdef __cplusplus
extern "C" {
#endif

#define REGAL_DEFAULT_PROFILE "h100"

/* Peaks of the data sheet, and the share of them, in thousandths, that real kernels reach. */
typedef struct regal_device_profile {
    const char *name, *line;
    int64_t launch;                       /* ns per op */
    int64_t operations[REGAL_UNIT_COUNT]; /* per ns, that is G/s */
    int64_t memory_bytes;                 /* per ns, that is GB/s */
    int64_t collective_bytes;             /* per ns and direction */
    int64_t matrix_permille, vector_permille, memory_permille, collective_permille;
} regal_device_profile;

/* The profile of this name (letter case ignored); it lives as long as the program. An unknown name
 * is REGAL_INVALID_ARGUMENT with the list of what there is. */
regal_status regal_device_profile_find(const char *name, const regal_device_profile **profile);

/* The profiles that a reader was asked for (regal_read_options; default REGAL_DEFAULT_PROFILE).
 * Repeated names count once. The caller frees *profiles ([*count]). */
regal_status regal_device_profiles_select(const regal_read_options *options,
                                          const regal_device_profile ***profiles, int64_t *count);

/* A set of profiles from JSON; `name` stands for the file in messages. */
typedef struct regal_device_profiles regal_device_profiles;
regal_status regal_device_profiles_parse(const char *data, size_t size, const char *name,
                                         regal_device_profiles **profiles);
void regal_device_profiles_destroy(regal_device_profiles *profiles);
int64_t regal_device_profiles_count(const regal_device_profiles *profiles);
const regal_device_profile *regal_device_profiles_at(const regal_device_profiles *profiles,
                                                     int64_t index);

/* An empty graph with one device class per profile, the option
 * "profile" set to their names. */
regal_status regal_device_profiles_graph(const char *graph_name,
                                         const regal_device_profile *const *profiles, int64_t count,
                                         regal_graph **graph);

#ifdef __cplusplus
}
#endif
#endif
