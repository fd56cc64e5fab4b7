#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "backend/cpu_backend.h"
#include "base/thread_pool.h"
#include "simd/simd_level.h"

/* The "model name" of the first processor, where the system tells. */
static void read_model(char *model, size_t size) {
    FILE *file = fopen("/proc/cpuinfo", "r");
    char line[256];
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        const char *colon = strchr(line, ':');
        if (colon == NULL || strncmp(line, "model name", 10) != 0)
            continue;
        snprintf(model, size, "%s", colon + 1 + strspn(colon + 1, " \t"));
        model[strcspn(model, "\n")] = '\0';
        break;
    }
    if (file != NULL)
        fclose(file);
}

bool regal_cpu_probe(int64_t index, regal_backend_info *info) {
    static _Thread_local char model[128], reason[256];
    if (index != 0)
        return false;
    snprintf(model, sizeof model, "processor");
    read_model(model, sizeof model);
    regal_simd_level level;
    const bool available = regal_simd_level_find(&level) == REGAL_OK;
    snprintf(reason, sizeof reason, "%s", available ? "" : regal_error_message());
    *info =
        (regal_backend_info){.name = "cpu",
                             .device = model,
                             .available = available,
                             .reason = reason,
                             .threads = regal_processor_count(),
                             .memory = (int64_t)sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGE_SIZE),
                             .simd = available ? regal_simd_level_name(level) : ""};
    return true;
}
