#include "analysis/math/lane_width.h"

LaneWidth lane_width_choose(LaneWidth wanted)
{
    LaneWidth widest = LANES_SSE2;
    if (__builtin_cpu_supports("avx2"))
        widest = LANES_AVX2;
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq"))
        widest = LANES_AVX512;
    return wanted == LANES_AUTO || wanted > widest ? widest : wanted;
}

LaneWidth lane_width_for_frames(LaneWidth wanted, int frame_count)
{
    LaneWidth width = lane_width_choose(wanted);
    while (width > LANES_SCALAR && frame_count < (int)width)
        width = (LaneWidth)(width / 2);
    return width;
}
