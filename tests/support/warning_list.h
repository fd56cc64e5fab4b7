// Collects this thread's warnings while it lives.
#ifndef REGAL_TESTS_WARNING_LIST_H
#define REGAL_TESTS_WARNING_LIST_H

#include <string>
#include <vector>

#include "regal/status.h"

struct WarningList {
    WarningList() {
        regal_warning_handler_set(
            [](const char *message, void *context) {
                static_cast<WarningList *>(context)->list.push_back(message);
            },
            this);
    }
    ~WarningList() { regal_warning_handler_set(nullptr, nullptr); }
    WarningList(const WarningList &) = delete;
    WarningList &operator=(const WarningList &) = delete;

    std::vector<std::string> list;
};

#endif
