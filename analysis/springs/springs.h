/* Springs of a body: ligaments, tendons and bushings between joints, as a table lists them, and their wrenches
 * (docs/sources.md, notes 0.12 to 0.14, 0.22). */
#ifndef KANE_SPRINGS_SPRINGS_H
#define KANE_SPRINGS_SPRINGS_H

#include "analysis/base/status.h"
#include "analysis/clip/joint_kinematics.h"
#include "analysis/dynamics/loads.h"
#include "analysis/math/quat.h"
#include "analysis/math/vec.h"
#include "analysis/springs/axial_spring.h"
#include "analysis/springs/spring_blocks.h"

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

/* Registers the joints that springs (NULL: none) join; further groups by spring_blocks_join, all before
 * spring_blocks_room. */
Status spring_blocks_init(SpringBlocks *b, int joint_count, const Springs *s, Error *err);

/* Overwrites the blocks with those of all springs; more may be added. */
void springs_differentiate(const Springs *s, const SpringPose *pose, SpringBlocks *b);

/* Potential energy of the springs, J; slack tendons have none. */
double springs_energy(const Springs *s, const SpringPose *pose);

/* Adds the spring loads of every frame to `others` (may be NULL or empty), ready for inverse dynamics: the resulting
 * torques are those that muscles or motors must supply. */
Status springs_loads(const Springs *s, const Kinematics *kinematics, const Loads *others, Loads *out, Error *err);

#endif
