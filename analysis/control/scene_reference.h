/* Reference of a scene file: a body on hinges or balls, and the motion of its keyframes.
 *
 * The scene is one tree attached to the world; its root becomes joint 0 of the clip. The keyframes, in the order of
 * their times, are the reference, linear in the joint coordinates between them. A single keyframe has no duration: to
 * hold a pose, give two keyframes of the same configuration. */
#ifndef KANE_CONTROL_SCENE_REFERENCE_H
#define KANE_CONTROL_SCENE_REFERENCE_H

#include "analysis/clip/clip.h"
#include "analysis/model/model.h"
#include "analysis/sim/scene_def.h"

typedef struct SceneReference {
    Clip clip;     /* skeleton, body and motion, one frame per step */
    Vec3 *axis;    /* [joint] hinge axis in axes of its body; zero: a ball */
    Quat *rest;    /* [joint] rotation in the scene's own configuration, the initial pose of a run */
    Vec3 gravity;  /* m/s2, world of the clip */
    int limit_count;
    int *limited_joint;  /* [limit_count] joints of the clip */
    AngleLimits *limit;  /* [limit_count] of their rotation in the parent */
} SceneReference;

/* STATUS_BAD_INPUT naming the body or joint that such a scene cannot have. On failure *out is empty. */
Status scene_reference_init(const Model *m, double dt, SceneReference *out, Error *err);
/* Limits of balls, by joints of the model that *out was made from. */
Status scene_reference_limit(const Model *m, const SceneAngleLimits *limits, int count, SceneReference *out,
                             Error *err);

void scene_reference_free(SceneReference *r);

#endif
