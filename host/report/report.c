/* The report: a page of our own (report.html, .css, .js) with the plan's data in it. */
#include <stdlib.h>
#include <string.h>

#include "base/embedded.h"
#include "base/error.h"
#include "io/writer.h"
#include "report/report_json.h"

/* A name in the data must not end the element that it stands in, nor open a comment. JSON has '<'
 * only within strings. */
static void put_embedded_json(regal_out *page, regal_out *json) {
    const char *at = json->data, *end = json->data + json->size;
    while (at < end) {
        const char *mark = memchr(at, '<', (size_t)(end - at));
        const char *stop = mark != NULL ? mark : end;
        regal_out_bytes(page, at, (size_t)(stop - at));
        if (mark != NULL)
            regal_out_text(page, "\\u003c");
        at = stop + (mark != NULL);
    }
    page->failed = page->failed || json->failed;
    free(json->data);
    *json = (regal_out){0};
}

static bool put_part(regal_out *page, const char *name, size_t length,
                     const regal_report_view *view) {
    regal_out json = {0};
    size_t size;
    const char *text = regal_embedded_report_part(name, length, &size);
    if (text != NULL) {
        regal_out_bytes(page, text, size);
        return true;
    }
    if (length == 7 && memcmp(name, "figures", length) == 0)
        regal_report_put_figures(&json, view);
    else if (length == 4 && memcmp(name, "data", length) == 0)
        regal_report_put_data(&json, view);
    else
        return false;
    put_embedded_json(page, &json);
    return true;
}

/* The template, with each {{part}} replaced. */
static void put_page(regal_out *page, const regal_report_view *view) {
    size_t size;
    const char *at = regal_embedded_report_part("page", 4, &size), *end = at + size;
    while (at < end) {
        const char *open = memmem(at, (size_t)(end - at), "{{", 2);
        const char *close = open ? memmem(open, (size_t)(end - open), "}}", 2) : NULL;
        regal_out_bytes(page, at, (size_t)((close ? open : end) - at));
        if (close == NULL)
            return;
        if (!put_part(page, open + 2, (size_t)(close - open - 2), view))
            regal_out_bytes(page, open, (size_t)(close + 2 - open));
        at = close + 2;
    }
}

regal_status regal_report_write(const regal_report *report, const char *path) {
    regal_report_view view = {0};
    regal_out page = {0};
    const regal_status status = regal_report_view_fill(&view, report);
    if (status == REGAL_OK)
        put_page(&page, &view);
    regal_report_view_destroy(&view);
    return status == REGAL_OK ? regal_out_save(&page, path)
                              : regal_error_prefix(status, "%s", path);
}

regal_status regal_write_html(const regal_written *what, const char *path) {
    REGAL_FAIL_IF(what->plan->cluster == NULL, REGAL_INVALID_ARGUMENT,
                  "%s: the plan is not attached to a graph (regal_plan_attach)", path);
    regal_problem *problem;
    REGAL_FORWARD(regal_problem_create(what->graph, what->plan->cluster, &problem));
    const regal_report report = {.problem = problem, .plan = what->plan};
    const regal_status status = regal_report_write(&report, path);
    regal_problem_destroy(problem);
    return status;
}
