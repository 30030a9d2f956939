/* The springs of a body: ligaments, tendons and bushings between its joints, as a table lists them, and what they
 * exert (docs/sources.md, notes 0.12 to 0.14, 0.22). */
#ifndef KANE_SIM_SPRINGS_H
#define KANE_SIM_SPRINGS_H

#include "analysis/base/status.h"
#include "analysis/clip/kinematics.h"
#include "analysis/dynamics/loads.h"

typedef enum SpringKind {
    SPRING_AXIAL,       /* pushes and pulls along the line from a to b (0.12) */
    SPRING_LIGAMENT,    /* the same, pulls only */
    SPRING_STRESS,      /* quadratic strain (0.13); stiffness in N/m, no damping */
    SPRING_PATH,        /* one segment of a tendon over several points (0.14), pulls only; elements that follow each
                           other under one name are one tendon, each begins where the last ended */
    SPRING_PASSIVE,     /* the same, a segment that does not count into the length */
    SPRING_TRANSLATION, /* bushing: draws b to a (0.22) */
    SPRING_TURNING,     /* bushing: draws b's orientation to a's; Nm/rad, Nms/rad */
    SPRING_KIND_COUNT
} SpringKind;

#define SPRING_WORLD (-1) /* instead of a joint: the end is fixed in the world */

typedef struct SpringElement {
    char *name;                     /* owned */
    SpringKind kind;
    int joint_a, joint_b;           /* or SPRING_WORLD */
    Vec3 a, b;                      /* m, in axes of the joint */
    double stiffness, damping, rest; /* N/m, Ns/m, m; of a tendon: as its first element says */
} SpringElement;

typedef struct Springs {
    int count;
    SpringElement *element; /* [count] owned */
} Springs;

Status springs_init(Springs *s, int count, Error *err);
void springs_free(Springs *s);

/* "axial"; SPRING_KIND_COUNT for an unknown name. */
const char *spring_kind_name(SpringKind kind);
SpringKind spring_kind_from_name(const char *name);

/* STATUS_BAD_INPUT where an element makes no sense; *at receives its number. */
Status springs_check(const Springs *s, int joint_count, int *at, Error *err);

/* One instant: of every joint its centre, axes and velocities in the world. */
typedef struct SpringPose {
    const Vec3 *position;
    const Quat *orientation;
    const Vec3 *velocity;
    const Vec3 *angular_velocity;
} SpringPose;

/* Adds what the springs exert on the bodies: force[joint], and moment[joint] about the world's origin. */
void springs_add(const Springs *s, const SpringPose *pose, Vec3 *force, Vec3 *moment);

/* Potential energy of the springs, J: of a tendon that pulls, and none of one that is slack. */
double springs_energy(const Springs *s, const SpringPose *pose);

/* The springs' loads in every frame together with `others` (may be NULL or empty), ready for inverse dynamics: the
 * torques that are then found are what muscles and motors must give. */
Status springs_loads(const Springs *s, const Kinematics *kinematics, const Loads *others, Loads *out, Error *err);

#endif
