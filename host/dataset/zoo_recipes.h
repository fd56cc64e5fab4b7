/* Which architectures the zoo's dataset is made of: families, and what of each is varied. */
#ifndef REGAL_DATASET_ZOO_RECIPES_H
#define REGAL_DATASET_ZOO_RECIPES_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum zoo_part {
    ZOO_SEEN,            /* topologies in every split */
    ZOO_VALIDATION_ONLY, /* never trained on: training is stopped by families of both kinds */
    ZOO_TEST_ONLY        /* never seen before the test */
} zoo_part;

enum { ZOO_AXIS_VALUES = 8, ZOO_AXES = 6, ZOO_SIZES = 4 };

typedef struct zoo_axis {
    const char *name;
    double values[ZOO_AXIS_VALUES];
    int count;
} zoo_axis;

typedef struct zoo_recipes {
    const char *generator;
    zoo_part part;
    zoo_axis axes[ZOO_AXES];   /* every combination: they change the topology */
    zoo_axis sizes[ZOO_SIZES]; /* one after the other from combination to combination: most change
                                  costs and bytes alone */
} zoo_recipes;

enum { ZOO_RECIPE_FAMILIES = 18 };
extern const zoo_recipes zoo_recipe_table[ZOO_RECIPE_FAMILIES];

/* Combinations of the axes. */
int64_t zoo_recipes_count(const zoo_recipes *recipes);

#ifdef __cplusplus
}
#endif
#endif
