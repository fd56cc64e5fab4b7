#include "regal/status.h"
#include "regal/version.h"

const char *regal_version(void) {
    return REGAL_VERSION;
}

const char *regal_status_name(regal_status status) {
    switch (status) {
#define STATUS_NAME(name, exit_code, meaning) \
    case name:                                \
        return #name;
        REGAL_STATUS_LIST(STATUS_NAME)
#undef STATUS_NAME
    }
    return "REGAL_UNKNOWN";
}

int regal_status_exit_code(regal_status status) {
    switch (status) {
#define STATUS_EXIT(name, exit_code, meaning) \
    case name:                                \
        return exit_code;
        REGAL_STATUS_LIST(STATUS_EXIT)
#undef STATUS_EXIT
    }
    return 1;
}
