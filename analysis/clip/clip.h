/* A clip: everything a container holds, one member a group.
 *
 * A stage fills the next group from the earlier ones. has_* mark the groups that are there. */
#ifndef KANE_CLIP_CLIP_H
#define KANE_CLIP_CLIP_H

#include <math.h>

#include "analysis/base/status.h"
#include "analysis/clip/anatomy.h"
#include "analysis/clip/contact.h"
#include "analysis/clip/dofs.h"
#include "analysis/clip/motion.h"
#include "analysis/clip/shapes.h"
#include "analysis/clip/skeleton.h"
#include "analysis/clip/trust.h"
#include "analysis/math/quat.h"
#include "analysis/math/vec.h"

/* How surely import decided what a file does not state. */

/* Each the probability that the decision is right, 0..1; 1 where an option decided. All 0: not known. The order is that
 * of the root attribute `confidence` of a container. */
typedef struct Decisions {
    double unit, up_axis, frame_rate, root_offset, positions, first_frame;
} Decisions;

enum { DECISION_COUNT = sizeof(Decisions) / sizeof(double), DECISIONS_TEXT_SIZE = 96 };

/* A decision that is less sure is one to look at: messages, info, index and page mark it. */
#define DECISION_UNSURE 0.8

/* One that is less likely than not: of a unit that is a warning. */
#define DECISION_GUESS 0.5

/* "up_axis", and its probability, by its place in the order above. */
const char *decision_name(int i);
double decision_value(const Decisions *d, int i);

/* The least of them; NaN where they are not known. */
double decisions_least(const Decisions *d);

/* What is unsure, by name: "unit, up axis"; "" where nothing is, or nothing is known. */
void decisions_unsure(const Decisions *d, char text[DECISIONS_TEXT_SIZE]);

/* A motion played forward by controllers: group /tracking of a container, one group a controller.
 *
 * Bodies that are too light to be simulated move with another one, their carrier: only the carrier's joint has errors
 * and torques, the others have zeros. */

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

/* "stable-pd". Valid for the life of the program. */
const char *controller_name(ControllerKind kind);

/* What one controller made of the reference. */
typedef struct TrackingRun {
    int present;
    double *orientation_error; /* [frame][joint] rad, of the body in the world */
    double *position_error;    /* [frame][joint] m, of the body's COM */
    Quat *orientation;         /* [frame][joint] joint to world, as simulated */
    Vec3 *torque;              /* [frame][joint] Nm, of the parent on the body, world axes; root: from outside */
    Vec3 *root_position;       /* [frame] m, of the clip's root joint, as simulated */
    Vec3 *root_residual_force; /* [frame] N, of the residual actuator on the first body's joint, mean of the step */
    Vec3 *root_residual_torque; /* [frame] Nm, about that joint */
    Vec3 *ball;                /* [frame] m, centre of the ball, NaN before it is let go; NULL: there is none */
    double mean_error;         /* rad, over bodies and frames */
    double p95_error;          /* rad */
    double final_error;        /* rad, over bodies, in the last frame */
    double mean_distance;      /* m, over bodies and frames */
    double stable_time;        /* s, until the end, or until the simulation flew apart */
    double torque_sum_mean;    /* Nm, mean over time of the sum of the sizes of all torques */
    double root_residual_force_rms;  /* body weights */
    double root_residual_torque_rms; /* Nm/kg */
    int is_flown_apart;        /* 1: at stable_time, its pose is kept from there on; not stored */
    int unsettled_count;       /* solves of contacts and limits that did not settle; not stored */
    double unsettled_time;     /* s, of the first */
} TrackingRun;

typedef struct Tracking {
    int frame_count, joint_count;
    double *time; /* [frame] s */
    int *carrier; /* [joint] joint of the body it moves with: itself, or an ancestor */
    TrackingRun run[CONTROLLER_COUNT];
} Tracking;

/* Zeroed, without runs. */
Status tracking_init(Tracking *t, int frame_count, int joint_count, Error *err);
/* Zeroed arrays for a run, which is then present; the ball's only when has_ball. */
Status tracking_add_run(Tracking *t, ControllerKind kind, int has_ball, Error *err);

/* Turns of all joints to their parents, and the root joint's places, of a run's frames: the motion that was simulated,
 * of skeleton `s`, at the rate of the steps. STATUS_BAD_INPUT for a run of fewer than two steps or without places. */
Status tracking_motion(const Tracking *t, ControllerKind kind, const Skeleton *s, Motion *out, Error *err);
void tracking_free(Tracking *t);

/* What a simulated scene has in every frame beside its motion: groups /simulation and /particles of a container. World
 * axes. */

typedef struct Simulation {
    int frame_count;
    double *kinetic_energy;   /* [frame] J */
    double *potential_energy; /* [frame] J, of gravity and of the springs of joints */
    double *spring_energy;    /* [frame] J, of tendons */
    Vec3 *momentum;           /* [frame] kg m/s */
    Vec3 *angular_momentum;   /* [frame] kg m2/s, about the world's origin */
    int constraint_count;     /* equalities and attachments */
    int *constraint_joint;    /* [constraint] whose segment is held */
    int *constraint_to;       /* [constraint] to whose it is held; -1: to a constant */
    Vec3 *constraint_force;   /* [frame][constraint] N on the segment that is held; a coupling: x, on its hinge */
    Vec3 *constraint_torque;  /* [frame][constraint] Nm, about the place where it is held */
    int actuator_count;       /* of a table */
    int *actuator_joint;      /* [actuator] that it drives */
    double *actuator_position; /* [frame][actuator] rad or m; of a whole rotation what is left to its target */
    Vec3 *actuator_torque;    /* [frame][actuator] Nm on a ball joint, axes of its segment; of others x, Nm or N */
} Simulation;

typedef struct SimulationSize {
    int frames, constraints, actuators;
} SimulationSize;

/* Zeroed. On failure *s is empty. */
Status simulation_init(Simulation *s, SimulationSize size, Error *err);

typedef struct ParticleTrack {
    int frame_count, particle_count;
    int *joint;     /* [particle] of the body that it is attached to; -1: free */
    double *mass;   /* [particle] kg */
    Vec3 *position; /* [frame][particle] m */
} ParticleTrack;

/* Zeroed. On failure *t is empty. */
Status particle_track_init(ParticleTrack *t, int frame_count, int particle_count, Error *err);

/* How well a motion was put on another skeleton: attributes of the group /retarget of a container. */

/* Every metric, in the order of files and tables; one of a FRAMED row has the frame in which it is worst. "Added" is
 * what is more than the source has, scaled. docs/formats/clip_file.md describes each. */
#define RETARGET_FIGURES(FIGURE, FRAMED) \
    FIGURE(scale)                /* leg length of the target over the source's */ \
    FIGURE(source_rest_frame)    /* of the pose in which bodies are compared; -1: the zero pose */ \
    FIGURE(target_rest_frame) \
    FIGURE(rest_asymmetry_deg)      /* most by which left and right limbs differ in one of both poses */ \
    FIGURE(contact_kept)         /* 0 .. 1: of the source's contact frames, those with the target's foot down */ \
    FRAMED(slide_increase_cm_s)     /* mean speed along the ground of the sole's stillest point in contact */ \
    FRAMED(penetration_increase_cm) /* deepest point of a sole below the ground */ \
    FRAMED(bone_direction_deg)        /* mean angle between bones outside the legs and those of the source */ \
    FRAMED(leg_direction_deg)    /* the same in the legs */ \
    FRAMED(knee_acceleration)    /* 99th percentile, of the source's: of a knee's angle after 12 Hz, the worse knee */ \
    FRAMED(hip_jerk)             /* the same of the rate at which the height of the hips' middle accelerates */ \
    FRAMED(hip_drop_cm)          /* most that the hips are lower than the source's, against the median */ \
    FIGURE(hand_reach_cm)        /* mean distance of the wrists from where --hands wants them */ \
    FRAMED(wrist_depth_increase_cm) /* deepest wrist below the ground */ \
    FRAMED(overlap_increase_cm)     /* most that arms are inside trunk, head or legs, as capsules */ \
    FRAMED(mirror_cm)            /* most by which the mirrored clip's result lies off the mirrored result */ \
    FIGURE(residual_before_bw)   /* RMS of the force that ground forces leave unexplained, of the source ... */ \
    FRAMED(residual_after_bw)    /* ... and of the result, each in its own body weights */ \
    FIGURE(limits_hit)           /* joint-frames in which a joint limit held */

#define RETARGET_NO_FRAME(name)
#define RETARGET_FRAME(name) WORST_##name,
#define RETARGET_FIGURE_MEMBER(name) double name;
#define RETARGET_FIGURE_UNKNOWN(name) .name = NAN,
#define RETARGET_FRAME_UNKNOWN(name) .name = NAN, .worst_frame[WORST_##name] = NAN,

enum { RETARGET_FIGURES(RETARGET_NO_FRAME, RETARGET_FRAME) RETARGET_FRAMES };

/* NaN: nothing to measure. Contact is that of the source's feet. */
typedef struct RetargetScore {
    RETARGET_FIGURES(RETARGET_FIGURE_MEMBER, RETARGET_FIGURE_MEMBER)
    double worst_frame[RETARGET_FRAMES]; /* [WORST_slide_increase_cm_s], ...: from 0 */
} RetargetScore;

static inline RetargetScore retarget_score_unknown(void)
{
    return (RetargetScore){RETARGET_FIGURES(RETARGET_FIGURE_UNKNOWN, RETARGET_FRAME_UNKNOWN)};
}

/* Frames of the clip as they are counted after a change of its motion: from frame `first` on, `ratio` frames for each
 * old one, `frame_count` in all. One that the clip no longer has is NaN. */
void retarget_score_move_frames(RetargetScore *score, int first, double ratio, int frame_count);

/* Where the clip comes from and what was done to it: the root attributes of a container. */
typedef struct Provenance {
    char *title;            /* owned; base name of the source without its suffix */
    char *source;           /* owned; base name of the source file */
    char source_sha256[65]; /* hexadecimal, "" where unknown */
    double frame_time;      /* s, of the source as decided */
    double meters_per_unit; /* of the source as decided */
    char up_axis[4];        /* of the source as decided: "X" "Y" "Z" "-X" "-Y" "-Z" */
    Decisions confidence;   /* of what was decided */
    char *history;          /* owned; one line a stage: verb and resolved options, '\n' between lines */
    char *decisions;        /* owned; what was decided, a line each in the order of Decisions; NULL: not known */
    char *warnings;         /* owned; a line each, "kind: words" (clip_add_warning); NULL: none */
} Provenance;

typedef struct Clip {
    Provenance provenance;
    Skeleton skeleton;
    Motion motion;
    int has_trust, has_dof, has_body, has_kinematics, has_contact, has_dynamics, has_anatomy, has_retarget;
    int has_simulation, has_particles, has_shapes, has_tracking;
    Trust trust; /* not there: nobody has judged the clip */
    Dofs dof;    /* not there: every joint turns freely, as in motion capture */
    Body body;
    Kinematics kinematics;
    Contact contact;
    Dynamics dynamics;
    Anatomy anatomy;
    RetargetScore retarget; /* how well the motion was put on this skeleton */
    Simulation simulation;   /* of a scene that was simulated */
    ParticleTrack particles; /* of its particles */
    Shapes shapes;           /* of its bodies, springs and tendons */
    Tracking tracking;
} Clip;

/* To read skeleton and motion, and body and kinematics where the clip has them. */
static inline ClipView clip_view(const Clip *c)
{
    const Body *body = c->has_body ? &c->body : NULL;
    return (ClipView){&c->skeleton, body, &c->motion, c->has_kinematics ? &c->kinematics : NULL};
}

/* *c = (Clip){0} is an empty clip; free makes it one again. */
void clip_free(Clip *c);

/* Sets title and source from the path of the source file (directories are cut). */
Status clip_set_source(Clip *c, const char *path, Error *err);

/* Appends a warning: what was read or found although it is odd. kind is one word, such as "offset"; of a kind the first
 * WARNINGS_OF_A_KIND are kept, then one line states that there are more. */
enum { WARNINGS_OF_A_KIND = 10 };
Status clip_add_warning(Clip *c, const char *kind, const char *text, Error *err);

/* Whether a warning of this kind with this very text, which has no line ends, is there. */
int clip_has_warning(const Clip *c, const char *kind, const char *text);

/* Takes the warnings of a kind away, before who warns looks again. */
void clip_drop_warnings(Clip *c, const char *kind);

/* Appends one history line (no newline in it). */
Status clip_add_history(Clip *c, const char *line, Error *err);

/* The parts of a clip, in the order in which they are computed; as bits, of which several make a set. */
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
    CLIP_ALWAYS = CLIP_SKELETON | CLIP_MOTION /* what no clip is without */
} ClipGroup;

/* Name in a container, "body". */
const char *clip_group_name(ClipGroup group);

/* The set of groups that are there, and the one that goes where a group of a set changes: what is computed from it. */
unsigned clip_groups(const Clip *c);
unsigned clip_computed_from(unsigned groups);

/* Marks groups as present (has_*). */
void clip_hold(Clip *c, unsigned groups);

/* What may be stored of a frame: everything, or nothing. */
typedef enum FrameChoice {
    FRAMES_TRUSTED = 0, /* valid and not flagged; of a clip without /trust: FRAMES_VALID */
    FRAMES_VALID,       /* every frame whose kinematics are valid */
} FrameChoice;

/* 1 where statistics may use the frame; 0 without kinematics. */
static inline int clip_counts_frame(const Clip *c, int frame, FrameChoice choice)
{
    return c->has_kinematics && c->kinematics.valid[frame] &&
           (choice == FRAMES_VALID || !c->has_trust || c->trust.trusted[frame]);
}

/* The same of one joint in the frame. */
static inline int clip_counts_joint(const Clip *c, int frame, int joint, FrameChoice choice)
{
    return clip_counts_frame(c, frame, choice) &&
           (choice == FRAMES_VALID || !c->has_trust || trust_joint_reason(&c->trust, frame, joint) == 0);
}

/* Frees these groups and everything that is computed from them; of CLIP_ALWAYS only the latter. */
void clip_drop(Clip *c, unsigned groups);

/* A clip of these groups alone, of those that are there (trust goes with the motion, degrees of
 * freedom with the skeleton), without provenance. On failure
 * *out is empty. */
Status clip_copy(const Clip *from, unsigned groups, Clip *out, Error *err);

/* Keeps frames first to first + count - 1, which the clip has, of every array over frames. The steps of /tracking are
 * others and stay as they are. Frames that /retarget names are counted from the new beginning. */
void clip_keep_frames(Clip *clip, int first, int count);

#endif
