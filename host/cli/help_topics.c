/* What `regal help TOPIC` says: a screen each, with an example. What is in tables elsewhere
 * (formats, profiles, options, statuses) comes from there. */
#include <stdint.h>
#include <string.h>

#include "cli/help_parts.h"

/* The help of a command's option, where there is such a one. */
static void cite_option(help_page *page, command_id command, const char *flag) {
    char term[96], text[512];
    for (size_t i = 0; i < option_table_size; i++) {
        const option_info *option = &option_table[i];
        if (!option_is_of(option, command) || strcmp(option->flag, flag) != 0)
            continue;
        option_describe_flag(option, false, term, sizeof term);
        option_describe(command, option, text, sizeof text);
        page_item(page, term, text);
    }
}

static void print_format(help_page *page, const regal_format_info *info) {
    char text[512];
    const char *use = !info->reads   ? info->of_plan ? "written, of a plan" : "written"
                      : info->writes ? "read, written"
                                     : "read";
    if (info->reads || info->writes)
        snprintf(text, sizeof text, "%s (%s%s%s)", info->line, use, *info->endings ? "; " : "",
                 info->endings);
    else
        snprintf(text, sizeof text, "%s (left out: %s)", info->line, info->reason);
    page_item(page, info->name, text);
}

static void print_formats(help_page *page) {
    regal_format_info info;
    page_text(page, "A graph file is recognized by its content, whatever its name; - is standard "
                    "input. `regal inspect FILE` tells what was read, and what became of it.");
    page_gap(page);
    for (int64_t i = 0; regal_format_describe(i, &info); i++)
        print_format(page, &info);
    page_text(
        page,
        "What REGAL takes from it: ops, which take time on each class of device; "
        "tensors, which ops make and others read; control edges, which only say what "
        "comes first; parameters, weights and inputs, which stay in the memory of each device "
        "that uses them. Formats that tell no times get them from a device profile "
        "(`regal help costs`). What a file leaves open:");
    page_gap(page);
    cite_option(page, COMMAND_INSPECT, "dim");
    cite_option(page, COMMAND_INSPECT, "assume-bytes");
    cite_option(page, COMMAND_INSPECT, "stated-devices");
    page_example(page, "regal inspect module.hlo\n"
                       "regal convert module.hlo graph.json --profile h100,a100\n"
                       "regal convert graph.json plan.csv --plan plan.json\n"
                       "regal optimize graph.json --devices 4");
}

static void print_profiles(help_page *page) {
    regal_profile_info info;
    page_gap(page);
    for (int64_t i = 0; regal_profile_describe(i, &info); i++)
        page_item(page, info.name, info.line);
}

static void print_clusters(help_page *page) {
    page_text(page, "The devices that a plan is for, and the links between them. Each ordered pair "
                    "of devices is a link of its own: it carries one transfer at a time, while "
                    "devices compute. In words:");
    page_gap(page);
    cite_option(page, COMMAND_OPTIMIZE, "devices");
    cite_option(page, COMMAND_OPTIMIZE, "link");
    page_text(page, "Units are B, KB, MB, GB, TB (10^3, 10^6, ...), KiB, MiB, GiB, TiB (2^10, "
                    "2^20, ...); ns, us, ms, s. Anything else is a file, --cluster FILE. In it "
                    "`memory` is in bytes (0: unlimited), "
                    "`latency` in ticks of 1 ns, `bytes_per_1000_ticks` in MB/s (null: infinite); "
                    "`pairs` lists links, one direction each, that differ from `default`.");
    page_example(page, "{\"format\": \"regal-cluster\", \"version\": 1,\n"
                       " \"devices\": [{\"name\": \"big\", \"class\": \"h100\", \"memory\": "
                       "80000000000},\n"
                       "             {\"name\": \"small\", \"class\": \"a100\"}],\n"
                       " \"links\": {\"default\": {\"latency\": 5000, \"bytes_per_1000_ticks\": "
                       "25000},\n"
                       "           \"pairs\": [{\"from\": 0, \"to\": 1, \"latency\": 10000,\n"
                       "                      \"bytes_per_1000_ticks\": 12000}]}}");
    page_text(page, "A device's `class` is a number or a name of the graph's device classes "
                    "(default: the first); for a graph without times it is a device profile:");
    print_profiles(page);
}

static void print_objectives(help_page *page) {
    page_text(page, "What a search makes least, given by --objective:");
    page_gap(page);
    page_item(page, regal_objective_name(REGAL_TIME),
              "the makespan: when the last op finishes, in ticks of 1 ns");
    page_item(page, regal_objective_name(REGAL_MEMORY),
              "the greatest peak memory of a device, in bytes: parameters, tensors from their "
              "producer's start to their last use, copies, workspaces");
    page_text(page,
              "Of plans that are equal in the one the other decides. The memory of a device "
              "is a cap and comes before both: where no plan within the caps is found, the one "
              "that is least above them is written, and the exit code is 3.\n"
              "\"x bound\" in the summary and \"gap\" in the progress compare with a lower "
              "bound: no plan is better than it, but often none reaches it.");
    page_example(page,
                 "regal optimize graph.json --devices 4                       # least time\n"
                 "regal optimize graph.json --devices 4x16GB                  # ... in 16 GB\n"
                 "regal optimize graph.json --devices 4 --objective memory    # least memory\n"
                 "regal optimize graph.json --target 4000000                  # 4 ms will do");
}

static void print_costs(help_page *page) {
    page_text(page, "An op takes the ticks that its graph states for the class of its device, at "
                    "least one; a tick is 1 ns (a unit of a CostGraphDef's cost is 1,000). A "
                    "format that states none gets them from a model of the device: the greater of "
                    "arithmetic over its speed and bytes over its bandwidth, and the launch. The "
                    "devices that are known:");
    print_profiles(page);
    page_gap(page);
    cite_option(page, COMMAND_OPTIMIZE, "profile");
    cite_option(page, COMMAND_OPTIMIZE, "costs");
    page_text(page, "`regal inspect` shows the work by kind of op, FLOPs, and the costliest ops.");
    page_example(page, "regal inspect module.hlo --profile a100");
}

static void print_plans(help_page *page) {
    page_text(page,
              "A plan says for each op the device and the start, for each transfer the start, "
              "and for each device the peak of its memory. It carries its cluster, how the "
              "graph was read, and the graph's digest, so that `regal check GRAPH PLAN` needs "
              "nothing else. Every plan that is written has passed that check, which shares "
              "no code with the search.");
    page_gap(page);
    cite_option(page, COMMAND_OPTIMIZE, "output");
    cite_option(page, COMMAND_OPTIMIZE, "trace");
    cite_option(page, COMMAND_OPTIMIZE, "report");
    cite_option(page, COMMAND_OPTIMIZE, "seeds");
    page_text(page, "The same options, graph and seed give the same plan on any number of threads "
                    "and any backend, unless --time-limit or a signal ended the search.");
    page_text(page, "`regal explain` says what the plan's end hangs on, or why one op runs where "
                    "and when it does; `regal convert` writes the plan in other formats, or into "
                    "the model that it is for (`regal help formats`).");
    page_example(page, "regal optimize graph.json --devices 4 -o plan.json --trace trace.json\n"
                       "regal check graph.json plan.json\n"
                       "regal explain graph.json plan.json\n"
                       "regal convert model.onnx planned.onnx --plan plan.json\n"
                       "regal optimize graph.json --devices 4 --seeds plan.json -o better.json");
}

static void print_policies(help_page *page) {
    page_text(page, "A policy is a network that was trained on other graphs and proposes where and "
                    "when ops run. The search draws from its proposals, so that a bad policy costs "
                    "time but spoils no plan.");
    page_gap(page);
    cite_option(page, COMMAND_OPTIMIZE, "policy");
    cite_option(page, COMMAND_OPTIMIZE, "policy-use");
    page_text(page, "One's own is worth it where many graphs of a kind are to be optimized: `regal "
                    "train` makes it from a set of them, `regal evaluate` measures what it gains, "
                    "and `regal inspect GRAPH --features` shows what it is told of each op.");
    page_example(page, "regal optimize graph.json --policy none\n"
                       "regal train set.json -o mine.safetensors\n"
                       "regal evaluate mine.safetensors test.json\n"
                       "regal optimize graph.json --policy mine.safetensors");
}

static void print_exit_codes(help_page *page) {
    static const struct {
        const char *code, *meaning;
    } codes[] = {
        {"0", "done"},
        {"2", "wrong usage or input; check: the plan is not valid"},
        {"3", "no plan within the memory caps was found; the least-violating one is written"},
        {"4", "interrupted by a signal; the best plan so far is written"},
        {"1", "anything else: memory ran out, an output could not be written, something that was "
              "asked for is missing on this machine"},
    };
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
        page_item(page, codes[i].code, codes[i].meaning);
    page_text(page, "Of several graphs the worst counts: 1, 2, 4, 3, 0. Errors are one line on "
                    "standard error that begins with \"regal: \"; --quiet leaves out all others.");
    page_example(page, "regal optimize graph.json --devices 4x16GB -q -o plan.json\n"
                       "[ $? -eq 3 ] && echo 'needs more memory'");
}

static void print_environment(help_page *page) {
    static const struct {
        const char *name, *meaning;
    } variables[] = {
        {"NO_COLOR", "not empty: no colour in the progress line"},
        {"TERM", "empty or dumb: the progress comes as plain lines, as where standard error is no "
                 "terminal"},
        {"LC_ALL, LC_CTYPE, LANG",
         "a UTF-8 locale: the progress line draws how the best value fell"},
        {"REGAL_SIMD", "avx512, avx2 or plain: the instructions that the CPU backend uses, instead "
                       "of the best that the processor has; the plan is the same"},
        {"REGAL_PLUGINS", "a folder in which to look first for the parts that are loaded when "
                          "needed: the CUDA backend, readers of other formats"},
        {"REGAL_DATA", "a folder whose profiles.json and policies/time.safetensors and "
                       "policies/memory.safetensors take the place of those that ship"},
        {"CUDA_PATH, CUDA_HOME", "where the CUDA backend looks for cuBLAS"},
    };
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
        page_item(page, variables[i].name, variables[i].meaning);
    page_example(page, "REGAL_SIMD=plain regal optimize graph.json");
}

static const struct {
    const char *name, *line;
    void (*print)(help_page *page);
} topics[] = {
    {"formats", "the files that graphs come from and go to", print_formats},
    {"clusters", "devices and links, in words and as a file", print_clusters},
    {"objectives", "what is made least, memory caps, bounds", print_objectives},
    {"costs", "where the times of ops come from", print_costs},
    {"plans", "what a plan holds, and what to do with it", print_plans},
    {"policies", "networks that propose plans", print_policies},
    {"exit-codes", "what the program's exit code says", print_exit_codes},
    {"environment", "variables that the program heeds", print_environment},
};
enum { TOPICS = sizeof topics / sizeof *topics };

const char *help_topic_name(size_t index) {
    return index < TOPICS ? topics[index].name : NULL;
}

const char *help_topic_line(size_t index) {
    return index < TOPICS ? topics[index].line : NULL;
}

void help_topic_print(size_t index, help_page *page) {
    topics[index].print(page);
}

size_t help_topic_find(const char *name) {
    for (size_t i = 0; i < TOPICS; i++)
        if (strcmp(topics[i].name, name) == 0)
            return i;
    return SIZE_MAX;
}
