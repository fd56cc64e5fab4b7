// Whether the library's last message has what it should.
#ifndef REGAL_TESTS_REFUSAL_H
#define REGAL_TESTS_REFUSAL_H

#include <gtest/gtest.h>

#include <string>

#include "regal/status.h"

inline testing::AssertionResult refused_with(regal_status status, regal_status expected,
                                             const std::string &part) {
    const std::string message = regal_error_message();
    if (status != expected)
        return testing::AssertionFailure()
               << regal_status_name(status) << " in place of " << regal_status_name(expected);
    if (message.find(part) == std::string::npos)
        return testing::AssertionFailure() << "'" << message << "' does not say '" << part << "'";
    return testing::AssertionSuccess();
}

#endif
