// Inside libregal_tensorflow.so: step stats.
#ifndef REGAL_IO_TENSORFLOW_RUN_METADATA_MODULE_HH
#define REGAL_IO_TENSORFLOW_RUN_METADATA_MODULE_HH

#include "io/tensorflow/run_metadata_module.h"

const regal_run_metadata_module *RegalRunMetadataModule();

#endif
