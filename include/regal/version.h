#ifndef REGAL_VERSION_H
#define REGAL_VERSION_H

/* The one place that holds the version: CMake reads it from here. */
#define REGAL_VERSION "0.1.0"

#ifdef __cplusplus
extern "C" {
#endif

/* The version of the library in use (REGAL_VERSION is the one compiled against). */
const char *regal_version(void);

#ifdef __cplusplus
}
#endif
#endif
