/* A small clip with every group filled with numbers that differ, for tests of what stores and prints clips. */
#ifndef KANE_TESTS_SAMPLE_CLIP_H
#define KANE_TESTS_SAMPLE_CLIP_H

#include <string.h>

#include "analysis/clip/clip.h"

/* Values of a fixed sequence in [-1, 1): no two arrays are alike. */
static inline void sample_fill(void *array, size_t bytes, unsigned *seed)
{
    double *value = array;
    for (size_t i = 0; i < bytes / sizeof *value; i++) {
        *seed = *seed * 1664525u + 1013904223u;
        value[i] = (double)*seed / 2147483648.0 - 1 + 1e-13 * (double)i;
    }
}

/* Joints: a chain whose names have accents and spaces; roles from the list in order. points may be 0. */
static inline int sample_clip(Clip *c, int frames, int joints, int points)
{
    unsigned seed = 7;
    size_t f = (size_t)frames, j = (size_t)joints, p = (size_t)points;
    *c = (Clip){.has_body = 1, .has_kinematics = 1, .has_contact = 1, .has_dynamics = 1};
    if (clip_set_source(c, "somewhere/gr\xc3\xbc\xc3\x9f gott.bvh", NULL) || clip_add_history(c, "import --unit cm", NULL) ||
        clip_add_history(c, "body --mass 70", NULL) || skeleton_init(&c->skeleton, joints, 2, NULL) ||
        motion_init(&c->motion, frames, joints, 1.0 / 120, 1, NULL) || body_init(&c->body, joints, NULL) ||
        kinematics_init(&c->kinematics, frames, joints, 1, NULL) ||
        contact_init(&c->contact, frames, points, points > 0, NULL) ||
        dynamics_init(&c->dynamics, frames, joints, NULL))
        return -1;
    memset(c->provenance.source_sha256, 'a', 64);
    c->provenance.frame_time = 1.0 / 120;
    c->provenance.metres_per_unit = 0.01;
    strcpy(c->provenance.up_axis, "-Z");
    for (int i = 0; i < joints; i++) {
        char name[] = "J \xc3\xa9 a.a";
        name[5] = (char)('a' + i % 26);
        name[7] = (char)('a' + i / 26 % 26);
        if (skeleton_set_name(&c->skeleton, i, name, NULL))
            return -1;
        c->skeleton.parent[i] = i - 1;
        c->skeleton.role[i] = i + 1 < ROLE_COUNT ? (Role)(i + 1) : ROLE_NONE;
        c->skeleton.segment[i] = c->skeleton.role[i] ? c->skeleton.role[i] : ROLE_RIGHT_TOE;
    }
    c->skeleton.end_parent[0] = joints - 1;
    sample_fill(c->skeleton.offset, j * sizeof(Vec3), &seed);
    sample_fill(c->skeleton.end_offset, 2 * sizeof(Vec3), &seed);
    sample_fill(c->motion.root_position, f * sizeof(Vec3), &seed);
    sample_fill(c->motion.rotation, f * j * sizeof(Quat), &seed);
    sample_fill(c->motion.translation, f * j * sizeof(Vec3), &seed);
    for (size_t i = 0; i < f * j; i++)
        c->motion.rotation[i] = quat_normalize(c->motion.rotation[i]);
    sample_fill(c->body.mass, j * sizeof(double), &seed);
    sample_fill(c->body.com, j * sizeof(Vec3), &seed);
    sample_fill(c->body.inertia, j * sizeof(Sym3), &seed);
    c->body.total_mass = 70.25;
    c->body.stature = 1.8;
    strcpy(c->body.model, "deleva mean");
    Kinematics *k = &c->kinematics;
    sample_fill(k->position, f * j * sizeof(Vec3), &seed);
    sample_fill(k->orientation, f * j * sizeof(Quat), &seed);
    sample_fill(k->angular_velocity, f * j * sizeof(Vec3), &seed);
    sample_fill(k->angular_acceleration, f * j * sizeof(Vec3), &seed);
    sample_fill(k->velocity, f * j * sizeof(Vec3), &seed);
    sample_fill(k->acceleration, f * j * sizeof(Vec3), &seed);
    sample_fill(k->com, f * sizeof(Vec3), &seed);
    for (size_t i = 0; i < f * j; i++)
        k->orientation[i] = quat_normalize(k->orientation[i]);
    for (int i = 1; i < frames - 1; i++)
        k->valid[i] = 1;
    for (int i = 0; i < points; i++)
        c->contact.point_joint[i] = i % joints;
    sample_fill(c->contact.point_position, p * sizeof(Vec3), &seed);
    sample_fill(c->contact.force, f * p * sizeof(Vec3), &seed);
    if (points > 0)
        sample_fill(c->contact.moment, f * p * sizeof(Vec3), &seed);
    sample_fill(c->contact.state, f * p * sizeof(double), &seed);
    sample_fill(c->contact.foot_force, f * 2 * sizeof(Vec3), &seed);
    sample_fill(c->contact.foot_cop, f * 2 * sizeof(Vec3), &seed);
    sample_fill(c->contact.foot_free_moment, f * 2 * sizeof(Vec3), &seed);
    c->contact.ground_height = -0.03;
    sample_fill(c->dynamics.torque, f * j * sizeof(Vec3), &seed);
    sample_fill(c->dynamics.force, f * j * sizeof(Vec3), &seed);
    sample_fill(c->dynamics.power, f * j * sizeof(double), &seed);
    sample_fill(c->dynamics.residual_force, f * sizeof(Vec3), &seed);
    sample_fill(c->dynamics.residual_torque, f * sizeof(Vec3), &seed);
    return 0;
}

#endif
