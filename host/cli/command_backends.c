#include <inttypes.h>
#include <stdio.h>

#include "cli/human_units.h"
#include "cli/json_values.h"
#include "cli/options.h"
#include "cli/plain_text.h"

static void print_backend(const regal_backend_info *info) {
    if (!info->available)
        plain_line_print(stdout, "  %-14s not available: %s", info->name, info->reason);
    else if (info->multiprocessors > 0)
        plain_line_print(stdout, "  %-14s GPU %" PRId64 ": %s, %s, %s", info->name, info->number,
                         info->device, HUMAN(things, info->multiprocessors, "multiprocessor"),
                         HUMAN(bytes, info->memory));
    else
        plain_line_print(stdout, "  %-14s %s, %s%s%s, %s", info->name, info->device,
                         HUMAN(things, info->threads, "thread"), info->simd[0] != '\0' ? ", " : "",
                         info->simd, HUMAN(bytes, info->memory));
}

static void print_backends(void) {
    regal_backend_info info;
    puts("backends");
    for (int64_t i = 0; regal_backend_describe(i, &info); i++)
        print_backend(&info);
}

static void print_formats(void) {
    regal_format_info info;
    puts("\nformats");
    for (int64_t i = 0; regal_format_describe(i, &info); i++) {
        const char *use = info.reads ? info.writes ? "read, written" : "read" : "written";
        if (info.reads || info.writes)
            plain_line_print(stdout, "  %-14s %s (%s)", info.name, info.line, use);
        else
            plain_line_print(stdout, "  %-14s %s: left out: %s", info.name, info.line, info.reason);
    }
}

static void print_profiles(void) {
    regal_profile_info info;
    puts("\ndevice profiles");
    for (int64_t i = 0; regal_profile_describe(i, &info); i++)
        plain_line_print(stdout, "  %-14s %s", info.name, info.line);
}

static json_t *backends_json(void) {
    regal_backend_info info;
    json_t *array = json_array();
    for (int64_t i = 0; regal_backend_describe(i, &info); i++)
        json_array_append_new(
            array,
            json_pack("{s:o,s:I,s:o,s:b,s:o,s:I,s:I,s:I,s:s}", "name", json_words(info.name),
                      "number", (json_int_t)info.number, "device", json_words(info.device),
                      "available", info.available, "reason", json_words(info.reason), "threads",
                      (json_int_t)info.threads, "multiprocessors", (json_int_t)info.multiprocessors,
                      "memory", (json_int_t)info.memory, "simd", info.simd));
    return array;
}

static json_t *formats_json(void) {
    regal_format_info info;
    json_t *array = json_array();
    for (int64_t i = 0; regal_format_describe(i, &info); i++)
        json_array_append_new(array,
                              json_pack("{s:o,s:o,s:b,s:b,s:o}", "name", json_words(info.name),
                                        "line", json_words(info.line), "reads", info.reads,
                                        "writes", info.writes, "reason", json_words(info.reason)));
    return array;
}

static json_t *profiles_json(void) {
    regal_profile_info info;
    json_t *array = json_array();
    for (int64_t i = 0; regal_profile_describe(i, &info); i++)
        json_array_append_new(array, json_pack("{s:o,s:o}", "name", json_words(info.name), "line",
                                               json_words(info.line)));
    return array;
}

int command_backends(const cli_options *options) {
    if (options->json)
        return json_print_line(json_pack("{s:o,s:o,s:o}", "backends", backends_json(), "formats",
                                         formats_json(), "profiles", profiles_json()));
    print_backends();
    print_formats();
    print_profiles();
    return 0;
}
