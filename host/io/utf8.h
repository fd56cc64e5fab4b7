/* UTF-8, as the readers of formats check it. */
#ifndef REGAL_IO_UTF8_H
#define REGAL_IO_UTF8_H

#include <stdbool.h>
#include <stddef.h>

/* Length of the character at text, of which size > 0 bytes are there; 0 where it is none. */
static inline size_t regal_utf8_length(const unsigned char *text, size_t size) {
    if (text[0] < 0x80)
        return 1;
    const size_t length = text[0] >= 0xf0 ? 4 : text[0] >= 0xe0 ? 3 : 2;
    if (text[0] < 0xc2 || text[0] > 0xf4 || length > size)
        return 0;
    for (size_t i = 1; i < length; ++i)
        if ((text[i] & 0xc0) != 0x80)
            return 0;
    const bool overlong =
        (text[0] == 0xe0 && text[1] < 0xa0) || (text[0] == 0xf0 && text[1] < 0x90);
    const bool outside = (text[0] == 0xed && text[1] > 0x9f) || (text[0] == 0xf4 && text[1] > 0x8f);
    return overlong || outside ? 0 : length;
}

#endif
