/* The long lists, column by column. Most numbers are differences, which are short, and names leave
 * out what they share with the one before: a plan of 20,000 ops stays within a few megabytes. */
#include "report/report_json.h"

typedef int64_t column(const regal_report_view *view, int64_t row);
typedef const char *name_column(const regal_report_view *view, int64_t row);

static void put_column(regal_out *out, const regal_report_view *view, const char *name,
                       int64_t count, column *value) {
    regal_out_format(out, ",\"%s\":[", name);
    for (int64_t row = 0; row < count; ++row) {
        regal_out_bytes(out, ",", row > 0);
        regal_report_put_integer(out, value(view, row));
    }
    regal_out_text(out, "]");
}

/* How much of a name is that of another one: in ASCII only, where a byte is a character. */
static int64_t shared_length(const char *name, const char *other) {
    int64_t length = 0;
    while (name[length] != '\0' && name[length] == other[length] && (name[length] & 0x80) == 0)
        ++length;
    return length;
}

/* A name is the first `share` characters of its reference and then `rest`. */
static void put_names(regal_out *out, const regal_report_view *view, int64_t count,
                      name_column *name, name_column *reference) {
    regal_out_text(out, ",\"share\":[");
    for (int64_t row = 0; row < count; ++row) {
        regal_out_bytes(out, ",", row > 0);
        regal_out_integer(out, shared_length(name(view, row), reference(view, row)));
    }
    regal_out_text(out, "],\"rest\":[");
    for (int64_t row = 0; row < count; ++row) {
        const char *text = name(view, row);
        regal_out_bytes(out, ",", row > 0);
        regal_out_string(out, text + shared_length(text, reference(view, row)));
    }
    regal_out_text(out, "]");
}

/* ---- ops */

static regal_event_reason op_reason(const regal_report_view *view, int64_t row) {
    return regal_explanation_op(view->explanation, view->op_at[row]);
}

static int64_t op_gap(const regal_report_view *view, int64_t row) {
    const regal_event_reason reason = op_reason(view, row);
    return reason.start - reason.free;
}

static int64_t op_time(const regal_report_view *view, int64_t row) {
    const regal_event_reason reason = op_reason(view, row);
    return reason.finish - reason.start;
}

static int64_t op_late(const regal_report_view *view, int64_t row) {
    const regal_event_reason reason = op_reason(view, row);
    return reason.start - reason.ready;
}

static int64_t op_slack(const regal_report_view *view, int64_t row) {
    return op_reason(view, row).slack;
}

/* The tensor, transfer or op that it waited for, by its row; -1 where the wait says all. */
static int64_t op_cause(const regal_report_view *view, int64_t row) {
    const regal_event_reason reason = op_reason(view, row);
    switch (reason.wait) {
    case REGAL_WAIT_INPUT:
        return reason.tensor < 0 ? -1 : view->tensor_row[reason.tensor];
    case REGAL_WAIT_TRANSFER:
        return reason.transfer < 0 ? -1 : view->transfer_row[reason.transfer];
    case REGAL_WAIT_CONTROL:
    case REGAL_WAIT_CHOICE:
        return reason.op < 0 ? -1 : view->op_row[reason.op];
    default:
        return -1;
    }
}

static int64_t op_kind(const regal_report_view *view, int64_t row) {
    return regal_name_table_find(&view->kinds, regal_graph_op(view->graph, view->op_at[row]).kind);
}

static int64_t op_bytes_in(const regal_report_view *view, int64_t row) {
    return view->bytes_in[view->op_at[row]];
}

static int64_t op_bytes_out(const regal_report_view *view, int64_t row) {
    return view->bytes_out[view->op_at[row]];
}

static const char *op_name(const regal_report_view *view, int64_t row) {
    return regal_graph_op(view->graph, view->op_at[row]).name;
}

static const char *op_name_before(const regal_report_view *view, int64_t row) {
    return row > 0 ? op_name(view, row - 1) : "";
}

/* One digit each, as a string. */
static void put_waits(regal_out *out, const regal_report_view *view, int64_t count, column *wait) {
    regal_out_text(out, ",\"wait\":\"");
    for (int64_t row = 0; row < count; ++row)
        regal_out_integer(out, wait(view, row));
    regal_out_text(out, "\"");
}

static int64_t op_wait(const regal_report_view *view, int64_t row) {
    return (int64_t)op_reason(view, row).wait;
}

/* "begin": the first row of each device or link, and the end. */
static void put_begin(regal_out *out, const int64_t *begin, int64_t rows) {
    regal_out_text(out, "{\"begin\":");
    regal_out_integers(out, begin, rows + 1);
}

void regal_report_put_ops(regal_out *out, const regal_report_view *view) {
    const int64_t count = view->plan->op_count;
    put_begin(out, view->device_begin, view->devices);
    put_column(out, view, "gap", count, op_gap);
    put_column(out, view, "time", count, op_time);
    put_column(out, view, "late", count, op_late);
    put_column(out, view, "slack", count, op_slack);
    put_waits(out, view, count, op_wait);
    put_column(out, view, "cause", count, op_cause);
    put_column(out, view, "kind", count, op_kind);
    put_column(out, view, "in", count, op_bytes_in);
    put_column(out, view, "out", count, op_bytes_out);
    put_names(out, view, count, op_name, op_name_before);
    regal_out_text(out, "}");
}

/* ---- transfers */

static regal_event_reason transfer_reason(const regal_report_view *view, int64_t row) {
    return regal_explanation_transfer(view->explanation, view->transfer_at[row]);
}

static int64_t transfer_gap(const regal_report_view *view, int64_t row) {
    const regal_event_reason reason = transfer_reason(view, row);
    return reason.start - reason.free;
}

static int64_t transfer_time(const regal_report_view *view, int64_t row) {
    const regal_event_reason reason = transfer_reason(view, row);
    return reason.finish - reason.start;
}

static int64_t transfer_late(const regal_report_view *view, int64_t row) {
    const regal_event_reason reason = transfer_reason(view, row);
    return reason.start - reason.ready;
}

static int64_t transfer_slack(const regal_report_view *view, int64_t row) {
    return transfer_reason(view, row).slack;
}

static int64_t transfer_wait(const regal_report_view *view, int64_t row) {
    return (int64_t)transfer_reason(view, row).wait;
}

static int64_t transfer_tensor(const regal_report_view *view, int64_t row) {
    return view->tensor_row[view->plan->transfers[view->transfer_at[row]].tensor];
}

void regal_report_put_transfers(regal_out *out, const regal_report_view *view) {
    const int64_t count = view->plan->transfer_count;
    put_begin(out, view->link_begin, view->links);
    put_column(out, view, "gap", count, transfer_gap);
    put_column(out, view, "time", count, transfer_time);
    put_column(out, view, "late", count, transfer_late);
    put_column(out, view, "slack", count, transfer_slack);
    put_waits(out, view, count, transfer_wait);
    put_column(out, view, "tensor", count, transfer_tensor);
    regal_out_text(out, "}");
}

/* ---- tensors, named after their ops as a rule */

static regal_tensor shown_tensor(const regal_report_view *view, int64_t row) {
    return regal_graph_tensor(view->graph, view->tensor_at[row]);
}

static int64_t tensor_producer(const regal_report_view *view, int64_t row) {
    return view->op_row[shown_tensor(view, row).producer];
}

static int64_t tensor_bytes(const regal_report_view *view, int64_t row) {
    return shown_tensor(view, row).bytes;
}

static const char *tensor_name(const regal_report_view *view, int64_t row) {
    return shown_tensor(view, row).name;
}

static const char *producer_name(const regal_report_view *view, int64_t row) {
    return regal_graph_op(view->graph, shown_tensor(view, row).producer).name;
}

void regal_report_put_tensors(regal_out *out, const regal_report_view *view) {
    const int64_t count = view->shown_tensors;
    regal_out_format(out, "{\"count\":%lld", (long long)count);
    put_column(out, view, "op", count, tensor_producer);
    put_column(out, view, "bytes", count, tensor_bytes);
    put_names(out, view, count, tensor_name, producer_name);
    regal_out_text(out, "}");
}

/* ---- memory over time, and the critical path */

static void put_differences(regal_out *out, const char *name, const int64_t *numbers,
                            int64_t count) {
    regal_out_text(out, name);
    for (int64_t i = 0; i < count; ++i) {
        regal_out_bytes(out, ",", i > 0);
        regal_report_put_integer(out, i > 0 ? numbers[i] - numbers[i - 1] : numbers[i]);
    }
}

void regal_report_put_memory(regal_out *out, const regal_report_view *view) {
    regal_out_text(out, "[");
    for (int64_t d = 0; d < view->devices; ++d) {
        int64_t count;
        const int64_t *tick, *bytes;
        regal_explanation_memory(view->explanation, d, &count, &tick, &bytes);
        put_differences(out, d > 0 ? ",{\"tick\":[" : "{\"tick\":[", tick, count);
        put_differences(out, "],\"bytes\":[", bytes, count);
        regal_out_text(out, "]}");
    }
    regal_out_text(out, "]");
}

/* An op is its row, a transfer -1 less its row. */
void regal_report_put_critical(regal_out *out, const regal_report_view *view) {
    const int64_t count = regal_explanation_critical_count(view->explanation);
    regal_out_text(out, "[");
    for (int64_t i = 0; i < count; ++i) {
        const regal_critical_step step = regal_explanation_critical(view->explanation, i);
        regal_out_bytes(out, ",", i > 0);
        regal_out_integer(out, step.op >= 0 ? view->op_row[step.op]
                                            : -1 - view->transfer_row[step.transfer]);
    }
    regal_out_text(out, "]");
}
