/* What a pose of a human skeleton shows: joints by role, lengths, and body axes where it stands. The pose is the one
 * that is given, as in which the body stands in its motion, or the rest pose.
 *
 * Many files have a rest pose that is no pose: each bone points along its own x axis. Then only lengths count, and
 * directions within one joint's axes; the rest pose `stands` where trunk and legs lie on one straight line. */
#ifndef KANE_BODY_HUMAN_REST_H
#define KANE_BODY_HUMAN_REST_H

#include "analysis/base/arena.h"
#include "analysis/base/status.h"
#include "analysis/body/segment_table.h"
#include "analysis/clip/clip.h"

typedef struct HumanRest {
    const Skeleton *skeleton;
    const Quat *turn;      /* [joint] of the pose, joint axes to its own; NULL: the rest pose */
    Vec3 *rest;            /* [joint] m */
    Vec3 *tip;             /* [joint] m, rest position of the end site or joint farthest along the bones below */
    double *reach;         /* [joint] m, length along the bones to it */
    int joint[ROLE_COUNT]; /* -1 where absent */
    int stands;
    Vec3 up, left, front; /* unit, rest axes; of the hips where the rest pose does not stand */
    Vec3 hip_middle;      /* m, middle of the hip joints */
    double leg;           /* m, thigh and shank, mean of both sides */
    double scale;         /* leg over the table's leg: expected lengths are table lengths times this */
    double trunk;         /* m, middle of the hip joints to C7 */
    double head;          /* m, C7 to vertex */
    double ankle_height;  /* m, ankle above the sole */
    Arena memory;         /* of the arrays */
} HumanRest;

/* Roles are human (roles_are_human). turn is kept; NULL: the rest pose. shape is of segment_shapes. */
Status human_rest_init(HumanRest *r, const Skeleton *skeleton, const Quat *turn, const SegmentShape *shape,
                       Error *err);
void human_rest_free(HumanRest *r);

/* Rest vector between the joints of two roles; zero where one is absent. */
Vec3 human_rest_between(const HumanRest *r, Role from, Role to);

/* The joint of the neck, else of the head; -1 for a figure without either. */
int human_rest_top(const HumanRest *r);

/* Ankle height, legs, trunk and head one on the other, m; but for the ankles along the bones, so that the pose hardly
 * matters. */
double human_rest_stature(const HumanRest *r, const SegmentShape *shape);

/* Length if it lies within low..high of expected, else expected. */
double plausible_length(double length, double expected, double low, double high);

/* Standing height, m: ankle height, thigh, shank, trunk and head one on the other, along the bones, so that the rest
 * pose need not stand; 0 where there are no human roles. */
double body_stature(const Skeleton *skeleton);

/* The stature of a clip, m: that of its body where it has one with a stature, else that of its skeleton; 0 where there
 * are no human roles. Everything that prints or stores a stature calls this. */
double clip_stature(const Clip *clip);

#endif
