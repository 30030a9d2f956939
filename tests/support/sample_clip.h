/* A small clip with each group filled with distinct numbers, for tests that store and print clips. */
#ifndef KANE_TESTS_SAMPLE_CLIP_H
#define KANE_TESTS_SAMPLE_CLIP_H

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/clip/clip.h"
#include "tests/support/zeroed_dynamics.h"

/* Values of a fixed sequence in [-1, 1); no two arrays are equal. */
static inline void sample_fill(void *array, size_t bytes, unsigned *seed)
{
    double *value = array;
    for (size_t i = 0; i < bytes / sizeof *value; i++) {
        *seed = *seed * 1664525u + 1013904223u;
        value[i] = (double)*seed / 2147483648.0 - 1 + 1e-13 * (double)i;
    }
}

/* A chain with accents and spaces in names; roles from the list in order. */
static inline int sample_skeleton(Skeleton *s, unsigned *seed)
{
    for (int i = 0; i < s->joint_count; i++) {
        char name[] = "J \xc3\xa9 a.a";
        name[5] = (char)('a' + i % 26);
        name[7] = (char)('a' + i / 26 % 26);
        if (skeleton_set_name(s, i, name, NULL))
            return -1;
        s->parent[i] = i - 1;
        s->role[i] = i + 1 < ROLE_COUNT ? (Role)(i + 1) : ROLE_NONE;
        s->segment[i] = s->role[i] ? s->role[i] : ROLE_RIGHT_TOE;
    }
    s->end_parent[0] = s->joint_count - 1;
    sample_fill(s->offset, (size_t)s->joint_count * sizeof(Vec3), seed);
    sample_fill(s->end_offset, (size_t)s->end_count * sizeof(Vec3), seed);
    return 0;
}

static inline void sample_rotations(Quat *q, size_t count, unsigned *seed)
{
    sample_fill(q, count * sizeof *q, seed);
    for (size_t i = 0; i < count; i++)
        q[i] = quat_normalize(q[i]);
}

static inline void sample_kinematics(Kinematics *k, size_t frames, size_t joints, unsigned *seed)
{
    size_t vectors = frames * joints * sizeof(Vec3);
    sample_fill(k->position, vectors, seed);
    sample_rotations(k->orientation, frames * joints, seed);
    sample_fill(k->angular_velocity, vectors, seed);
    sample_fill(k->angular_acceleration, vectors, seed);
    sample_fill(k->velocity, vectors, seed);
    sample_fill(k->acceleration, vectors, seed);
    sample_fill(k->com, frames * sizeof(Vec3), seed);
    for (size_t i = 1; i + 1 < frames; i++)
        k->valid[i] = 1;
}

static inline void sample_contact(Contact *c, size_t frames, size_t points, int joints, unsigned *seed)
{
    for (size_t i = 0; i < points; i++)
        c->point_joint[i] = (int)i % joints;
    sample_fill(c->point_position, points * sizeof(Vec3), seed);
    sample_fill(c->force, frames * points * sizeof(Vec3), seed);
    sample_fill(c->moment, c->moment ? frames * points * sizeof(Vec3) : 0, seed);
    sample_fill(c->state, frames * points * sizeof(double), seed);
    sample_fill(c->foot_force, frames * FOOT_COUNT * sizeof(Vec3), seed);
    sample_fill(c->foot_cop, frames * FOOT_COUNT * sizeof(Vec3), seed);
    sample_fill(c->foot_free_moment, frames * FOOT_COUNT * sizeof(Vec3), seed);
    c->ground_height = -0.03;
}

static inline void sample_dynamics(Dynamics *d, size_t frames, size_t joints, unsigned *seed)
{
    sample_fill(d->torque, frames * joints * sizeof(Vec3), seed);
    sample_fill(d->force, frames * joints * sizeof(Vec3), seed);
    sample_fill(d->power, frames * joints * sizeof(double), seed);
    sample_fill(d->residual_force, frames * sizeof(Vec3), seed);
    sample_fill(d->residual_torque, frames * sizeof(Vec3), seed);
    sample_fill(d->torque_sd, frames * joints * sizeof(Vec3), seed);
    sample_fill(d->torque_correlation, frames * joints * sizeof(Vec3), seed);
}

/* Two joints with three coordinates each, and one joint without between them. */
static inline void sample_angles(JointAngles *a, size_t frames, int joints, unsigned *seed)
{
    size_t values = frames * (size_t)a->coordinate_count;
    for (int i = 0; i < a->coordinate_count; i++) {
        a->coordinate[i] = (Coordinate)(i + (i < 3 ? 0 : COORDINATE_LEFT_KNEE_FLEXION - 3));
        a->joint[i] = i / 3 % joints;
    }
    sample_fill(a->angle, values * sizeof(double), seed);
    sample_fill(a->velocity, values * sizeof(double), seed);
    sample_fill(a->moment, values * sizeof(double), seed);
    sample_fill(a->power, values * sizeof(double), seed);
    sample_fill(a->axis, values * sizeof(Vec3), seed);
    sample_fill(a->moment_sd, values * sizeof(double), seed);
    sample_fill(a->capacity, values * sizeof(double), seed);
    sample_fill(a->utilization, values * sizeof(double), seed);
    sample_fill(a->passive, values * sizeof(double), seed);
    a->angle[0] = a->velocity[0] = a->power[0] = NAN;
    a->singular[0] = 1;
    snprintf(a->neutral, sizeof a->neutral, "built from frame 3");
    a->utilization[2] = NAN;
    snprintf(a->strength, sizeof a->strength, "athlete");
    snprintf(a->knee_axis, sizeof a->knee_axis, "geometry");
}

static inline void sample_provenance(Provenance *p)
{
    memset(p->source_sha256, 'a', sizeof p->source_sha256 - 1);
    p->frame_time = 1.0 / 120;
    p->meters_per_unit = 0.01;
    strcpy(p->up_axis, "-Z");
}

/* Two end sites; points may be 0, otherwise they have couples. Nonzero on failure. */
static inline int sample_clip(Clip *c, int frames, int joints, int points)
{
    unsigned seed = 7;
    size_t f = (size_t)frames, j = (size_t)joints;
    *c = (Clip){.has_body = 1, .has_kinematics = 1, .has_contact = 1, .has_dynamics = 1, .has_angles = 1};
    if (clip_set_source(c, "somewhere/gr\xc3\xbc\xc3\x9f gott.bvh", NULL) ||
        clip_add_history(c, "import --unit cm", NULL) || clip_add_history(c, "body --mass 70", NULL) ||
        !(c->provenance.decisions = strdup("cm\nY\n120\nreplaced\nlocal\nkept")) ||
        !(c->provenance.evidence = strdup("up\t0.93\tY\nup\t+4.20\tthe ground is at zero, against Z")) ||
        clip_add_warning(c, "offset", "3:1: joint \"a\" has no OFFSET", NULL) ||
        skeleton_init(&c->skeleton, joints, 2, NULL) || motion_init(&c->motion, frames, joints, 1.0 / 120, 1, NULL) ||
        body_init(&c->body, joints, NULL) || kinematics_init(&c->kinematics, frames, joints, 1, NULL) ||
        contact_init(&c->contact, frames, points, points > 0, NULL) ||
        zeroed_dynamics(&c->dynamics, frames, joints) || joint_angles_init(&c->angles, frames, 6, 1, NULL) ||
        dynamics_add_spread(&c->dynamics, NULL) || joint_angles_add_spread(&c->angles, NULL) ||
        joint_angles_add_strength(&c->angles, NULL) || joint_angles_add_passive(&c->angles, NULL) ||
        sample_skeleton(&c->skeleton, &seed))
        return -1;
    sample_provenance(&c->provenance);
    sample_fill(c->motion.root_position, f * sizeof(Vec3), &seed);
    sample_rotations(c->motion.rotation, f * j, &seed);
    sample_fill(c->motion.translation, f * j * sizeof(Vec3), &seed);
    sample_fill(c->body.mass, j * sizeof(double), &seed);
    sample_fill(c->body.com, j * sizeof(Vec3), &seed);
    sample_fill(c->body.inertia, j * sizeof(Sym3), &seed);
    for (size_t i = 0; i < j; i++) {
        Sym3 *inertia = &c->body.inertia[i];
        c->body.mass[i] = fabs(c->body.mass[i]);
        inertia->xx = fabs(inertia->xx) + 1; /* positive: products stay below 1 */
        inertia->yy = fabs(inertia->yy) + 3;
        inertia->zz = fabs(inertia->zz) + 3;
    }
    c->body.total_mass = 70.25;
    c->body.stature = 1.8;
    strcpy(c->body.model, "deleva mean");
    sample_kinematics(&c->kinematics, f, j, &seed);
    sample_contact(&c->contact, f, (size_t)points, joints, &seed);
    sample_dynamics(&c->dynamics, f, j, &seed);
    sample_angles(&c->angles, f, joints, &seed);
    return 0;
}

#endif
