/* A clip: the contents of a clip file, with one member per group.
 *
 * A stage fills the next group from the earlier ones. The has_* members mark the groups that are present. */
#ifndef KANE_CLIP_CLIP_H
#define KANE_CLIP_CLIP_H

#include <math.h>

#include "analysis/base/status.h"
#include "analysis/clip/anatomy.h"
#include "analysis/clip/contact.h"
#include "analysis/clip/motion.h"
#include "analysis/clip/skeleton.h"
#include "analysis/clip/trust.h"
#include "analysis/math/lane_width.h"
#include "analysis/math/quat.h"
#include "analysis/math/vec.h"

/* Confidence of what import detects because a file does not state it. */

/* Probabilities that each detection is correct, 0..1; 1 if set by an option. All 0: unknown. The order is that of the
 * root attribute `confidence` of a clip file. */
typedef struct Decisions {
    double unit, up_axis, frame_rate, root_offset, positions, first_frame;
} Decisions;

enum { DECISION_COUNT = sizeof(Decisions) / sizeof(double), DECISIONS_TEXT_SIZE = 96 };

/* Detections with less confidence are marked in messages, info, index and report page. */
#define DECISION_UNSURE 0.8

/* Below this a detection is more likely wrong than right; for a unit this gives a warning. */
#define DECISION_GUESS 0.5

/* Name such as "up_axis", and probability, by index in the order above. */
const char *decision_name(int i);
double decision_value(const Decisions *d, int i);

/* The lowest confidence; NaN: unknown. */
double decisions_least(const Decisions *d);

/* Lists the detections of low confidence by name: "unit, up axis"; "" if there are none or confidences are unknown. */
void decisions_unsure(const Decisions *d, char text[DECISIONS_TEXT_SIZE]);

/* Simulation of the clip by tracking controllers: group /tracking of a clip file, one subgroup per controller.
 *
 * Bodies too light to be simulated are attached to another one, their carrier: only the carrier's joint has errors and
 * torques, the others have zeros. */

/* In the order of the table and of the file. */
typedef enum ControllerKind {
    CONTROLLER_PD = 0,
    CONTROLLER_PD_FEEDFORWARD,
    CONTROLLER_STABLE_PD,
    CONTROLLER_BUBBLE_UP,
    CONTROLLER_KANE,
    CONTROLLER_KANE_FEEDFORWARD,
    CONTROLLER_PD_INVERSE,
    CONTROLLER_COUNT
} ControllerKind;

/* Returns a name such as "stable-pd". Static storage. */
const char *controller_name(ControllerKind kind);

/* Result of one controller. */
typedef struct TrackingRun {
    int present;
    double *orientation_error; /* [frame][joint] rad, of the body in world axes */
    double *position_error;    /* [frame][joint] m, of the body's centre of mass */
    Quat *orientation;         /* [frame][joint] joint to world, simulated */
    Vec3 *torque;              /* [frame][joint] N m, of the parent on the body, world axes; root: external */
    Vec3 *root_position;       /* [frame] m, of the clip's root joint, simulated */
    Vec3 *root_residual_force; /* [frame] N, of the residual actuator on the first body's joint, mean over the step */
    Vec3 *root_residual_torque; /* [frame] N m, about that joint */
    Vec3 *ball;                /* [frame] m, centre of the ball, NaN before its release; NULL: no ball */
    double mean_error;         /* rad, over bodies and frames */
    double p95_error;          /* rad */
    double final_error;        /* rad, over bodies, in the last frame */
    double mean_distance;      /* m, over bodies and frames */
    double stable_time;        /* s, to the end, or until the simulation diverged */
    double torque_sum_mean;    /* N m, mean over time of the sum of all torque magnitudes */
    double root_residual_force_rms;  /* body weights */
    double root_residual_torque_rms; /* N m/kg */
    int is_flown_apart;        /* 1: diverged at stable_time, the pose is held from there on; not stored */
    int unsettled_count;       /* solves of contacts and limits that did not converge; not stored */
    double unsettled_time;     /* s, of the first of these */
} TrackingRun;

typedef struct Tracking {
    int frame_count, joint_count;
    double *time; /* [frame] s */
    int *carrier; /* [joint] joint of the body that it moves with: itself or an ancestor */
    TrackingRun run[CONTROLLER_COUNT];
} Tracking;

/* Allocates zeroed arrays, without runs. */
Status tracking_init(Tracking *t, int frame_count, int joint_count, Error *err);
/* Allocates zeroed arrays for a run and marks it as present; the ball's only if has_ball. */
Status tracking_add_run(Tracking *t, ControllerKind kind, int has_ball, Error *err);

/* The simulated motion of a run for skeleton `s`: joint rotations relative to the parents and root positions, at the
 * rate of the steps. STATUS_BAD_INPUT for a run that is absent or has fewer than two steps. The caller frees *out. */
Status tracking_motion(const Tracking *t, ControllerKind kind, const Skeleton *s, Motion *out, Error *err);
void tracking_free(Tracking *t);

/* Quantities of a simulated scene per frame besides its motion: groups /simulation and /particles of a clip file. World
 * axes. */

typedef struct Simulation {
    int frame_count;
    double *kinetic_energy;   /* [frame] J */
    double *potential_energy; /* [frame] J, of gravity and joint springs */
    double *spring_energy;    /* [frame] J, of tendons */
    Vec3 *momentum;           /* [frame] kg m/s, linear momentum */
    Vec3 *angular_momentum;   /* [frame] kg m2/s, about the world's origin */
    int constraint_count;     /* equality constraints and attachments */
    int *constraint_joint;    /* [constraint] joint of the constrained segment */
    int *constraint_to;       /* [constraint] joint of the other segment; -1: a constant */
    Vec3 *constraint_force;   /* [frame][constraint] N on the constrained segment; joint equality: x, on its joint */
    Vec3 *constraint_torque;  /* [frame][constraint] N m, about the constrained point */
    int actuator_count;       /* actuators of a table */
    int *actuator_joint;      /* [actuator] the driven joint */
    double *actuator_position; /* [frame][actuator] rad or m; for a whole rotation the remaining angle to its target */
    Vec3 *actuator_torque;    /* [frame][actuator] N m on a ball joint, in axes of its segment; otherwise x, N m or N */
    double solved_islands;    /* solves of islands, bodies joined by limits and contacts; NaN: unknown */
    double solver_pivots;     /* pivots of these; NaN: unknown */
    double lemke_islands;     /* those solved by Lemke's method after the pivot limit; NaN: unknown */
    double swept_islands;     /* those approximated by Gauss-Seidel; NaN: unknown */
} Simulation;

typedef struct SimulationSize {
    int frames, constraints, actuators;
} SimulationSize;

/* Allocates zeroed arrays. On failure *s is empty. */
Status simulation_init(Simulation *s, SimulationSize size, Error *err);

typedef struct ParticleTrack {
    int frame_count, particle_count;
    int *joint;     /* [particle] joint of the body it is attached to; -1: free */
    double *mass;   /* [particle] kg */
    Vec3 *position; /* [frame][particle] m */
} ParticleTrack;

/* Allocates zeroed arrays. On failure *t is empty. */
Status particle_track_init(ParticleTrack *t, int frame_count, int particle_count, Error *err);

/* Metrics of a retargeting: attributes of the group /retarget of a clip file. */

/* All metrics, in the order of files and tables; those of a FRAMED row have the frame of their worst value. An
 * "increase" is the excess over the scaled source. docs/formats/clip_file.md describes each. */
#define RETARGET_METRICS(METRIC, FRAMED) \
    METRIC(scale)                /* leg length of the target over that of the source */ \
    METRIC(source_rest_frame)    /* frame of the pose in which bodies are compared; -1: the zero pose */ \
    METRIC(target_rest_frame) \
    METRIC(rest_asymmetry_deg)      /* largest difference of left and right limbs in one of both poses */ \
    METRIC(contact_kept)         /* 0 .. 1: of the source's contact frames, those with the target's foot down */ \
    FRAMED(slide_increase_cm_s)     /* mean speed along the ground of the slowest sole point in contact */ \
    FRAMED(penetration_increase_cm) /* deepest point of a sole below the ground */ \
    FRAMED(bone_direction_deg)        /* mean angle of bones to the source's, without the legs */ \
    FRAMED(leg_direction_deg)    /* the same for the legs */ \
    FRAMED(knee_acceleration)    /* 99th percentile over the source's, knee angle below 12 Hz; worse knee */ \
    FRAMED(hip_jerk)             /* the same for the third derivative of the height of the hips' middle */ \
    FRAMED(hip_drop_cm)          /* largest drop of the hips below the source's, relative to the median */ \
    METRIC(hand_reach_cm)        /* mean distance of the wrists from the targets of --hands */ \
    FRAMED(wrist_depth_increase_cm) /* deepest wrist below the ground */ \
    FRAMED(overlap_increase_cm)     /* largest penetration of arms into trunk, head or legs, as capsules */ \
    FRAMED(mirror_cm)            /* largest distance between the mirrored clip's result and the mirrored result */ \
    METRIC(residual_before_bw)   /* RMS force that ground forces do not explain, of the source ... */ \
    FRAMED(residual_after_bw)    /* ... and of the result, each in its body weights */ \
    METRIC(limits_hit)           /* joint-frames at a joint limit */

#define RETARGET_NO_FRAME(name)
#define RETARGET_FRAME(name) WORST_##name,
#define RETARGET_METRIC_MEMBER(name) double name;
#define RETARGET_METRIC_UNKNOWN(name) .name = NAN,
#define RETARGET_FRAME_UNKNOWN(name) .name = NAN, .worst_frame[WORST_##name] = NAN,

enum { RETARGET_METRICS(RETARGET_NO_FRAME, RETARGET_FRAME) RETARGET_FRAMES };

/* NaN: not measured. Contact means that of the source's feet. */
typedef struct RetargetScore {
    RETARGET_METRICS(RETARGET_METRIC_MEMBER, RETARGET_METRIC_MEMBER)
    double worst_frame[RETARGET_FRAMES]; /* [WORST_slide_increase_cm_s], ...: frame from 0 */
} RetargetScore;

static inline RetargetScore retarget_score_unknown(void)
{
    return (RetargetScore){RETARGET_METRICS(RETARGET_METRIC_UNKNOWN, RETARGET_FRAME_UNKNOWN)};
}

/* Renumbers the frames of a score after a change of the motion: the clip begins at the old frame `first`, with `ratio`
 * new frames per old one and `frame_count` in total. Frames that no longer exist become NaN. */
void retarget_score_move_frames(RetargetScore *score, int first, double ratio, int frame_count);

/* Origin of the clip and its processing: the root attributes of a clip file. */
typedef struct Provenance {
    char *title;            /* owned; base name of the source without its suffix */
    char *source;           /* owned; base name of the source file */
    char source_sha256[65]; /* hexadecimal, "" where unknown */
    double frame_time;      /* s, of the source as detected */
    double meters_per_unit; /* of the source as detected */
    char up_axis[4];        /* of the source as detected: "X" "Y" "Z" "-X" "-Y" "-Z" */
    Decisions confidence;   /* of the detections */
    char *history;          /* owned; one line per stage: command and resolved options, '\n' between lines */
    char *decisions;        /* owned; one line per detection in the order of Decisions; NULL: unknown */
    char *warnings;         /* owned; one line each, "kind: text" (clip_add_warning); NULL: none */
} Provenance;

typedef struct Clip {
    Provenance provenance;
    Skeleton skeleton;
    Motion motion;
    int has_trust, has_dof, has_body, has_kinematics, has_contact, has_dynamics, has_anatomy, has_retarget;
    int has_simulation, has_particles, has_shapes, has_tracking;
    Trust trust; /* absent: no quality check has run */
    Dofs dof;    /* absent: every joint is a ball joint, as in motion capture */
    Body body;
    Kinematics kinematics;
    Contact contact;
    Dynamics dynamics;
    Anatomy anatomy;
    RetargetScore retarget; /* metrics of the retargeting to this skeleton */
    Simulation simulation;   /* of a simulated scene */
    ParticleTrack particles; /* of its particles */
    Shapes shapes;           /* of its bodies, springs and tendons */
    Tracking tracking;
} Clip;

/* A view of skeleton and motion, and of body and kinematics if present. */
static inline ClipView clip_view(const Clip *c)
{
    const Body *body = c->has_body ? &c->body : NULL;
    return (ClipView){&c->skeleton, body, &c->motion, c->has_kinematics ? &c->kinematics : NULL};
}

/* (Clip){0} is an empty clip; clip_free leaves one. */
void clip_free(Clip *c);

/* Sets title and source from the path of the source file, without directories. */
Status clip_set_source(Clip *c, const char *path, Error *err);

/* Appends a warning about something unusual that was accepted. kind is one word, such as "offset". Only the first
 * WARNINGS_OF_A_KIND of a kind are kept; then one line states that there are more. */
enum { WARNINGS_OF_A_KIND = 10 };
Status clip_add_warning(Clip *c, const char *kind, const char *text, Error *err);

/* Whether a warning of this kind with exactly this text (without newlines) exists. */
int clip_has_warning(const Clip *c, const char *kind, const char *text);

/* Removes the warnings of a kind, before the same check runs again. */
void clip_drop_warnings(Clip *c, const char *kind);

/* Appends one history line (no newline in it). */
Status clip_add_history(Clip *c, const char *line, Error *err);

/* The parts of a clip in the order in which they are computed, as bits of a set. */
typedef enum ClipGroup {
    CLIP_SKELETON = 1 << 0,
    CLIP_MOTION = 1 << 1,
    CLIP_RETARGET = 1 << 2,
    CLIP_BODY = 1 << 3,
    CLIP_KINEMATICS = 1 << 4,
    CLIP_CONTACT = 1 << 5,
    CLIP_DYNAMICS = 1 << 6,
    CLIP_TRACKING = 1 << 7,
    CLIP_SIMULATION = 1 << 8,
    CLIP_PARTICLES = 1 << 9,
    CLIP_ANATOMY = 1 << 10,
    CLIP_SHAPES = 1 << 11,
    CLIP_ALWAYS = CLIP_SKELETON | CLIP_MOTION /* present in every clip */
} ClipGroup;

/* Name in a clip file, such as "body". */
const char *clip_group_name(ClipGroup group);

/* clip_groups: the set of present groups. clip_computed_from: the groups that are computed from those of a set. */
unsigned clip_groups(const Clip *c);
unsigned clip_computed_from(unsigned groups);

/* Marks groups as present (has_*). */
void clip_hold(Clip *c, unsigned groups);

/* Frames that statistics and indexes use. */
typedef enum FrameChoice {
    FRAMES_TRUSTED = 0, /* valid and not flagged; without /trust as FRAMES_VALID */
    FRAMES_VALID,       /* every frame whose kinematics are valid */
} FrameChoice;

/* Whether statistics may use the frame; 0 without kinematics. */
static inline int clip_counts_frame(const Clip *c, int frame, FrameChoice choice)
{
    return c->has_kinematics && c->kinematics.valid[frame] &&
           (choice == FRAMES_VALID || !c->has_trust || c->trust.trusted[frame]);
}

/* The same for one joint in the frame. */
static inline int clip_counts_joint(const Clip *c, int frame, int joint, FrameChoice choice)
{
    return clip_counts_frame(c, frame, choice) &&
           (choice == FRAMES_VALID || !c->has_trust || trust_joint_reason(&c->trust, frame, joint) == 0);
}

/* Frees the groups and everything computed from them; for CLIP_ALWAYS only the latter. */
void clip_drop(Clip *c, unsigned groups);

/* Copies those of the groups that are present (trust with the motion, degrees of freedom with the skeleton), without
 * provenance. On failure *out is empty. */
Status clip_copy(const Clip *from, unsigned groups, Clip *out, Error *err);

/* Keeps frames first to first + count - 1, which must exist, of every array over frames. The steps of /tracking do not
 * change. Frame numbers in /retarget are renumbered. */
void clip_keep_frames(Clip *clip, int first, int count);

#endif
