/* analysis/math/lane_width: at most the processor's width, the requested one and the clip length. */
#include "tests/support/test.h"

#include "analysis/math/lane_width.h"

TEST(request_is_narrowed_but_never_widened)
{
    static const LaneWidth widths[] = {LANES_SCALAR, LANES_PAIR, LANES_AVX2, LANES_AVX512};
    LaneWidth widest = lane_width_choose(LANES_AUTO);
    assert_int_equal(LANES_BUILT & LANES_SCALAR, LANES_SCALAR);
    assert_true(widest >= (LANES_BUILT & LANES_PAIR)); /* runs on any x86-64 and arm64 */
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
        LaneWidth width = lane_width_choose(widths[i]);
        assert_true(width & LANES_BUILT && width <= widths[i] && width <= widest);
        if (widths[i] <= widest && widths[i] & LANES_BUILT)
            assert_int_equal(width, widths[i]);
    }
}

TEST(block_of_lanes_fits_every_clip)
{
    for (int frames = 1; frames < 20; frames++) {
        int width = (int)lane_width_for_frames(LANES_AUTO, frames);
        assert_true(width >= 1 && width <= frames);
        for (int wider = 2 * width; wider <= frames && wider <= LANES_AVX512; wider *= 2)
            assert_true(lane_width_choose((LaneWidth)wider) == (LaneWidth)width);
    }
    assert_int_equal(lane_width_for_frames(LANES_AVX512, 0), LANES_SCALAR);
    assert_int_equal(lane_width_for_frames(LANES_PAIR, 1000), lane_width_choose(LANES_PAIR));
}

typedef int TwinOf(int offset);
LANE_TWINS(TwinOf, twin);
int twin_scalar(int offset) { return offset + 1; }
int twin_pair(int offset) { return offset + 2; }
int twin_avx2(int offset) { return offset + 4; }
int twin_avx512(int offset) { return offset + 8; }

TEST(each_lane_width_has_its_function)
{
    static const LaneWidth widths[] = {LANES_SCALAR, LANES_PAIR, LANES_AVX2, LANES_AVX512};
    (void)state;
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
        TwinOf *function = LANE_TWIN(twin, widths[i]);
        if (widths[i] & LANES_BUILT)
            assert_int_equal(function(100), 100 + (int)widths[i]);
        else
            assert_null(function);
    }
    assert_int_equal(LANE_TWIN(twin, lane_width_choose(LANES_AUTO))(0), (int)lane_width_choose(LANES_AUTO));
}
