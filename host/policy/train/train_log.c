#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "policy/train/trainer.h"

const char *regal_train_stage_name(int64_t stage) {
    static const char *const names[REGAL_TRAIN_STAGES] = {"order", "plans", "search"};
    return names[stage];
}

static regal_status cannot_write(const regal_trainer *trainer, int reason) {
    REGAL_FAIL(REGAL_OUTPUT_FAILED, "%s: cannot write: %s", trainer->log, strerror(reason));
}

/* A log that is shorter than it was goes on from its end. */
regal_status regal_train_log_open(regal_trainer *trainer) {
    struct stat facts;
    REGAL_FAIL_IF(stat(trainer->log, &facts) == 0 && S_ISFIFO(facts.st_mode),
                  REGAL_INVALID_ARGUMENT, "%s: is a pipe; the log is opened anew for each step",
                  trainer->log);
    FILE *file = fopen(trainer->log, "ab");
    bool ok = file != NULL && fstat(fileno(file), &facts) == 0;
    if (ok && S_ISREG(facts.st_mode) && facts.st_size > trainer->state.log_size)
        ok = ftruncate(fileno(file), trainer->state.log_size) == 0;
    else if (ok)
        trainer->state.log_size = facts.st_size;
    const int reason = errno;
    if (file != NULL)
        fclose(file);
    return ok ? REGAL_OK : cannot_write(trainer, reason);
}

static char *line_of(const regal_trainer *trainer, bool validated) {
    const regal_train_state *s = &trainer->state;
    json_t *line = json_pack("{s:I,s:s,s:f,s:f}", "step", (json_int_t)s->step, "stage",
                             regal_train_stage_name(s->stage), "seconds", s->seconds,
                             "cost_over_bound", s->cost);
    if (line != NULL && validated) {
        json_object_set_new(line, "gain_1000", json_real(s->gain[0]));
        json_object_set_new(line, "gain_5000", json_real(s->gain[1]));
    }
    char *text = line != NULL ? json_dumps(line, JSON_COMPACT | JSON_REAL_PRECISION(9)) : NULL;
    json_decref(line);
    return text;
}

regal_status regal_train_log_step(regal_trainer *trainer, bool validated) {
    char *line = line_of(trainer, validated);
    REGAL_FAIL_IF_NULL(line);
    FILE *file = fopen(trainer->log, "ab");
    bool ok = file != NULL && fprintf(file, "%s\n", line) > 0;
    ok = (file == NULL || fclose(file) == 0) && ok;
    const int reason = errno;
    trainer->state.log_size += (int64_t)strlen(line) + 1;
    free(line);
    return ok ? REGAL_OK : cannot_write(trainer, reason);
}
