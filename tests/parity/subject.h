// The backend that is held to the CPU's.
#ifndef REGAL_TESTS_PARITY_SUBJECT_H
#define REGAL_TESTS_PARITY_SUBJECT_H

#include "regal/backend/backend.h"

// Ends the program, with the reason, where it cannot be had.
const regal_backend *parity_subject();

#endif
