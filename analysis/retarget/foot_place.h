/* Where and when one foot stands: one place on the ground for heel and ball, for as long as each is down.
 *
 * Within one contact the point that comes down first keeps the mean of where the copied motion has it; each further
 * one lies a sole's length from it along the mean heading; the whole is then shifted so that the copied motion is met
 * on average, and towards the hips where the leg would have to be straight: a straight leg whose foot stands still
 * while the body goes on must snap at the knee. A contact in which the copied foot travels farther, or turns further,
 * than a standing foot can is broken by a step.
 *
 * A foot that comes down fast and stops with the first frame of its contact jerks the leg, so it rests on the ground
 * from the first to the last frame in which it is slow up and down. Where contacts begin early and end late (they are
 * found on smoothed motions) that would leave much of them in the air: then it rests longer, frame by frame on its
 * lower side. */
#ifndef KANE_RETARGET_FOOT_PLACE_H
#define KANE_RETARGET_FOOT_PLACE_H

#include "analysis/retarget/foot_contact.h"

typedef struct FootPlaceDef {
    double most_way;  /* leg lengths that the copied foot may travel in one contact; default 0.35 */
    double turned_cosine; /* of the angle by which it may turn in one contact; default 0.7 */
    double step_time; /* s that a step takes which breaks a contact; default 0.4 */
    double straight;  /* of the leg's length: places that need a straighter leg are moved towards the hips; default
                         0.97 */
    double most_shift; /* leg lengths: by this much at most; default 0.06 */
} FootPlaceDef;

/* One foot; arrays are borrowed. */
typedef struct FootPlace {
    const FootContact *contact;
    int foot;
    double scale, leg;      /* target over source; m, leg length of the target */
    double sole_length;     /* m */
    const Vec3 *copied[2];  /* heel, ball: [frame] m, world, of the copied motion */
    const Vec3 *hip;        /* [frame] m, from the ankle to the hip in the copied motion */
    Vec3 *place[2];         /* heel, ball: [frame] m, world, on the ground; filled where held */
    uint8_t *held[2];       /* heel, ball: [frame]; zeroed by the caller, filled */
} FootPlace;

/* Height of the ground under the foot, m along the normal. */
double foot_place_ground(const FootPlace *p, int frame);

void foot_place_fill(FootPlace *p, const FootPlaceDef *def);

/* How the sole of one foot moves up and down in the copied motion: its lower point. */
typedef struct SoleTrack {
    int frames;
    const double *height, *speed; /* [frame] m, m/s along the normal */
    const uint8_t *held;          /* [frame] 1: in a stance */
} SoleTrack;

/* slow: m/s; least: of a stance's frames, those in which the sole is on the ground or within 15 mm of it. Sets settled:
 * [frame], 1 where the foot rests; every stance has at least one such frame. */
void foot_place_settle(const SoleTrack *track, double slow, double least, uint8_t *settled);

#endif
