/* A smooth curve above another one. */
#ifndef KANE_RETARGET_FEET_H
#define KANE_RETARGET_FEET_H

#include <stdint.h>

#include "analysis/base/arena.h"
#include "analysis/base/status.h"
#include "analysis/clip/contact.h"
#include "analysis/clip/motion.h"
#include "analysis/contact/contact_points.h"
#include "analysis/motion/differentiate.h"
#include "analysis/retarget/limb_solve.h"
#include "analysis/retarget/reference_pose.h"

/* Replaces value[frame] by a smooth curve that nowhere lies below it: the largest value within `width` frames, averaged
 * with the weights (1 - (i / (width + 1))^2)^3, which vanish smoothly. largest: [frame] scratch. */
void smooth_envelope(double *value, int frames, int width, double *largest);

/* The soles of a skeleton's feet, and when heel and ball of each foot rest on the ground, and how high that lies.
 *
 * Heel and ball are those of the contact model (contact_points.h), so that what is planted is what kane contact looks
 * at; a foot without a toe joint rolls over its tip. The tip of toes lies on the way to their end, wherever that is: a
 * file whose toes end below its soles shows them so. A foot is in contact in the frames in which the contact stage
 * gives it a force; which of heel and ball bears it follows from their clearance, with hysteresis. At least one of them
 * is down in every frame of a contact. */

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

/* What the target's feet should do so that its soles move as the source's do, scaled: in contact along the ground and
 * up and down, in the air a little, and nowhere deeper in the ground.
 *
 * A foot keeps the orientation that it has (feet.c); its places then follow from the ankle's, and the points that
 * bear ask for the ankle's velocity and height. Where the source's feet slide the
 * target's slide along: only what retargeting adds is taken out. A locked contact stands still instead. */

/* A body in motion with its soles. */
typedef struct SoledPose {
    const Sole *sole;        /* [foot] */
    const Vec3 *position;    /* [frame][joint] m */
    const Quat *orientation; /* [frame][joint] */
    int joint_count;
} SoledPose;

/* The target as copied, and its source. */
typedef struct FootPair {
    SoledPose target, source;
    const FootContact *contact; /* of the source */
    double scale, leg;          /* of target over source; m, leg of the target */
} FootPair;

typedef struct FootGoalDef {
    double near;   /* s before and after heel or ball is down in which it gains and loses its say; default 0.12 */
    double in_air; /* the say that it keeps in the air, 0 .. 1; default 0.005 */
} FootGoalDef;

FootGoalDef foot_goal_default_def(void);

/* goal[frame] of one foot that both bodies have. weight[2]: [frame] scratch. */
void foot_goal_fill(const FootPair *pair, const FootGoalDef *def, int foot, LimbGoal *goal, double *const weight[2]);

/* Height along the normal below which a sole of the target is deeper in the ground than the source's is, m. */
double foot_goal_floor(const FootPair *pair, int foot, int frame);

/* Feet and toes of the target lie as flat as the source's when those lie flat.
 *
 * The pose in which two skeletons are compared may be one in which a foot is not flat. Each foot is therefore turned by
 * one constant about its lateral axis, and then its toes, by the mean difference of both soles' slopes over the frames
 * in which heel and ball of the source are down: nothing where a body is put on itself. */

/* Turns ankle and toe joints of one foot in the pose of the pair's target, which is that of these arrays:
 * [frame][joint]. */
void sole_level(const FootPair *pair, int foot, Vec3 *position, Quat *orientation);

/* Contacts of feet as rows of a table, to be seen and edited: which part of which foot is down from when to when, and
 * whether it keeps the source's own slide, stands still, or is let go. */

typedef enum PlantMode { PLANT_KEEP = 0, PLANT_LOCK, PLANT_NONE } PlantMode;

typedef struct ContactRow {
    int foot;        /* FOOT_LEFT, FOOT_RIGHT */
    int part;        /* SOLE_HEEL, SOLE_BALL */
    double from, to; /* s, of the source's time: the frames from the first on, before the second */
    PlantMode mode;  /* PLANT_NONE: no contact there */
} ContactRow;

typedef struct ContactEdits {
    int count;
    ContactRow *row; /* owned */
} ContactEdits;

void contact_edits_free(ContactEdits *rows);

/* What is down in the contact, in order of feet, parts and time. */
Status contact_edits_from(const FootContact *contact, const Motion *motion, ContactEdits *out, Error *err);

/* The contact becomes that of the rows; where they overlap the later one holds. Frame times are those of the motion. */
void contact_edits_apply(const ContactEdits *rows, const Motion *motion, FootContact *contact);

/* Toes of the target that bend up where the foot would press their tip deeper into the ground than the source's is. */

/* ankle[frame]: m, world, where it is placed; its foot turns as in the pose of the pair. bend[frame] (rad, upwards,
 * about the sole's toe hinge): a smooth envelope of what the ground asks for; bend_time: s, its half width. Zero of a
 * foot whose toe is its ankle. scratch: [frame]. */
void toe_bend_fill(const FootPair *pair, int foot, const Vec3 *ankle, double bend_time, double *bend, double *scratch);

#endif
