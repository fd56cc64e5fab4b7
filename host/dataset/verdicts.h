/* What is known of the candidates of a dataset: one run of graphs for each split and family, judged
 * one after the other. */
#ifndef REGAL_DATASET_VERDICTS_H
#define REGAL_DATASET_VERDICTS_H

#include "dataset/dataset.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { VERDICT_FAMILIES = 4, VERDICT_STREAMS = DATASET_SPLITS * VERDICT_FAMILIES };

/* X(name, letter in the file) */
#define VERDICT_LIST(X)     \
    X(VERDICT_TAKEN, '+')   \
    X(VERDICT_NO_ROOM, '-') \
    X(VERDICT_DUPLICATE, '=')

typedef enum verdict {
#define VERDICT_ENUM(name, letter) name = letter,
    VERDICT_LIST(VERDICT_ENUM)
#undef VERDICT_ENUM
} verdict;

typedef struct verdict_stream {
    char *letters; /* [count] */
    int64_t count, capacity, taken;
} verdict_stream;

typedef struct verdicts {
    verdict_stream stream[VERDICT_STREAMS];
} verdicts; /* starts as {0} */

void verdicts_free(verdicts *all);
regal_status verdicts_add(verdict_stream *stream, verdict found);

/* FOLDER/verdicts.txt, in and out: a line of letters for each stream. None is no error. */
regal_status verdicts_read(verdicts *all, const dataset_run *run);
regal_status verdicts_write(const verdicts *all, const dataset_run *run);

#ifdef __cplusplus
}
#endif
#endif
