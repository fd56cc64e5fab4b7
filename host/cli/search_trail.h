/* How the best value of a search fell, for its report. */
#ifndef REGAL_CLI_SEARCH_TRAIL_H
#define REGAL_CLI_SEARCH_TRAIL_H

#include "cli/plan_facts.h"
#include "regal/regal.h"

typedef struct search_trail {
    regal_report_point *points; /* [count], freed by the caller */
    int64_t count, room;
} search_trail;

/* Adds a point where the best is another than before. Where memory runs out the trail has a gap. */
void search_trail_note(search_trail *trail, const regal_progress *progress);
/* The plan that was kept. */
void search_trail_end(search_trail *trail, const plan_facts *facts, const regal_made *made);

#endif
