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
