/* Fills the gaps of a track along time with critically damped springs.
 *
 * In a gap the value is the sum of two springs, one let go at the last held frame before it and one that runs backward
 * in time from the first held frame behind it, with the amplitudes that make value and rate continuous at both ends.
 * Before the first held frame and after the last one there is one spring: the value dies away. */
#ifndef KANE_RETARGET_SPRING_BRIDGE_H
#define KANE_RETARGET_SPRING_BRIDGE_H

#include <stdint.h>

#include "analysis/math/vec.h"

/* value: [frame], given where held, else filled. rate: [frame] per second, read where held beside a gap. */
void spring_bridge(Vec3 *value, const Vec3 *rate, const uint8_t *held, int frames, double frame_time, double omega);

#endif
