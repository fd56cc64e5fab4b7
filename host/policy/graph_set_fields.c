/* What the parts of a set's file have in common. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "policy/graph_set_data.h"

regal_status regal_set_text(regal_graph_set *set, const char *text, const char **copy) {
    *copy = regal_arena_copy(&set->strings, text, strlen(text));
    REGAL_FAIL_IF_NULL(*copy);
    return REGAL_OK;
}

regal_status regal_set_path(regal_graph_set *set, const char *text, const char **path) {
    if (text[0] == '/')
        return regal_set_text(set, text, path);
    char *joined = NULL;
    REGAL_FAIL_IF(asprintf(&joined, "%s/%s", set->folder, text) < 0, REGAL_OUT_OF_MEMORY,
                  "memory ran out");
    const regal_status status = regal_set_text(set, joined, path);
    free(joined);
    return status;
}

regal_status regal_set_at(const regal_json *value, regal_status status) {
    if (status != REGAL_INVALID_INPUT && status != REGAL_INVALID_ARGUMENT)
        return status;
    char message[1024];
    snprintf(message, sizeof message, "%s", regal_error_message());
    REGAL_JSON_FAIL(value, "%s", message);
}

static regal_status read_number(const regal_json *value, double least, double greatest,
                                double *number) {
    REGAL_JSON_FAIL_IF(!json_is_number(value->json), value, "expected a number, found %s",
                       regal_json_kind(value->json));
    *number = json_number_value(value->json);
    REGAL_JSON_FAIL_IF(!(*number >= least && *number <= greatest), value,
                       "%.15g is not from %.15g to %.15g", *number, least, greatest);
    return REGAL_OK;
}

regal_status regal_set_read_range(const regal_json *value, double least, double greatest,
                                  regal_set_range *range) {
    if (!json_is_array(value->json)) {
        REGAL_FORWARD(read_number(value, least, greatest, &range->low));
        range->high = range->low;
        range->whole = json_is_integer(value->json);
        return REGAL_OK;
    }
    int64_t count;
    REGAL_FORWARD(regal_json_array(value, &count));
    REGAL_JSON_FAIL_IF(count != 2, value, "a range is [low, high]; here are %lld numbers",
                       (long long)count);
    const regal_json low = regal_json_item(value, 0), high = regal_json_item(value, 1);
    REGAL_FORWARD(read_number(&low, least, greatest, &range->low));
    REGAL_FORWARD(read_number(&high, range->low, greatest, &range->high));
    range->whole = json_is_integer(low.json) && json_is_integer(high.json);
    return REGAL_OK;
}
