/* Soles of a skeleton's feet, the frames in which heel and ball of each foot are on the ground, and the height of that
 * ground.
 *
 * Heel and ball are those of the contact model (contact_points.h), so that planting uses the same points as kane
 * contact. A foot without a toe joint rolls over its tip. The toe tip lies on the line to the end of the toes, even if
 * a file places that end below the sole. A foot is in contact in the frames in which the contact stage gives it a
 * force. The clearance of heel and ball, with hysteresis, decides which of them supports the foot; at least one is down
 * in every frame of a contact. */
#ifndef KANE_RETARGET_FOOT_CONTACT_H
#define KANE_RETARGET_FOOT_CONTACT_H

#include <stddef.h>
#include <stdint.h>

#include "analysis/base/arena.h"
#include "analysis/base/status.h"
#include "analysis/clip/contact.h"
#include "analysis/contact/contact_points.h"
#include "analysis/math/quat.h"
#include "analysis/retarget/reference_pose.h"

typedef enum SolePoint { SOLE_HEEL = 0, SOLE_BALL, SOLE_TIP, SOLE_POINTS } SolePoint;

typedef struct Sole {
    int hip, knee, ankle;     /* joints; ankle -1: the skeleton lacks this leg */
    int toe;                  /* joint of the tip; the ankle if there is no toe joint */
    Vec3 local[SOLE_POINTS];  /* m; heel and ball in axes of the ankle, tip in axes of the toe joint */
    double length;            /* m, heel to ball */
    Vec3 hinge; /* unit, axes of the hip joint: axis about which the knee bends, the body's left at rest */
    Vec3 toe_hinge; /* unit, axes of the toe joint: axis about which toes bend up, the body's right at rest */
} Sole;

/* points: from contact_points_init for the skeleton of the reference pose. */
void sole_init(Sole sole[FOOT_COUNT], const ReferencePose *reference, const ContactPoints *points);

/* Makes the soles mirror images of each other by averaging each with the mirrored other: in a pose from a motion, most
 * of their difference comes from that motion. A skeleton without left and right counterparts is unchanged. */
Status sole_even(Sole sole[FOOT_COUNT], const ClipView *body, Error *err);

/* World position of a point of the sole, m. position, orientation: of every joint in one frame. */
Vec3 sole_point(const Sole *sole, SolePoint point, const Vec3 *position, const Quat *orientation);

typedef struct FootContact {
    int frame_count;
    double frame_time;
    uint8_t *in_contact;      /* [frame][foot] */
    uint8_t *down[2];         /* heel, ball: [frame][foot] */
    uint8_t *locked;          /* [frame][foot] 1: the foot stays at rest instead of sliding as in the source */
    double *level;            /* [frame][foot] m along the normal: height of the ground under the foot above the
                                 common ground */
    Vec3 normal;              /* unit */
    double height;            /* m along the normal: height of the common ground */
    Vec3 belt;                /* m/s, velocity of a treadmill belt */
} FootContact;

/* Reads skeleton, frame time and kinematics of the clip. If the contact has no points, the feet are never in contact.
 * Allocates in the arena. */
Status foot_contact_init(FootContact *out, const ClipView *clip, const Contact *contact, Arena *arena, Error *err);

/* Index in an array [frame][foot]. */
static inline size_t foot_index(int frame, int foot) { return (size_t)frame * FOOT_COUNT + (size_t)foot; }

#endif
