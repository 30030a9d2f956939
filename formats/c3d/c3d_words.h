/* Numbers of C3D files: little-endian IEEE (Intel), VAX F floating point (DEC), big-endian IEEE (SGI, MIPS).
 * C3D user guide, "Parameter section"; VAX Architecture Reference Manual, "F_floating". */
#ifndef KANE_C3D_C3D_WORDS_H
#define KANE_C3D_C3D_WORDS_H

#include <stdint.h>
#include <string.h>

typedef enum C3dProcessor { C3D_INTEL = 84, C3D_DEC = 85, C3D_SGI = 86 } C3dProcessor;

static inline uint16_t c3d_word(C3dProcessor processor, const unsigned char *at)
{
    return processor == C3D_SGI ? (uint16_t)(at[0] << 8 | at[1]) : (uint16_t)(at[1] << 8 | at[0]);
}

static inline int c3d_signed_word(C3dProcessor processor, const unsigned char *at)
{
    int word = c3d_word(processor, at);
    return word < 0x8000 ? word : word - 0x10000;
}

/* A VAX number has its high word first and an exponent that is 2 larger; it has no infinity. */
static inline double c3d_real(C3dProcessor processor, const unsigned char *at)
{
    uint32_t first = c3d_word(processor, at), second = c3d_word(processor, at + 2);
    uint32_t bits = processor == C3D_INTEL ? second << 16 | first : first << 16 | second;
    float value;
    if (processor == C3D_DEC) {
        double size = (double)(0x800000 | (bits & 0x7FFFFF)) / 0x1000000;
        int exponent = (int)(bits >> 23 & 0xFF) - 128;
        for (; exponent > 0; exponent--)
            size *= 2;
        for (; exponent < 0; exponent++)
            size /= 2;
        return (bits & 0x7F800000) == 0 ? 0 : bits >> 31 ? -size : size;
    }
    memcpy(&value, &bits, sizeof value);
    return value;
}

#endif
