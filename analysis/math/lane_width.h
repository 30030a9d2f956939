/* Selects the instruction set of the lane kernels, once per call, from the processor's features. */
#ifndef KANE_MATH_LANE_WIDTH_H
#define KANE_MATH_LANE_WIDTH_H

typedef enum LaneWidth {
    LANES_AUTO = 0,
    LANES_SCALAR = 1,
    LANES_PAIR = 2, /* SSE2, NEON, SIMD of WebAssembly */
    LANES_AVX2 = 4,
    LANES_AVX512 = 8,
} LaneWidth;

/* Returns the widest set of this processor for LANES_AUTO; limits a request to that set. */
static inline LaneWidth lane_width_choose(LaneWidth wanted)
{
    LaneWidth widest = LANES_PAIR;
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx2"))
        widest = LANES_AVX2;
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq"))
        widest = LANES_AVX512;
#endif
    return wanted == LANES_AUTO || wanted > widest ? widest : wanted;
}

/* The same, limited further so that the frames fill one block of lanes: LANES_SCALAR for one frame. */
static inline LaneWidth lane_width_for_frames(LaneWidth wanted, int frame_count)
{
    LaneWidth width = lane_width_choose(wanted);
    while (width > LANES_SCALAR && frame_count < (int)width)
        width = (LaneWidth)(width / 2);
    return width;
}

/* A lane kernel (lanes.h) has one variant ("twin") per instruction set. Its header declares the function type and the
 * variants,
 *   typedef void BiquadRow(const Section *section, double *row, double *state, size_t channel_count);
 *   LANE_TWINS(BiquadRow, biquad_row);
 * and the plain file beside it selects the variant of a width:
 *   BiquadRow *filter = LANE_TWIN(biquad_row, lane_width_choose(wanted)); */
#define LANE_TWINS(Type, name) Type name##_scalar, name##_pair, name##_avx2, name##_avx512

#ifdef __x86_64__
#define LANE_TWIN(name, width) \
    (((__typeof__(&name##_scalar)[]){name##_scalar, name##_pair, name##_avx2, name##_avx512})[lane_twin(width)])
#else
#define LANE_TWIN(name, width) (((__typeof__(&name##_scalar)[]){name##_scalar, name##_pair})[lane_twin(width)])
#endif

static inline int lane_twin(LaneWidth width)
{
    return width == LANES_AVX512 ? 3 : width == LANES_AVX2 ? 2 : width == LANES_PAIR ? 1 : 0;
}

#endif
