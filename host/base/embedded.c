#include "base/embedded.h"

/* embedded.S */
extern const char regal_profiles_begin[], regal_profiles_end[];
extern const uint16_t regal_beta_begin[], regal_beta_end[];

const char *regal_embedded_profiles(size_t *size) {
    *size = (size_t)(regal_profiles_end - regal_profiles_begin);
    return regal_profiles_begin;
}

const uint16_t *regal_embedded_beta(size_t *count) {
    *count = (size_t)(regal_beta_end - regal_beta_begin);
    return regal_beta_begin;
}
