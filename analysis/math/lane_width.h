/* Selects the instruction set of the lane kernels, once per call, from the processor's features. */
#ifndef KANE_MATH_LANE_WIDTH_H
#define KANE_MATH_LANE_WIDTH_H

#include <stddef.h>

typedef enum LaneWidth {
    LANES_AUTO = 0,
    LANES_SCALAR = 1,
    LANES_PAIR = 2, /* SSE2, NEON, SIMD of WebAssembly */
    LANES_AVX2 = 4,
    LANES_AVX512 = 8,
} LaneWidth;

#ifndef LANES_BUILT
#error "the build defines LANES_BUILT, the sum of the widths of its kernels (WIDTHS in the Makefile)"
#endif

static inline int lane_width_runs(LaneWidth width)
{
#ifdef __x86_64__
    if (width == LANES_AVX2)
        return __builtin_cpu_supports("avx2");
    if (width == LANES_AVX512)
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq");
#endif
    return width <= LANES_PAIR;
}

/* Returns the widest set that the build contains and the processor has, at most the wanted one. Every build contains
 * LANES_SCALAR. */
static inline LaneWidth lane_width_choose(LaneWidth wanted)
{
    LaneWidth width = wanted == LANES_AUTO ? LANES_AVX512 : wanted;
    while (!(width & LANES_BUILT) || !lane_width_runs(width))
        width = (LaneWidth)(width / 2);
    return width;
}

/* The same, limited further so that the frames fill one block of lanes: LANES_SCALAR for one frame. */
static inline LaneWidth lane_width_for_frames(LaneWidth wanted, int frame_count)
{
    LaneWidth width = lane_width_choose(wanted);
    while (width > LANES_SCALAR && frame_count < (int)width)
        width = lane_width_choose((LaneWidth)(width / 2));
    return width;
}

/* A lane kernel (lanes.h) has one variant ("twin") per instruction set. Its header declares the function type and the
 * variants,
 *   typedef void BiquadRow(const Section *section, double *row, double *state, size_t channel_count);
 *   LANE_TWINS(BiquadRow, biquad_row);
 * and the plain file beside it selects the variant of a width:
 *   BiquadRow *filter = LANE_TWIN(biquad_row, lane_width_choose(wanted)); */
#define LANE_TWINS(Type, name) Type name##_scalar, name##_pair, name##_avx2, name##_avx512

#if LANES_BUILT & 2
#define LANE_PAIR_TWIN(name) name##_pair
#else
#define LANE_PAIR_TWIN(name) NULL
#endif
#if LANES_BUILT & 4
#define LANE_AVX2_TWIN(name) name##_avx2
#else
#define LANE_AVX2_TWIN(name) NULL
#endif
#if LANES_BUILT & 8
#define LANE_AVX512_TWIN(name) name##_avx512
#else
#define LANE_AVX512_TWIN(name) NULL
#endif
#define LANE_TWIN(name, width) \
    (((__typeof__(&name##_scalar)[]){name##_scalar, LANE_PAIR_TWIN(name), LANE_AVX2_TWIN(name), \
                                     LANE_AVX512_TWIN(name)})[lane_twin(width)])

static inline int lane_twin(LaneWidth width)
{
    return width == LANES_AVX512 ? 3 : width == LANES_AVX2 ? 2 : width == LANES_PAIR ? 1 : 0;
}

#endif
