/* The reference of a scene in a file: a body on hinges or balls, and the motion that its keyframes give.
 *
 * The scene is one tree that hangs on the world; its root becomes joint 0 of the clip. The keyframes, in the order of
 * their times, are the reference, straight lines in the joints' coordinates between them; one alone is held for no
 * time, so that a pose to take is two keyframes of one configuration. */
#ifndef KANE_CONTROL_SCENE_REFERENCE_H
#define KANE_CONTROL_SCENE_REFERENCE_H

#include "analysis/clip/clip.h"
#include "analysis/model/model.h"
#include "analysis/sim/scene_def.h"

typedef struct SceneReference {
    Clip clip;     /* skeleton, body and motion, a frame a step */
    Vec3 *axis;    /* [joint] of a hinge, in axes of its body; zero: a ball */
    Quat *rest;    /* [joint] rotation in the scene's own configuration, from which a run begins */
    Vec3 gravity;  /* m/s2, world of the clip */
    int limit_count;
    int *limited_joint;  /* [limit_count] joints of the clip */
    AngleLimits *limit;  /* [limit_count] of their rotation in the parent */
} SceneReference;

/* STATUS_BAD_INPUT naming the body or joint for another kind of scene. On failure *out is empty. */
Status scene_reference_init(const Model *m, double dt, SceneReference *out, Error *err);
/* Limits of balls, by joints of the model that out was made of. */
Status scene_reference_limit(const Model *m, const SceneAngleLimits *limits, int count, SceneReference *out,
                             Error *err);

void scene_reference_free(SceneReference *r);

#endif
