#include "reference/base/visible.h"

#include "reference/base/utf8.h"

typedef struct code_range {
    uint32_t first;
    uint32_t last;
} code_range;

// Characters that are valid and yet do not show what they are: controls, invisible characters,
// marks that change the direction of writing, line separators, non-characters. In order.
static const code_range unsafe[] = {
    {0x0000, 0x001F},   {0x007F, 0x009F},   {0x00AD, 0x00AD},    {0x034F, 0x034F},
    {0x061C, 0x061C},   {0x115F, 0x1160},   {0x17B4, 0x17B5},    {0x180B, 0x180F},
    {0x200B, 0x200F},   {0x2028, 0x202E},   {0x2060, 0x206F},    {0x3164, 0x3164},
    {0xD800, 0xF8FF},   {0xFDD0, 0xFDEF},   {0xFE00, 0xFE0F},    {0xFEFF, 0xFEFF},
    {0xFFA0, 0xFFA0},   {0xFFF0, 0xFFFC},   {0xFFFE, 0xFFFF},    {0x1BCA0, 0x1BCA3},
    {0x1D173, 0x1D17A}, {0x1FFFE, 0x1FFFF}, {0xE0000, 0x10FFFF},
};

bool jrpc_code_is_visible(uint32_t code)
{
    for (size_t i = 0; i < sizeof unsafe / sizeof unsafe[0]; i++) {
        if (code <= unsafe[i].last) {
            return code < unsafe[i].first;
        }
    }
    return true;
}

uint32_t jrpc_utf8_code(const char *ptr, size_t len)
{
    static const uint8_t lead_mask[] = {0, 0x7F, 0x1F, 0x0F, 0x07};
    uint32_t code = (unsigned char)ptr[0] & lead_mask[len];
    for (size_t i = 1; i < len; i++) {
        code = code << 6 | ((unsigned char)ptr[i] & 0x3F);
    }
    return code;
}

size_t jrpc_visible_sequence(const char *ptr, size_t len)
{
    size_t sequence = jrpc_utf8_sequence(ptr, len, NULL);
    return sequence > 0 && jrpc_code_is_visible(jrpc_utf8_code(ptr, sequence)) ? sequence : 0;
}
