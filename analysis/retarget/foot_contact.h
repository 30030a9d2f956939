/* The soles of a skeleton's feet, and when heel and ball of each foot rest on the ground, and how high that lies.
 *
 * Heel and ball are those of the contact model (contact_points.h), so that what is planted is what kane contact looks
 * at; a foot without a toe joint rolls over its tip. The tip of toes lies on the way to their end, wherever that is: a
 * file whose toes end below its soles shows them so. A foot is in contact in the frames in which the contact stage
 * gives it a force; which of heel and ball bears it follows from their clearance, with hysteresis. At least one of them
 * is down in every frame of a contact. */
#ifndef KANE_RETARGET_FOOT_CONTACT_H
#define KANE_RETARGET_FOOT_CONTACT_H

#include <stdint.h>

#include "analysis/base/arena.h"
#include "analysis/base/status.h"
#include "analysis/clip/contact.h"
#include "analysis/contact/contact_points.h"
#include "analysis/retarget/reference_pose.h"

typedef enum SolePoint { SOLE_HEEL = 0, SOLE_BALL, SOLE_TIP, SOLE_POINTS } SolePoint;

typedef struct Sole {
    int hip, knee, ankle;     /* joints; ankle -1: the skeleton lacks this leg */
    int toe;                  /* joint that carries the tip: the ankle itself where there is no toe joint */
    Vec3 local[SOLE_POINTS];  /* m; heel and ball in axes of the ankle, tip in those of toe */
    double length;            /* m, heel to ball */
    Vec3 hinge; /* unit, axes of the hip joint: the axis about which the knee bends, the body's left at rest */
    Vec3 toe_hinge; /* unit, axes of toe: the axis about which toes bend up, the body's right at rest */
} Sole;

/* points: of contact_points_init for the skeleton of the reference pose. */
void sole_init(Sole sole[FOOT_COUNT], const ReferencePose *reference, const ContactPoints *points);

/* Makes both soles the mean of themselves and of each other's image, as a pose that is a frame of a motion is made
 * even: what they differ by is mostly the motion that they were found in. A body without sides stays as it is. */
Status sole_even(Sole sole[FOOT_COUNT], const Skeleton *skeleton, Error *err);

/* World place of a point of the sole. position, orientation: of every joint in one frame. */
Vec3 sole_point(const Sole *sole, SolePoint point, const Vec3 *position, const Quat *orientation);

typedef struct FootContact {
    int frame_count;
    double frame_time;
    uint8_t *in_contact;      /* [frame][foot] */
    uint8_t *down[2];         /* heel, ball: [frame][foot] */
    uint8_t *locked;          /* [frame][foot] 1: stands still instead of moving as it does */
    double *level;            /* [frame][foot] m along the normal, of what the foot stands on above the common ground */
    Vec3 normal;              /* unit */
    double height;            /* m along the normal */
    Vec3 belt;                /* m/s */
} FootContact;

/* Reads skeleton, frame time and kinematics of the clip. A contact without points gives feet that never touch. The
 * arrays are taken from the arena. */
Status foot_contact_init(FootContact *out, const ClipView *clip, const Contact *contact, Arena *arena, Error *err);

/* Of an array [frame][foot]. */
static inline size_t foot_index(int frame, int foot) { return (size_t)frame * FOOT_COUNT + (size_t)foot; }

#endif
