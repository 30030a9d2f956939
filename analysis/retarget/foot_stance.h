/* From when to when a foot that is in contact rests on the ground.
 *
 * A foot that comes down fast and stops with the first frame of its contact jerks the leg, so it stands from the first
 * to the last frame in which it is slow up and down. Where contacts begin early and end late (they are found on smoothed
 * motions) that would leave much of them in the air: then it stands longer, frame by frame on its lower side. */
#ifndef KANE_RETARGET_FOOT_STANCE_H
#define KANE_RETARGET_FOOT_STANCE_H

#include <stdint.h>

/* height, speed: [frame] m and m/s along the normal, of the sole's lower point in the copied motion. held: [frame] 1 in
 * a stance. least: of a stance's frames, those in which the sole is on the ground or within 15 mm of it. Sets settled:
 * [frame], 1 where the foot rests; every stance has at least one such frame. */
void foot_stance_settle(const double *height, const double *speed, const uint8_t *held, int frames, double slow,
                        double least, uint8_t *settled);

#endif
