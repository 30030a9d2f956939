/* Feet and limbs of a retargeted motion: contacts of the source, where feet go, and the limbs that take them there. */
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
#include "analysis/motion/differentiate.h"
#include "analysis/retarget/reference_pose.h"

/* Legs and arms by one least-squares problem over all frames: how the hips shift, how far each limb turns and bends
 * from the copied motion, so that its end does what it should.
 *
 * Unknowns of a frame: the shift of the whole body, and of each limb the turn of its root joint (rotation vector) and
 * the bend of its middle joint. Angles and not places of the ends are sought, so that a straight limb is like any
 * other: what cannot be reached stays as an error and nothing snaps. Weighed against each other are
 *   the distance of the unknowns from wanted values, and the acceleration of that distance,
 *   the velocity of the ends along the ground, and their height,
 *   vectors between an end and another place,
 *   bounds: ends above a floor, middle joints not bent backwards, lower parts clear of other parts of the body.
 * All are deviations from what the source does, so that a motion put on its own skeleton is its own solution. Solved by
 * Gauss-Newton; frames are coupled with the next two, so that the matrix is a band.
 *
 * Reference: J. Lee, S. Y. Shin, A Hierarchical Approach to Interactive Motion Editing for Human-like Figures (1999),
 * and M. Gleicher, Retargetting Motion to New Characters (1998), for constraints met by smooth displacements. */

/* Symmetric positive definite band matrices: Cholesky in place and the solution of A x = b.
 *
 * Row i holds A[i][i] ... A[i][i + width], zeros past the last column. Right-looking: each row, once it is scaled, is
 * taken from the rows below it, so that the inner loop runs along memory and nothing is summed across lanes. Cost:
 * size * width^2 / 2 multiplications. */

typedef struct BandMatrix {
    size_t size;
    size_t width;  /* of the band beside the diagonal */
    double *value; /* [size][width + 1] */
} BandMatrix;

/* Zeroed; the array is taken from the arena (arena.failed reports). */
BandMatrix band_matrix(size_t size, size_t width, Arena *arena);

void band_matrix_clear(BandMatrix *a);

/* A[row][column]; column lies from row to row + width. */
static inline double *band_matrix_at(const BandMatrix *a, size_t row, size_t column)
{
    return a->value + row * (a->width + 1) + (column - row);
}

/* Replaces A by its factor and b by the solution; 0 where A is not positive definite, with both spoilt. */
int band_matrix_solve(BandMatrix *a, double *b);

enum { LIMB_LEFT_LEG = 0, LIMB_RIGHT_LEG, LIMB_LEFT_ARM, LIMB_RIGHT_ARM, LIMB_COUNT };

/* A limb in one frame of the copied motion, world axes. */
typedef struct LimbShape {
    Vec3 root;         /* m: hip or shoulder */
    Vec3 upper, lower; /* m: to knee or elbow, from there to ankle or wrist */
    Vec3 hinge;        /* unit: the axis about which the middle joint bends */
} LimbShape;

/* What is sought of a limb in one frame. */
typedef struct LimbState {
    Vec3 turn;   /* rotation vector, rad, world axes: of the whole limb about its root */
    double bend; /* rad, of the lower part about the hinge, before the turn */
} LimbState;

/* What the end of a limb should do in one frame. Weights 0: free. */
typedef struct LimbGoal {
    Vec3 velocity;          /* m/s, until the next frame; only its part along the ground counts */
    double velocity_weight; /* 0 .. 1 */
    double height;          /* m along the normal */
    double height_weight;   /* 0 .. 1 */
    double floor;           /* m along the normal: not below; -INFINITY: none */
} LimbGoal;

/* An end that should keep a vector to a place of the body, or to the end of another limb. */
typedef struct LimbTie {
    int limb, other; /* other -1: a place that moves with the body's shift */
    int frame;
    Vec3 place;      /* m, world, before the shift; of other -1 */
    Vec3 vector;     /* m, from there to the end */
    double weight;   /* 0 .. 1 */
} LimbTie;

/* A part of the body that the lower part of a limb stays clear of. */
typedef struct LimbGuard {
    int limb, frame;
    Vec3 part[2]; /* m: its line, world, before the shift, with which it moves */
    Vec3 side;    /* where the limb lies of it */
    double least; /* m, between both lines */
} LimbGuard;

typedef struct LimbProblem {
    int frame_count;
    double frame_time;
    Vec3 normal;                   /* unit, of the ground */
    double length;                 /* m, that lengths are measured by: a leg */
    int used[LIMB_COUNT];          /* 0: the limb stays as it is copied */
    LimbShape *shape[LIMB_COUNT];  /* [frame] */
    LimbState *wanted[LIMB_COUNT]; /* [frame] */
    LimbGoal *goal[LIMB_COUNT];    /* [frame] */
    Vec3 *wanted_shift;            /* [frame] m */
    double *fall;                  /* [frame] m/s2 along the normal: of the shift, where falls */
    uint8_t *falls;                /* [frame] */
    int tie_count;
    LimbTie *tie;                  /* [tie] in the order of frames */
    int guard_count;
    LimbGuard *guard;              /* [guard] in the order of frames */
} LimbProblem;

/* Weights: of a radian, and of a leg length, squared. Times: below 1 / time (rad/s) the distance counts, above it its
 * acceleration. */
typedef struct LimbSolveDef {
    double shift;                   /* default 2 */
    double turn, bend;              /* default 20, 20 */
    double shift_time, turn_time, bend_time; /* s; default 0.75, 0.06, 0.1 */
    double velocity;                /* of leg lengths per second; default 2000 */
    double height;                  /* default 3000 */
    double floor, straight;         /* default 12000, 3000 */
    double fall;                    /* of leg lengths per second squared; default 10 */
    double tie, guard;              /* default 6000, 3000 */
    double least_bend;              /* rad: a limb that is bent less stays as straight as it is; default 0.03 */
    int rounds;                     /* default 3 */
} LimbSolveDef;

LimbSolveDef limb_solve_default_def(void);

/* shift[frame], state[limb][frame] are filled. */
Status limb_solve(const LimbProblem *problem, const LimbSolveDef *def, Vec3 *shift, LimbState *state[LIMB_COUNT],
                  Error *err);

/* From the root to the end as turned and bent. */
Vec3 limb_reach(const LimbShape *shape, const LimbState *state);

/* Bend of the copied limb about its hinge, rad. */
double limb_bend(const LimbShape *shape);

/* The world turns of upper and lower part. */
Quat limb_upper_turn(const LimbState *state);
Quat limb_lower_turn(const LimbShape *shape, const LimbState *state);

/* Replaces value[frame] by a smooth curve that nowhere lies below it: the largest value within `width` frames, averaged
 * with the weights (1 - (i / (width + 1))^2)^3, which vanish smoothly. largest: [frame] scratch. */
void smooth_envelope(double *value, int frames, int width, double *largest);

/* The soles of a skeleton's feet, and when heel and ball of each foot rest on the ground, and how high that lies.
 *
 * Heel and ball are those of the contact model (contact_points.h), so that what is planted is what kane contact looks
 * at; a foot without a toe joint rolls over its tip. The tip of toes lies on the way to their end, wherever that is: a
 * file whose toes end below its soles shows them so. A foot is in contact in the frames in which the contact stage
 * gives it a force; which of heel and ball supports it follows from their clearance, with hysteresis. At least one of
 * them is down in every frame of a contact. */

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
    double near;   /* s before and after heel or ball is down in which it gains and loses its weight; default 0.12 */
    double in_air; /* the weight that it keeps in the air, 0 .. 1; default 0.005 */
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
