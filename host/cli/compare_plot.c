/* Quality against time as SVG: a stepped line for each search, a numbered point for each other
 * method. Ratios are spread by the root of their logarithm, so that those near the best stand
 * apart.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/compare_parts.h"
#include "cli/console.h"
#include "cli/human_units.h"
#include "cli/text_sink.h"

enum {
    LEFT = 56,
    RIGHT = 620, /* of the plane */
    TOP = 52,
    BOTTOM = 470,
    LEGEND = 652,
    WIDTH = 900,
    LINE = 17, /* of the legend */
    COLOURS = 10
};
static const double GREATEST_RATIO = 6, LEAST_SECONDS = 1e-5;

/* Apart from each other on white and on black. */
static const char *const colours[COLOURS] = {"#3b82c4", "#d9822b", "#3f9c4d", "#d3455b", "#8a63c9",
                                             "#1fa3a3", "#b0852a", "#c5589f", "#7d8590", "#8c6d4f"};

typedef struct plot_box {
    double left, top, right, bottom;
} plot_box;

typedef struct plot {
    FILE *file;
    const compare_results *results;
    const compare_series *series;
    int64_t count;
    double first, last; /* logarithms of the seconds at the sides */
    double top;         /* the greatest ratio that is shown */
    plot_box *boxes;    /* [box_count] taken by points and their numbers */
    int64_t box_count;
} plot;

/* ---- scales */

static double x_of(const plot *p, double seconds) {
    const double at = log10(fmax(seconds, LEAST_SECONDS));
    return LEFT + (RIGHT - LEFT) * (at - p->first) / (p->last - p->first);
}

static double y_of(const plot *p, double ratio) {
    const double share = sqrt(log(fmax(ratio, 1))) / sqrt(log(p->top));
    return BOTTOM - (BOTTOM - TOP) * share;
}

static bool is_search(const compare_series *series) {
    return series->vertex_count > 0;
}

static void widen(plot *p, double seconds) {
    const double at = log10(fmax(seconds, LEAST_SECONDS));
    p->first = fmin(p->first, floor(at));
    p->last = fmax(p->last, ceil(at));
}

static void set_scales(plot *p) {
    double greatest = 1.1;
    p->first = INFINITY;
    p->last = -INFINITY;
    for (int64_t i = 0; i < p->count; i++) {
        const compare_series *series = &p->series[i];
        greatest = fmax(greatest, 1.05 * series->ratio);
        if (is_search(series)) {
            widen(p, series->vertices[0].seconds);
            widen(p, series->vertices[series->vertex_count - 1].seconds);
        } else if (isfinite(series->seconds)) {
            widen(p, series->seconds);
        }
    }
    p->top = fmin(greatest, GREATEST_RATIO);
    if (!(p->first < p->last)) {
        p->first = isfinite(p->first) ? p->first - 1 : 0;
        p->last = p->first + 2;
    }
}

/* ---- words */

static void put_text(FILE *file, const char *text) {
    for (; *text != '\0'; text++) {
        const unsigned char c = (unsigned char)*text;
        if (c == '<')
            fputs("&lt;", file);
        else if (c == '&')
            fputs("&amp;", file);
        else if (c == '>')
            fputs("&gt;", file);
        else
            fputc(c < 0x20 || c >= 0x7f ? '?' : c, file);
    }
}

static void put_label(FILE *file, double x, double y, const char *anchor, const char *text) {
    fprintf(file, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">", x, y, anchor);
    put_text(file, text);
    fputs("</text>\n", file);
}

static void describe_graphs(const plot *p, char *text, size_t size) {
    const compare_results *results = p->results;
    const char *what = results->objective == REGAL_TIME ? "makespan" : "peak memory";
    if (results->graph_count == 1)
        snprintf(text, size, "%s / best, on %.60s", what, results->graphs[0].name);
    else
        snprintf(text, size, "%s / best, geometric mean over graphs", what);
}

/* ---- the plane */

static void put_head(const plot *p, int64_t height) {
    FILE *file = p->file;
    char title[128];
    describe_graphs(p, title, sizeof title);
    fprintf(file,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %" PRId64 "\" width=\"%d\" "
            "height=\"%" PRId64 "\" role=\"img\"><title>",
            WIDTH, height, WIDTH, height);
    put_text(file, title);
    fputs("</title>\n<style>text{font:11px sans-serif;fill:#57606a}.t{font-size:13px;font-weight:"
          "bold}.n{font-size:10px}.g{stroke:#8c959f;stroke-width:.5;stroke-opacity:.45}"
          ".l{fill:none;stroke-width:1.8}.h{stroke-dasharray:6 3}.p{fill:#57606a}"
          ".k{stroke:#8c959f;stroke-width:.7}",
          file);
    for (int i = 0; i < COLOURS; i++)
        fprintf(file, ".c%d{stroke:%s}", i, colours[i]);
    fputs("@media(prefers-color-scheme:dark){text{fill:#b1bac4}.p{fill:#b1bac4}}</style>\n", file);
    fprintf(file,
            "<clipPath id=\"plane\"><rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>"
            "</clipPath>\n<text x=\"%d\" y=\"20\" class=\"t\">",
            LEFT, TOP, RIGHT - LEFT + 2, BOTTOM - TOP + 2, LEFT);
    put_text(file, title);
    fputs("</text>\n", file);
}

static void put_grid_line(FILE *file, double x1, double y1, double x2, double y2) {
    fprintf(file, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" class=\"g\"/>\n", x1, y1,
            x2, y2);
}

static void put_axes(const plot *p) {
    static const double ratios[] = {1, 1.01, 1.05, 1.1, 1.2, 1.5, 2, 3, 4, 5, 6};
    double above = INFINITY; /* where the last label is */
    for (size_t i = 0; i < sizeof ratios / sizeof *ratios && ratios[i] <= p->top; i++) {
        const double y = y_of(p, ratios[i]);
        char text[16];
        put_grid_line(p->file, LEFT, y, RIGHT, y);
        snprintf(text, sizeof text, "%g", ratios[i]);
        if (above - y >= 12) {
            put_label(p->file, LEFT - 6, y + 4, "end", text);
            above = y;
        }
    }
    for (double at = p->first; at <= p->last; at++) {
        const double seconds = pow(10, at), x = x_of(p, seconds);
        char text[32];
        put_grid_line(p->file, x, TOP, x, BOTTOM);
        if (at < 0)
            snprintf(text, sizeof text, "%g ms", seconds * 1000);
        else
            snprintf(text, sizeof text, "%g s", seconds);
        put_label(p->file, x, BOTTOM + 17, "middle", text);
    }
    put_label(p->file, (LEFT + RIGHT) / 2.0, BOTTOM + 36, "middle", "time");
}

/* Vertices closer than half a pixel to the one before are left out, but for the last. */
static void put_line(const plot *p, const compare_series *series, int number) {
    double x = x_of(p, series->vertices[0].seconds), y = y_of(p, series->vertices[0].ratio);
    fprintf(p->file, "<path class=\"l c%d%s\" clip-path=\"url(#plane)\" d=\"M%.1f %.1f",
            number % COLOURS, number / COLOURS % 2 || number % 2 ? " h" : "", x, y);
    for (int64_t i = 1; i < series->vertex_count; i++) {
        const double to_x = x_of(p, series->vertices[i].seconds);
        const double to_y = y_of(p, series->vertices[i].ratio);
        const bool last = i + 1 == series->vertex_count;
        if (!last && to_x - x < 0.5 && fabs(to_y - y) < 0.5)
            continue;
        fprintf(p->file, "H%.1f", to_x);
        if (fabs(to_y - y) >= 0.05)
            fprintf(p->file, "V%.1f", to_y);
        x = to_x;
        y = to_y;
    }
    fputs("\"/>\n", p->file);
}

/* ---- points and their numbers */

static bool overlaps(const plot_box *a, const plot_box *b) {
    return a->left < b->right && b->left < a->right && a->top < b->bottom && b->top < a->bottom;
}

static bool is_free(const plot *p, const plot_box *box) {
    if (box->left < LEFT || box->right > RIGHT + 24 || box->top < TOP - 12 || box->bottom > BOTTOM)
        return false;
    for (int64_t i = 0; i < p->box_count; i++)
        if (overlaps(box, &p->boxes[i]))
            return false;
    return true;
}

static plot_box box_around(double x, double y, double half_width, double half_height) {
    return (plot_box){x - half_width, y - half_height, x + half_width, y + half_height};
}

/* The nearest free place around the point, in growing circles. */
static plot_box place_number(const plot *p, double x, double y) {
    plot_box box = box_around(x + 11, y, 7, 6);
    for (int ring = 0; ring < 12; ring++)
        for (int turn = 0; turn < 16; turn++) {
            const double distance = 11 + 7 * ring, angle = turn * 0.39269908169872414;
            box = box_around(x + distance * cos(angle), y - distance * sin(angle), 7, 6);
            if (is_free(p, &box))
                return box;
        }
    return box;
}

static bool is_shown(const plot *p, const compare_series *series) {
    return !is_search(series) && isfinite(series->seconds) && series->ratio <= p->top;
}

static void put_points(plot *p) {
    for (int64_t i = 0; i < p->count; i++) {
        const compare_series *series = &p->series[i];
        if (!is_shown(p, series))
            continue;
        const double x = x_of(p, series->seconds), y = y_of(p, series->ratio);
        fprintf(p->file, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" class=\"p\"/>\n", x, y);
        p->boxes[p->box_count++] = box_around(x, y, 3.5, 3.5);
    }
    int number = 0;
    for (int64_t i = 0; i < p->count; i++) {
        const compare_series *series = &p->series[i];
        number += !is_search(series);
        if (!is_shown(p, series))
            continue;
        const double x = x_of(p, series->seconds), y = y_of(p, series->ratio);
        const plot_box box = place_number(p, x, y);
        const double to_x = (box.left + box.right) / 2, to_y = (box.top + box.bottom) / 2;
        p->boxes[p->box_count++] = box;
        if (hypot(to_x - x, to_y - y) > 14)
            fprintf(p->file,
                    "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" class=\"k\"/>\n", x, y,
                    x + 0.75 * (to_x - x), y + 0.75 * (to_y - y));
        fprintf(p->file,
                "<text x=\"%.1f\" y=\"%.1f\" class=\"n\" text-anchor=\"middle\">%d</text>\n", to_x,
                to_y + 3.5, number);
    }
}

/* ---- the legend */

static void put_entry(const plot *p, const compare_series *series, double y) {
    char name[96], ratio[32], part[48] = "";
    if (series->graphs < p->results->graph_count)
        snprintf(part, sizeof part, " (%" PRId64 " of %" PRId64 ")", series->graphs,
                 p->results->graph_count);
    snprintf(name, sizeof name, "%.24s%s%s", p->results->methods.items[series->method].name, part,
             is_search(series)            ? ""
             : !isfinite(series->seconds) ? ", no time"
             : series->ratio > p->top     ? ", above"
                                          : "");
    snprintf(ratio, sizeof ratio, "%.3f", series->ratio);
    put_label(p->file, LEGEND + 26, y, "start", name);
    put_label(p->file, WIDTH - 8, y, "end", ratio);
}

static double put_legend_part(const plot *p, bool searches, const char *title, double y) {
    int number = 0;
    for (int64_t i = 0; i < p->count; i++) {
        const compare_series *series = &p->series[i];
        if (is_search(series) != searches)
            continue;
        if (number == 0) {
            put_label(p->file, LEGEND, y, "start", title);
            y += LINE;
        }
        if (searches)
            fprintf(p->file, "<path class=\"l c%d%s\" d=\"M%d %.1fh20\"/>\n", number % COLOURS,
                    number / COLOURS % 2 || number % 2 ? " h" : "", LEGEND, y - 4);
        else
            fprintf(p->file,
                    "<text x=\"%d\" y=\"%.1f\" class=\"n\" text-anchor=\"end\">%d</text>\n",
                    LEGEND + 18, y, number + 1);
        number++;
        put_entry(p, series, y);
        y += LINE;
    }
    return number > 0 ? y + LINE / 2.0 : y;
}

static void put_lines(const plot *p) {
    int number = 0;
    for (int64_t i = 0; i < p->count; i++)
        if (is_search(&p->series[i]))
            put_line(p, &p->series[i], number++);
}

static void put_plot(plot *p) {
    const int64_t legend = TOP + LINE * (p->count + 4);
    put_head(p, legend > BOTTOM + 50 ? legend : BOTTOM + 50);
    if (p->count == 0) {
        put_label(p->file, LEFT, TOP, "start", "no plan is within the caps");
    } else {
        set_scales(p);
        put_axes(p);
        put_lines(p);
        put_points(p);
        const double y = put_legend_part(p, true, "searches", TOP + 4);
        put_legend_part(p, false, "other methods, by their numbers", y);
    }
    fputs("</svg>\n", p->file);
}

regal_status compare_plot_write(const compare_results *results, const compare_figures *figures,
                                const char *path) {
    compare_series *series;
    int64_t count;
    const regal_status status = compare_series_make(results, figures, &series, &count);
    if (status != REGAL_OK)
        return status;
    text_sink sink;
    plot p = {.results = results, .series = series, .count = count};
    p.boxes = calloc(2 * (size_t)count + 1, sizeof *p.boxes);
    if (text_sink_open(&sink) && p.boxes) {
        p.file = sink.file;
        put_plot(&p);
    }
    sink.failed = sink.failed || !p.boxes;
    free(p.boxes);
    compare_series_free(series, count);
    return text_sink_save(&sink, path);
}
