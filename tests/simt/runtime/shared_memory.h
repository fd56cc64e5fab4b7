// The shared memory of the block that runs.
#ifndef SIMT_SHARED_MEMORY_H
#define SIMT_SHARED_MEMORY_H

#include <cstddef>

namespace simt {

// So many bytes of dynamic shared memory from now on; what lies beyond is poisoned.
void set_dynamic_shared(size_t bytes);

// Fills all shared memory, static and dynamic, with 0xE7: what a block finds in it is no use.
void poison_shared_memory();

} // namespace simt

#endif
