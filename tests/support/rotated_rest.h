/* The same world motion of each joint with another rest pose: the axes of each joint are rotated by a constant
 * rotation, with its offsets and end sites. */
#ifndef KANE_TESTS_ROTATED_REST_H
#define KANE_TESTS_ROTATED_REST_H

#include <stdio.h>
#include <string.h>

#include "formats/bvh/bvh.h"
#include "formats/bvh/bvh_clip.h"
#include "pipeline/stages/pipeline.h"
#include "tests/support/random_number.h"

#define ROTATED_REST_DEGREE 0.017453292519943295

/* A random rotation by an angle from min to max, degrees. */
static inline Quat rotated_rest_rotation(unsigned *seed, double min, double max)
{
    Vec3 axis = {0, 0, 0};
    while (!(vec3_norm(axis) > 0.1 && vec3_norm(axis) < 1)) {
        axis.x = random_number(seed);
        axis.y = random_number(seed);
        axis.z = random_number(seed);
    }
    double part = 0.5 + 0.5 * random_number(seed);
    return quat_from_axis_angle(vec3_normalize(axis), (min + part * (max - min)) * ROTATED_REST_DEGREE);
}

/* turn[joint]: rotation from the new joint axes to the old ones. No joint translates. */
static inline void rotated_rest_apply(Skeleton *s, Motion *m, const Quat *turn)
{
    for (int e = 0; e < s->end_count; e++)
        s->end_offset[e] = quat_rotate_inverse(turn[s->end_parent[e]], s->end_offset[e]);
    for (int j = 0; j < s->joint_count; j++) {
        int parent = s->parent[j];
        if (parent >= 0)
            s->offset[j] = quat_rotate_inverse(turn[parent], s->offset[j]);
        for (int f = 0; f < m->frame_count; f++) {
            Quat *q = &m->rotation[motion_index(m, f, j)];
            *q = quat_mul(*q, turn[j]);
            if (parent >= 0)
                *q = quat_mul(quat_conjugate(turn[parent]), *q);
        }
    }
    motion_make_continuous(m);
}

/* Rotates the rest pose of a clip by a seed; most 0: unchanged. */
static inline void rotated_rest(Clip *c, unsigned seed, double min, double max)
{
    Quat *turn = calloc((size_t)c->skeleton.joint_count, sizeof *turn);
    assert_non_null(turn);
    for (int j = 0; j < c->skeleton.joint_count; j++)
        turn[j] = max > 0 ? rotated_rest_rotation(&seed, min, max) : QUAT_IDENTITY;
    rotated_rest_apply(&c->skeleton, &c->motion, turn);
    free(turn);
}

/* Imports the clip and writes it to `to` as BVH with the rotated rest pose; 0 if the file is missing or a joint
 * translates. */
static inline int rotated_rest_write(const char *from, const char *to, unsigned seed, double min, double max)
{
    Pipeline pipeline = pipeline_defaults();
    Clip clip;
    Bvh bvh;
    Error err = {0};
    if (pipeline_open(&pipeline, from, &clip, NULL, &err))
        return 0;
    int is_rigid = !clip.motion.translation;
    if (is_rigid) {
        rotated_rest(&clip, seed, min, max);
        assert_int_equal(bvh_from_clip(&clip, &bvh, &err), STATUS_OK);
        FILE *file = fopen(to, "w");
        assert_non_null(file);
        assert_int_equal(bvh_write(&bvh, file, &err), STATUS_OK);
        assert_int_equal(fclose(file), 0);
        bvh_free(&bvh);
    }
    clip_free(&clip);
    return is_rigid;
}

/* Runs a file through the whole pipeline. */
static inline Clip rotated_rest_run(const char *path)
{
    Pipeline pipeline = pipeline_defaults();
    Clip clip;
    Error err = {0};
    assert_int_equal(pipeline_open(&pipeline, path, &clip, NULL, &err), STATUS_OK);
    assert_int_equal(pipeline_run(&pipeline, &clip, NULL, &err), STATUS_OK);
    return clip;
}

/* Differences between two clips of one motion. */
typedef struct RestDifference {
    double mass;   /* largest of a segment, relative to its own */
    double com;    /* m, largest in the world, in the first frame */
    double torque; /* largest of a joint in any frame, relative to the largest torque of the clip */
} RestDifference;

static inline double rotated_rest_larger(double a, double b) { return isnan(b) ? INFINITY : fmax(a, b); }

static inline void rotated_rest_bodies(const Clip *a, const Clip *b, RestDifference *d)
{
    for (int j = 0; j < a->skeleton.joint_count; j++) {
        double own = fmax(a->body.mass[j], b->body.mass[j]);
        Vec3 here = quat_rotate(a->kinematics.orientation[j], a->body.com[j]);
        Vec3 there = quat_rotate(b->kinematics.orientation[j], b->body.com[j]);
        if (own > 0) {
            d->mass = rotated_rest_larger(d->mass, fabs(a->body.mass[j] - b->body.mass[j]) / own);
            d->com = rotated_rest_larger(d->com, vec3_distance(here, there));
        }
    }
}

static inline RestDifference rotated_rest_compare(const Clip *a, const Clip *b)
{
    RestDifference d = {0, 0, 0};
    double largest = 0;
    int joints = a->skeleton.joint_count;
    assert_int_equal(a->motion.frame_count, b->motion.frame_count);
    rotated_rest_bodies(a, b, &d);
    for (int f = 0; f < a->dynamics.frame_count; f++)
        for (int j = 1; j < joints; j++) {
            size_t at = (size_t)f * (size_t)joints + (size_t)j;
            largest = fmax(largest, vec3_norm(a->dynamics.torque[at]));
            d.torque = rotated_rest_larger(d.torque, vec3_distance(a->dynamics.torque[at], b->dynamics.torque[at]));
        }
    assert_true(largest > 0);
    d.torque /= largest;
    return d;
}

#endif
