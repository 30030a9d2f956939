/* Measures of a pose of a human skeleton: joints by role, lengths, and body axes. Expected lengths follow from the
 * table of segments. The pose is either given, as in which the body stands in its motion, or the rest pose.
 *
 * Many files have a rest pose that is not a pose: each bone points along its own x axis. Then only lengths are used,
 * and directions within one joint's axes. The rest pose `stands` if trunk and legs lie on one straight line. */
#ifndef KANE_BODY_HUMAN_REST_H
#define KANE_BODY_HUMAN_REST_H

#include "analysis/base/arena.h"
#include "analysis/base/status.h"
#include "analysis/body/segment_table.h"
#include "analysis/clip/clip.h"
#include "analysis/clip/skeleton.h"
#include "analysis/math/quat.h"
#include "analysis/math/vec.h"

/* A pose and its measures. */
typedef struct HumanRest {
    const Skeleton *skeleton;
    const Quat *orientation; /* [joint] rotations of the pose, joint axes to those of the pose; NULL: the rest pose */
    Vec3 *rest;              /* [joint] m */
    Vec3 *tip;               /* [joint] m, rest position of the end site or joint farthest below along the bones */
    double *reach;           /* [joint] m, length along the bones to tip */
    int joint[ROLE_COUNT];   /* -1 if absent */
    int stands;
    Vec3 up, left, front; /* unit, rest axes; if the rest pose does not stand, axes of the hips */
    Vec3 hip_middle;      /* m, middle of the hip joints */
    double leg;           /* m, thigh and shank, mean of both sides */
    double scale;         /* leg over the table's leg; expected lengths are table lengths times this */
    double trunk;         /* m, middle of the hip joints to C7 */
    double head;          /* m, C7 to vertex */
    double ankle_height;  /* m, ankle above the sole */
    Arena memory;         /* owns the arrays */
} HumanRest;

/* Measures a skeleton with human roles (roles_are_human). orientation is kept by reference; NULL: the rest pose. shape:
 * from segment_shapes. STATUS_BAD_INPUT if the legs have no length. */
Status human_rest_init(HumanRest *r, const Skeleton *skeleton, const Quat *orientation, const SegmentShape *shape,
                       Error *err);
void human_rest_free(HumanRest *r);

/* The rest vector between the joints of two roles; zero if one is absent. */
Vec3 human_rest_between(const HumanRest *r, Role from, Role to);

/* The joint of the neck or, without one, of the head; -1 without either. */
int human_rest_top(const HumanRest *r);

/* The stature, m: the sum of ankle height, legs, trunk and head. All but the ankle height are measured along the bones,
 * so that the pose hardly matters. */
double human_rest_stature(const HumanRest *r, const SegmentShape *shape);

/* Returns length if it lies within low..high times expected, otherwise expected. */
double plausible_length(double length, double expected, double low, double high);

/* The standing height, m: the sum of ankle height, thigh, shank, trunk and head along the bones, so that the rest pose
 * need not stand; 0 without human roles. */
double body_stature(const Skeleton *skeleton);

/* The stature of a clip, m: that of its body if it has one, else that of its skeleton; 0 without human roles.
 * Everything that prints or stores a stature calls this. */
double clip_stature(const Clip *clip);

#endif
