/* Data files inside the program. REGAL_DATA, a folder, overrides them file by file. */
#ifndef REGAL_BASE_EMBEDDED_H
#define REGAL_BASE_EMBEDDED_H

#include <stddef.h>

extern const char regal_embedded_profiles[], regal_embedded_profiles_end[];
extern const char regal_embedded_beta[], regal_embedded_beta_end[];

#endif
