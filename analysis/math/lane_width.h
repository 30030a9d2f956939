/* Which instruction set the lane kernels run on: chosen once per call from what the processor has. */
#ifndef KANE_MATH_LANE_WIDTH_H
#define KANE_MATH_LANE_WIDTH_H

typedef enum LaneWidth {
    LANES_AUTO = 0,
    LANES_SCALAR = 1,
    LANES_SSE2 = 2,
    LANES_AVX2 = 4,
    LANES_AVX512 = 8,
} LaneWidth;

/* LANES_AUTO becomes the widest set of this processor; a wider request than the processor has is narrowed. */
LaneWidth lane_width_choose(LaneWidth wanted);

/* The same, narrowed further so that the clip fills one block of lanes: LANES_SCALAR for one frame. */
LaneWidth lane_width_for_frames(LaneWidth wanted, int frame_count);

#endif
