/* Springs of a body: ligaments, tendons and bushings between joints, as a table lists them, and their wrenches
 * (docs/sources.md, notes 0.12 to 0.14, 0.22). */
#ifndef KANE_SIM_SPRINGS_H
#define KANE_SIM_SPRINGS_H

#include "analysis/base/arena.h"
#include "analysis/base/status.h"
#include "analysis/clip/world_motion.h"
#include "analysis/dynamics/loads.h"
#include "analysis/math/quat.h"
#include "analysis/math/vec.h"

/* Springs along the line between two points, or over several of them, with Jacobians (docs/sources.md, notes 0.12 to
 * 0.14).
 *
 * f1 acts on the first point, towards the second if the spring pulls; f2 = -f1. The Jacobians of f1 by x1 and v1
 * suffice: those of f2 by x2 and v2 are equal, the mixed ones are their negatives. World axes, SI units. */

/* Any F(l, l') (0.12) as a table: bilinear between its nodes, extrapolated from the outermost cells. */
typedef struct SpringLaw {
    char *name;
    int length_count, rate_count; /* 2 or more; 1 or more */
    double *length, *rate;        /* m, m/s, increasing */
    double *force;                /* [length][rate] N, positive where it pulls */
    Arena memory;                 /* owns all of these */
} SpringLaw;

/* F = k (l - r) + d l' (0.12.1), or F of a law at (l - r, l'). */
typedef struct AxialSpring {
    double stiffness; /* k, N/m */
    double damping;   /* d, Ns/m */
    double rest;      /* r, m */
    int pulls_only;   /* 1: tension only (a ligament): no force where F would be negative */
    const SpringLaw *law; /* replaces k and d; NULL: none */
} AxialSpring;

/* Tension and its derivatives by length and by its rate. */
typedef struct Tension {
    double force, by_length, by_rate;
} Tension;

Tension axial_spring_tension(const AxialSpring *s, double length, double rate);

/* Stored energy, J. For a law, the integral of F(l, 0) from its first length without force, or from its shortest length
 * if there is none. */
double axial_spring_energy(const AxialSpring *s, double length);

/* f1. Coincident points have no direction: the force is zero. */
Vec3 axial_spring_force(const AxialSpring *s, Vec3 x1, Vec3 v1, Vec3 x2, Vec3 v2);

/* df1/dx1 and df1/dv1. */
typedef struct SpringJacobians {
    Mat3 by_position, by_velocity;
} SpringJacobians;
SpringJacobians axial_spring_jacobians(const AxialSpring *s, Vec3 x1, Vec3 v1, Vec3 x2, Vec3 v2);

/* The stress form (0.13): f1 = sigma (x2 - x1). Linear: sigma = k (l - r) / l, the same spring without damping.
 * Quadratic strain: sigma = k (l^2 - r^2) / (2 r^2), k in N/m, r > 0. */
typedef enum StressLaw { STRESS_LINEAR, STRESS_QUADRATIC } StressLaw;

typedef struct StressSpring {
    StressLaw law;
    double stiffness, rest;
} StressSpring;

Vec3 stress_spring_force(const StressSpring *s, Vec3 x1, Vec3 x2);

double stress_spring_energy(const StressSpring *s, double length);

/* df1/dx1: material plus geometric stiffness. */
Mat3 stress_spring_jacobian(const StressSpring *s, Vec3 x1, Vec3 x2);

/* A spring over via points as over pulleys (docs/sources.md, notes 0.14).
 *
 * Its tension depends on the total length of its active segments. Passive segments transmit the tension without adding
 * length (a tendon in a sheath). Segment i runs from point i to point i + 1. */
typedef struct MultipointSpring {
    AxialSpring law;    /* of the whole length */
    int point_count;    /* 2 or more */
    const char *active; /* [point_count - 1]; NULL: all segments are active */
} MultipointSpring;

/* Length and rate of the active segments. */
void multipoint_spring_length(const MultipointSpring *s, const Vec3 *x, const Vec3 *v, double *length, double *rate);

/* force[point], N. */
void multipoint_spring_forces(const MultipointSpring *s, const Vec3 *x, const Vec3 *v, Vec3 *force);

/* df/dx and df/dv, each [3 points][3 points] by rows. */
void multipoint_spring_jacobians(const MultipointSpring *s, const Vec3 *x, const Vec3 *v, double *by_position,
                                 double *by_velocity);

/* A spring between two frames that resists relative displacement and rotation (notes 0.22; docs/sources.md).
 *
 * Frame 1 is fixed in body A, frame 2 in body B. Wrenches and Jacobians are ordered (f_A, tau_A, f_B, tau_B) and (x_A,
 * theta_A, x_B, theta_B), moments about the bodies' origins. In body coordinates each is in the axes of its own body,
 * else in world axes. The position Jacobians keep the world velocities constant. They are not symmetric (0.23). */

typedef struct FrameSpring {
    double stiffness, damping;                 /* k_t N/m, d_t Ns/m */
    double turning_stiffness, turning_damping; /* k_r N m/rad, d_r Nms/rad */
    Vec3 point_a, point_b;                     /* m, p1 in axes of A, p2 in axes of B */
    Quat frame_a, frame_b;                     /* frame 1 to A, frame 2 to B */
} FrameSpring;

/* A body's frame and its velocities, world axes. */
typedef struct FrameState {
    Vec3 position;
    Quat orientation;
    Vec3 velocity, angular_velocity;
} FrameState;

typedef enum SpringAxes { SPRING_BODY_AXES, SPRING_WORLD_AXES } SpringAxes;

/* wrench[12] (0.39, 0.40) */
void frame_spring_wrench(const FrameSpring *s, const FrameState *a, const FrameState *b, SpringAxes axes,
                         double *wrench);

/* J, of both stiffnesses. */
double frame_spring_energy(const FrameSpring *s, const FrameState *a, const FrameState *b);

/* J_p and J_v, each [12][12] by rows. */
void frame_spring_position_jacobian(const FrameSpring *s, const FrameState *a, const FrameState *b, SpringAxes axes,
                                    double *jacobian);
void frame_spring_velocity_jacobian(const FrameSpring *s, const FrameState *a, const FrameState *b, SpringAxes axes,
                                    double *jacobian);

/* U of (0.45): the rate of the rotation vector phi u is U omega, with omega in the fixed axes. */
Mat3 rotation_vector_rate(Vec3 rotation);

typedef enum SpringKind {
    SPRING_AXIAL,       /* acts both ways along the line from a to b (0.12) */
    SPRING_LIGAMENT,    /* the same, tension only */
    SPRING_STRESS,      /* quadratic strain (0.13); stiffness in N/m, no damping */
    SPRING_PATH,        /* one segment of a tendon over several points (0.14), tension only; consecutive elements of
                           one name form one tendon, each beginning at the end of the previous one */
    SPRING_PASSIVE,     /* the same; the segment does not add to the length */
    SPRING_TRANSLATION, /* bushing: pulls b to a (0.22) */
    SPRING_TURNING,     /* bushing: rotates the frame of b to that of a; N m/rad, Nms/rad */
    SPRING_KIND_COUNT
} SpringKind;

#define SPRING_WORLD (-1) /* instead of a joint: the end is fixed in the world */
#define SPRING_PARTICLE(number) (-2 - (number)) /* the end is a particle of a scene (sim/particles.h) */

typedef struct SpringElement {
    char *name;                     /* owned */
    SpringKind kind;
    int joint_a, joint_b;           /* or SPRING_WORLD */
    Vec3 a, b;                      /* m, in joint axes */
    double stiffness, damping, rest; /* N/m, Ns/m, m; of a tendon: those of its first element */
    Vec3 turn_a, turn_b;            /* rad, of a rotational bushing: rotation vectors of its frames in their joints */
    int rests_at_start;             /* 1: no force in the initial pose (springs_settle) */
    SpringLaw *law;                 /* owned; NULL: none */
} SpringElement;

typedef struct Springs {
    int count;
    SpringElement *element; /* [count] owned */
} Springs;

Status springs_init(Springs *s, int count, Error *err);
void springs_free(Springs *s);

/* Creates a law without forces; the caller frees it with spring_law_free, which accepts NULL. */
SpringLaw *spring_law_create(const char *name, int length_count, int rate_count);
void spring_law_free(SpringLaw *law);

/* Copies an element with its name and law. On failure *to is empty. */
Status spring_element_copy(const SpringElement *from, SpringElement *to, Error *err);

/* "axial"; SPRING_KIND_COUNT for an unknown name. */
const char *spring_kind_name(SpringKind kind);
SpringKind spring_kind_from_name(const char *name);

/* Whether an end is a particle: springs_add and related functions do not accept these. */
int spring_holds_particle(const SpringElement *e);

/* The law of an axial spring or ligament; valid as long as the element. */
AxialSpring spring_axial_law(const SpringElement *e);

/* STATUS_BAD_INPUT if an element is invalid; *at receives its index. */
Status springs_check(const Springs *s, int joint_count, int *at, Error *err);

/* State at one instant: origin, axes and velocities of every joint, world. */
typedef struct SpringPose {
    const Vec3 *position;
    const Quat *orientation;
    const Vec3 *velocity;
    const Vec3 *angular_velocity;
} SpringPose;

/* Sets the rest pose of springs that rest at the start: springs get their present length, bushings the point and frame
 * of b that coincide with those of a. */
void springs_settle(Springs *s, const SpringPose *start);

/* Adds the spring loads on the bodies: force[joint], and moment[joint] about the world's origin. */
void springs_add(const Springs *s, const SpringPose *pose, Vec3 *force, Vec3 *moment);

/* Jacobians of spring wrenches (force, and moment about the origin of the joint's frame) by displacements and rotations
 * (dx, dtheta) of the joints at constant velocities, and by their velocities (v, omega). World axes, summed over
 * springs, one block [6][6] per pair of joints that a spring joins (0.12 to 0.14, 0.22.1 to 0.22.3). */
typedef struct SpringBlocks {
    int joint_count, pair_count;
    int *pair;                         /* [joint][joint] index of the pair; -1: none */
    int *row, *column;                 /* [pair] joint of the wrench, joint of the motion */
    double *by_position, *by_velocity; /* [pair][6][6] */
    Arena memory;                      /* owns all of these */
} SpringBlocks;

/* Registers the joints that springs (NULL: none) join; further groups by spring_blocks_join, all before
 * spring_blocks_room. */
Status spring_blocks_init(SpringBlocks *b, int joint_count, const Springs *s, Error *err);
void spring_blocks_join(SpringBlocks *b, const int *joint, int count);
Status spring_blocks_room(SpringBlocks *b, Error *err);
void spring_blocks_free(SpringBlocks *b);

/* Points of joints (SPRING_WORLD: of the world), the forces on them, and the Jacobians of these. */
typedef struct SpringPoints {
    int count;
    const int *joint;  /* [count] */
    const Vec3 *arm;   /* [count] m, from the joint's origin, world axes */
    const Vec3 *omega; /* [count] rad/s, of the joint */
    const Vec3 *force; /* [count] N */
    const double *by_position, *by_velocity; /* [3 count][3 count] by rows */
} SpringPoints;
void spring_blocks_add_points(SpringBlocks *b, const SpringPoints *p);

/* Adds Jacobians [12][12] of the wrenches on two joints, laid out as those of a frame spring in world axes. */
void spring_blocks_add_frames(SpringBlocks *b, const int joint[2], const double *by_position,
                              const double *by_velocity);

/* Overwrites the blocks with those of all springs; more may be added. */
void springs_differentiate(const Springs *s, const SpringPose *pose, SpringBlocks *b);

/* Potential energy of the springs, J; slack tendons have none. */
double springs_energy(const Springs *s, const SpringPose *pose);

/* Adds the spring loads of every frame to `others` (may be NULL or empty), ready for inverse dynamics: the resulting
 * torques are those that muscles or motors must supply. */
Status springs_loads(const Springs *s, const Kinematics *kinematics, const Loads *others, Loads *out, Error *err);

#endif
