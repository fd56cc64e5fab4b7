#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command_generate.h"
#include "cli/console.h"
#include "cli/json_values.h"
#include "cli/options.h"
#include "cli/output_paths.h"
#include "cli/setting.h"

static void describe_value(const regal_generator_parameter *parameter, char *text, size_t size) {
    snprintf(text, size, "%s=%.10g", parameter->name, parameter->standard);
}

static void describe_range(const regal_generator_parameter *parameter, char *text, size_t size) {
    snprintf(text, size, "%.10g to %.10g", parameter->least, parameter->greatest);
}

void generator_print(const regal_generator_info *info) {
    char value[64], range[64];
    int value_width = 0, range_width = 0;
    for (int64_t i = 0; i < info->parameter_count; i++) {
        describe_value(&info->parameters[i], value, sizeof value);
        describe_range(&info->parameters[i], range, sizeof range);
        value_width = (int)strlen(value) > value_width ? (int)strlen(value) : value_width;
        range_width = (int)strlen(range) > range_width ? (int)strlen(range) : range_width;
    }
    printf("%s: %s\n", info->name, info->line);
    for (int64_t i = 0; i < info->parameter_count; i++) {
        describe_value(&info->parameters[i], value, sizeof value);
        describe_range(&info->parameters[i], range, sizeof range);
        printf("  %-*s  %-*s  %s\n", value_width, value, range_width, range,
               info->parameters[i].help);
    }
}

static json_t *parameters_json(const regal_generator_info *info) {
    json_t *array = json_array();
    for (int64_t i = 0; i < info->parameter_count; i++) {
        const regal_generator_parameter *parameter = &info->parameters[i];
        json_array_append_new(
            array, json_pack("{s:o,s:o,s:f,s:f,s:f}", "name", json_words(parameter->name), "help",
                             json_words(parameter->help), "default", parameter->standard, "least",
                             parameter->least, "greatest", parameter->greatest));
    }
    return array;
}

static int list_generators(const cli_options *options) {
    regal_generator_info info;
    int code = 0;
    for (int64_t i = 0; code == 0 && regal_generator_describe(i, &info); i++)
        if (options->json)
            code = json_print_line(json_pack("{s:o,s:o,s:o}", "name", json_words(info.name), "line",
                                             json_words(info.line), "parameters",
                                             parameters_json(&info)));
        else
            generator_print(&info);
    return code;
}

/* "name=value", cut up in place. */
static bool read_parameter(char *text, regal_parameter_value *parameter) {
    char *equals = strchr(text, '=');
    if (!equals || equals == text || equals[1] == '\0') {
        usage_error(COMMAND_GENERATE, "\"%.100s\" is no PARAMETER=VALUE", text);
        return false;
    }
    double value;
    if (!decimal_read(equals + 1, &value)) {
        usage_error(COMMAND_GENERATE, "\"%.100s\": the value is no decimal number", text);
        return false;
    }
    *equals = '\0';
    *parameter = (regal_parameter_value){text, value};
    return true;
}

bool parameters_read(char **arguments, int64_t count, regal_parameter_value *values) {
    for (int64_t i = 0; i < count; i++)
        if (!read_parameter(arguments[i], &values[i]))
            return false;
    return true;
}

typedef struct graph_recipe {
    const char *generator;
    regal_parameter_value *values; /* [value_count] */
    int64_t value_count;
    const cli_setting *setting;
    bool warned; /* of profiles in vain: once is enough for all seeds */
} graph_recipe;

static int make_graph(graph_recipe *recipe, uint64_t seed, const char *path) {
    const regal_read_options profiles = {.profiles = recipe->setting->profiles,
                                         .profile_count = recipe->setting->read.profile_count};
    regal_graph *graph = NULL;
    regal_status status = regal_graph_generate(recipe->generator, recipe->values,
                                               recipe->value_count, seed, &profiles, &graph);
    if (status == REGAL_INVALID_ARGUMENT)
        return usage_error(COMMAND_GENERATE, "%s", regal_error_message());
    if (status != REGAL_OK)
        return report_failure(NULL, status);
    if (!recipe->warned)
        setting_warn_of_own_costs(recipe->setting, graph, recipe->generator);
    recipe->warned = true;
    status = regal_graph_write(graph, path);
    regal_graph_destroy(graph);
    return status == REGAL_OK ? 0 : report_failure(path, status);
}

static int make_graphs(const cli_options *options, graph_recipe *recipe) {
    int code = folder_make(options->output);
    for (int64_t i = 0; code == 0 && i < options->count; i++) {
        const uint64_t seed = options->first_seed + (uint64_t)i;
        char *path = NULL;
        if (asprintf(&path, "%s%s%s-%" PRIu64 ".json", options->output,
                     path_separator(options->output), recipe->generator, seed) < 0)
            return report_failure(NULL, own_memory_failure());
        code = make_graph(recipe, seed, path);
        free(path);
    }
    return code;
}

static int check_usage(const cli_options *options) {
    const bool several = options->count > 1;
    if (several && (!options->output || strcmp(options->output, "-") == 0))
        return usage_error(COMMAND_GENERATE, "--count needs a folder: -o FOLDER");
    if (options->first_seed > UINT64_MAX - (uint64_t)(options->count - 1))
        return usage_error(COMMAND_GENERATE, "--seed and --count pass the greatest seed");
    if (options->json)
        return usage_error(COMMAND_GENERATE, "--json goes with --list");
    return 0;
}

static int generate(const cli_options *options, graph_recipe *recipe) {
    recipe->generator = options->arguments[0];
    recipe->value_count = options->argument_count - 1;
    if (!parameters_read(options->arguments + 1, recipe->value_count, recipe->values))
        return regal_status_exit_code(REGAL_INVALID_ARGUMENT);
    console_warnings_about(recipe->generator);
    if (options->count > 1 || (options->output && is_folder(options->output)))
        return make_graphs(options, recipe);
    const char *path = options->output ? options->output : "-";
    const int code = output_check(path);
    return code == 0 ? make_graph(recipe, options->first_seed, path) : code;
}

int command_generate(const cli_options *options) {
    if (options->list || options->argument_count == 0)
        return list_generators(options);
    if (strcmp(options->arguments[0], "dataset") == 0)
        return generate_dataset(options);
    int code = check_usage(options);
    if (code != 0)
        return code;
    cli_setting setting;
    const regal_status status = setting_create(options, NULL, NULL, &setting);
    if (status != REGAL_OK)
        return report_failure(NULL, status);
    graph_recipe recipe = {.setting = &setting};
    recipe.values = calloc((size_t)options->argument_count, sizeof *recipe.values);
    code = recipe.values ? generate(options, &recipe) : report_failure(NULL, own_memory_failure());
    free(recipe.values);
    setting_destroy(&setting);
    return code;
}
