/* Feet and limbs of a retargeted motion: foot contacts of the source, goals for the target's feet, and the optimization
 * of the limbs that meets them. World axes, m, rad. */
#ifndef KANE_RETARGET_FEET_H
#define KANE_RETARGET_FEET_H

#include <stddef.h>
#include <stdint.h>

#include "analysis/base/arena.h"
#include "analysis/base/status.h"
#include "analysis/clip/contact.h"
#include "analysis/clip/motion.h"
#include "analysis/contact/contact_points.h"
#include "analysis/math/quat.h"
#include "analysis/motion/kinematics.h"
#include "analysis/retarget/reference_pose.h"

/* Fits legs and arms to goals of their ends by one least-squares problem over all frames.
 *
 * The unknowns of a frame are the shift of the whole body and, per limb, the rotation vector of its root joint and the
 * bend of its middle joint, relative to the copied motion. Angles rather than end positions are unknowns, so that
 * straight limbs need no special case: an unreachable goal leaves an error and no limb snaps. The terms are
 *  the distance of the unknowns from wanted values, and the acceleration of that distance,
 *  the velocity of the ends along the ground, and their height,
 *  vectors from an end to another point,
 *  bounds: ends above a floor, middle joints not bent backwards, lower parts clear of other parts of the body.
 *
 * All terms measure deviations from the source, so that a motion retargeted to its own skeleton is unchanged. Solved by
 * Gauss-Newton; each frame is coupled to the next two, so the matrix is banded.
 *
 * Reference: J. Lee, S. Y. Shin, A Hierarchical Approach to Interactive Motion Editing for Human-like Figures (1999),
 * and M. Gleicher, Retargetting Motion to New Characters (1998), for constraints met by smooth displacements. */

/* Symmetric positive definite band matrices: in-place Cholesky factorization and solution of A x = b.
 *
 * Row i contains A[i][i] ... A[i][i + width], zero beyond the last column. Right-looking: each row, once scaled, is
 * subtracted from the rows below, so that the inner loop reads memory in order and needs no reduction across lanes.
 * Cost: size * width^2 / 2 multiplications. */

typedef struct BandMatrix {
    size_t size;
    size_t width;  /* number of bands beside the diagonal */
    double *value; /* [size][width + 1] */
} BandMatrix;

/* Returns a zero matrix allocated in the arena (check arena->failed). */
BandMatrix band_matrix(size_t size, size_t width, Arena *arena);

void band_matrix_clear(BandMatrix *a);

/* Address of A[row][column]; row <= column <= row + width. */
static inline double *band_matrix_at(const BandMatrix *a, size_t row, size_t column)
{
    return a->value + row * (a->width + 1) + (column - row);
}

/* Replaces A by its factor and b by the solution. Returns 0 if A is not positive definite; A and b are then
 * undefined. */
int band_matrix_solve(BandMatrix *a, double *b);

enum { LIMB_LEFT_LEG = 0, LIMB_RIGHT_LEG, LIMB_LEFT_ARM, LIMB_RIGHT_ARM, LIMB_COUNT };

/* A limb in one frame of the copied motion, world axes. */
typedef struct LimbShape {
    Vec3 root;         /* m: hip or shoulder */
    Vec3 upper, lower; /* m: root to knee or elbow; from there to ankle or wrist */
    Vec3 hinge;        /* unit axis about which the middle joint bends */
} LimbShape;

/* The unknowns of a limb in one frame. */
typedef struct LimbState {
    Vec3 rotation; /* rotation vector, rad, world axes: rotation of the whole limb about its root */
    double bend;   /* rad, rotation of the lower part about the hinge, applied before the turn */
} LimbState;

/* Goals of the end of a limb in one frame. Weight 0: no goal. */
typedef struct LimbGoal {
    Vec3 velocity;          /* m/s, to the next frame; only its component along the ground counts */
    double velocity_weight; /* 0 .. 1 */
    double height;          /* m along the normal */
    double height_weight;   /* 0 .. 1 */
    double floor;           /* lower bound, m along the normal; -INFINITY: none */
} LimbGoal;

/* An end that keeps a given vector to a point of the body or to the end of another limb. */
typedef struct LimbTie {
    int limb, other; /* other -1: `position`, which moves with the body's shift */
    int frame;
    Vec3 position;   /* m, world, before the shift; used if other is -1 */
    Vec3 vector;     /* m, from the other point to the end */
    double weight;   /* 0 .. 1 */
} LimbTie;

/* A part of the body from which the lower part of a limb keeps a distance. */
typedef struct LimbGuard {
    int limb, frame;
    Vec3 part[2]; /* m, world: ends of its axis before the shift; it moves with the shift */
    Vec3 side;    /* direction from the part to the limb in the source */
    double least; /* m, least distance between both axes */
} LimbGuard;

typedef struct LimbProblem {
    int frame_count;
    double frame_time;
    Vec3 normal;                   /* unit, of the ground */
    double length;                 /* m, unit of lengths: the leg */
    int used[LIMB_COUNT];          /* 0: the limb stays as copied */
    LimbShape *shape[LIMB_COUNT];  /* [frame] */
    LimbState *wanted[LIMB_COUNT]; /* [frame] */
    LimbGoal *goal[LIMB_COUNT];    /* [frame] */
    Vec3 *wanted_shift;            /* [frame] m */
    double *fall;                  /* [frame] m/s2 along the normal: of the shift, where falls */
    uint8_t *falls;                /* [frame] m/s2 along the normal: acceleration of the shift where falls is 1 */
    int tie_count;
    LimbTie *tie;                  /* [tie] ordered by frame */
    int guard_count;
    LimbGuard *guard;              /* [guard] ordered by frame */
} LimbProblem;

/* Weights apply to squared radians or squared leg lengths. In slow changes, below 1 / time (rad/s), the distance term
 * dominates; in fast ones its acceleration term. */
typedef struct LimbSolveDef {
    double shift;                   /* default 2 */
    double rotation, bend;          /* default 20, 20 */
    double shift_time, rotation_time, bend_time; /* s; default 0.75, 0.06, 0.1 */
    double velocity;                /* per squared leg lengths per second; default 2000 */
    double height;                  /* default 3000 */
    double floor, straight;         /* default 12000, 3000 */
    double fall;                    /* per squared leg lengths per second squared; default 10 */
    double tie, guard;              /* default 6000, 3000 */
    double least_bend;              /* rad: a limb bent less than this is not straightened further; default 0.03 */
    int rounds;                     /* Gauss-Newton iterations; default 3 */
} LimbSolveDef;

LimbSolveDef limb_solve_default_def(void);

/* Fills shift[frame] and state[limb][frame] of the used limbs. Errors: no memory, or a singular system
 * (STATUS_INTERNAL). */
Status limb_solve(const LimbProblem *problem, const LimbSolveDef *def, Vec3 *shift, LimbState *state[LIMB_COUNT],
                  Error *err);

/* Vector from root to end after turn and bend, m. */
Vec3 limb_reach(const LimbShape *shape, const LimbState *state);

/* Bend of the copied limb about its hinge, rad. */
double limb_bend(const LimbShape *shape);

/* World rotations of the upper and of the lower part. */
Quat limb_upper_rotation(const LimbState *state);
Quat limb_lower_rotation(const LimbShape *shape, const LimbState *state);

/* Replaces value[frame] by a smooth upper envelope: the largest value within `width` frames, averaged with the weights
 * (1 - (i / (width + 1))^2)^3, which vanish smoothly. largest: [frame] scratch. */
void smooth_envelope(double *value, int frames, int width, double *largest);

/* Soles of a skeleton's feet, the frames in which heel and ball of each foot are on the ground, and the height of that
 * ground.
 *
 * Heel and ball are those of the contact model (contact_points.h), so that planting uses the same points as kane
 * contact. A foot without a toe joint rolls over its tip. The toe tip lies on the line to the end of the toes, even if
 * a file places that end below the sole. A foot is in contact in the frames in which the contact stage gives it a
 * force. The clearance of heel and ball, with hysteresis, decides which of them supports the foot; at least one is down
 * in every frame of a contact. */

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
Status sole_even(Sole sole[FOOT_COUNT], const Skeleton *skeleton, Error *err);

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

/* Goals of the target's feet: their soles move as the source's do, scaled. In contact the goals are velocity along the
 * ground and height, in the air they have a small weight, and nowhere does a sole sink deeper than the source's.
 *
 * A foot keeps its orientation (feet.c), so its points follow from the ankle; the supporting points determine the
 * ankle's velocity and height. If the source's feet slide, the target's slide with them: only the sliding that
 * retargeting adds is removed. A locked contact stays at rest instead. */

/* World poses of a body with its soles. */
typedef struct SoledPose {
    const Sole *sole;        /* [foot] */
    const Vec3 *position;    /* [frame][joint] m */
    const Quat *orientation; /* [frame][joint] */
    int joint_count;
} SoledPose;

static inline const Vec3 *soled_pose_positions(const SoledPose *p, int frame)
{
    return p->position + (size_t)frame * (size_t)p->joint_count;
}

/* The target as copied and its source. */
typedef struct FootPair {
    SoledPose target, source;
    const FootContact *contact; /* of the source */
    double scale, leg;          /* size of target over source; m, leg of the target */
} FootPair;

typedef struct FootGoalDef {
    double near;   /* s before and after a contact over which the weight of heel or ball rises and falls; default
                      0.12 */
    double in_air; /* weight of heel and ball in the air, 0 .. 1; default 0.005 */
} FootGoalDef;

FootGoalDef foot_goal_default_def(void);

/* Fills goal[frame] of a foot that both bodies have. weight[2]: [frame] scratch. */
void foot_goal_fill(const FootPair *pair, const FootGoalDef *def, int foot, LimbGoal *goal, double *const weight[2]);

/* Height along the normal, m, below which a sole of the target is deeper in the ground than the source's. */
double foot_goal_floor(const FootPair *pair, int foot, int frame);

/* Levels feet and toes of the target to the source's.
 *
 * In the pose in which two skeletons are compared, a foot may not be flat. Each foot is therefore rotated by a constant
 * angle about its lateral axis, then its toes, by the mean difference of both soles' slopes over the frames in which
 * heel and ball of the source are down. For a motion on its own skeleton the angle is zero. */

/* Rotates ankle and toe joints of one foot. position, orientation: [frame][joint], the arrays of pair->target, changed
 * in place. */
void sole_level(const FootPair *pair, int foot, Vec3 *position, Quat *orientation);

/* Foot contacts as rows of a table that users can edit: the interval in which a part of a foot is down, and whether it
 * slides as in the source, stays at rest, or is free. */

typedef enum PlantMode { PLANT_KEEP = 0, PLANT_LOCK, PLANT_NONE } PlantMode;

typedef struct ContactRow {
    int foot;        /* FOOT_LEFT, FOOT_RIGHT */
    int part;        /* SOLE_HEEL, SOLE_BALL */
    double from, to; /* s, time of the source: frames with from <= time < to */
    PlantMode mode;  /* PLANT_NONE: no contact there */
} ContactRow;

typedef struct ContactEdits {
    int count;
    ContactRow *row; /* owned */
} ContactEdits;

void contact_edits_free(ContactEdits *rows);

/* Lists the contacts, ordered by foot, part and time. */
Status contact_edits_from(const FootContact *contact, const Motion *motion, ContactEdits *out, Error *err);

/* Replaces the contacts by those of the rows; of overlapping rows the last one applies. Frame times are those of the
 * motion. */
void contact_edits_apply(const ContactEdits *rows, const Motion *motion, FootContact *contact);

/* Toe flexion that keeps the tip from sinking deeper than the source's. */

/* Fills bend[frame], rad, upwards about the sole's toe hinge: a smooth envelope of the bend that the ground requires;
 * bend_time: s, its half width. Zero if the foot has no toe joint. ankle[frame]: m, world, planted position; the foot's
 * orientation is that of pair->target. scratch: [frame]. */
void toe_bend_fill(const FootPair *pair, int foot, const Vec3 *ankle, double bend_time, double *bend, double *scratch);

#endif
