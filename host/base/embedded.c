#include "base/embedded.h"

#include <stdbool.h>
#include <string.h>

/* embedded_files.S */
extern const char regal_profiles_begin[], regal_profiles_end[];
extern const uint16_t regal_beta_begin[], regal_beta_end[];
extern const char regal_policy_time_begin[], regal_policy_time_end[];
extern const char regal_policy_memory_begin[], regal_policy_memory_end[];
extern const char regal_report_page_begin[], regal_report_page_end[];
extern const char regal_report_style_begin[], regal_report_style_end[];
extern const char regal_report_script_begin[], regal_report_script_end[];

const char *regal_embedded_profiles(size_t *size) {
    *size = (size_t)(regal_profiles_end - regal_profiles_begin);
    return regal_profiles_begin;
}

const uint16_t *regal_embedded_beta(size_t *count) {
    *count = (size_t)(regal_beta_end - regal_beta_begin);
    return regal_beta_begin;
}

const char *regal_embedded_policy(regal_objective objective, size_t *size) {
    const bool memory = objective == REGAL_MEMORY;
    const char *begin = memory ? regal_policy_memory_begin : regal_policy_time_begin;
    *size = (size_t)((memory ? regal_policy_memory_end : regal_policy_time_end) - begin);
    return begin;
}

const char *regal_embedded_report_part(const char *name, size_t length, size_t *size) {
    const struct {
        const char *name, *begin, *end;
    } parts[] = {{"page", regal_report_page_begin, regal_report_page_end},
                 {"style", regal_report_style_begin, regal_report_style_end},
                 {"script", regal_report_script_begin, regal_report_script_end}};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; ++i)
        if (strlen(parts[i].name) == length && memcmp(parts[i].name, name, length) == 0) {
            *size = (size_t)(parts[i].end - parts[i].begin);
            return parts[i].begin;
        }
    return NULL;
}
