#include "io/hlo/hlo_opcode.h"

#include <string.h>

typedef struct opcode_info {
    const char *word;
    size_t size;
    hlo_form form;
} opcode_info;

static const opcode_info opcodes[HLO_OPCODE_COUNT + 1] = {
#define OPCODE_INFO(name, word, form) {word, sizeof(word) - 1, HLO_FORM_##form},
    HLO_OPCODE_LIST(OPCODE_INFO)
#undef OPCODE_INFO
        {"", 0, HLO_FORM_OTHER}};

hlo_opcode regal_hlo_opcode_find(const char *word, size_t size) {
    int low = 0, high = HLO_OPCODE_COUNT;
    while (low < high) {
        const int middle = (low + high) / 2;
        const opcode_info *info = &opcodes[middle];
        int order = memcmp(word, info->word, size < info->size ? size : info->size);
        if (order == 0)
            order = (size > info->size) - (size < info->size);
        if (order == 0)
            return (hlo_opcode)middle;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return HLO_UNKNOWN;
}

hlo_form regal_hlo_opcode_form(hlo_opcode opcode) {
    return opcodes[opcode].form;
}
