/* Where heel and ball of one foot stand: one place on the ground for as long as each is down.
 *
 * Within one contact the point that comes down first keeps the mean of where the copied motion has it; each further
 * one lies a sole's length from it along the mean heading; the whole is then shifted so that the copied motion is met
 * on average, and towards the hips where the leg would have to be straight: a straight leg whose foot stands still
 * while the body goes on must snap at the knee. A contact in which the copied foot travels farther, or turns further,
 * than a standing foot can is broken by a step. */
#ifndef KANE_RETARGET_FOOT_PLACE_H
#define KANE_RETARGET_FOOT_PLACE_H

#include <stddef.h>

#include "analysis/retarget/foot_contact.h"
#include "analysis/retarget/sole.h"

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

#endif
