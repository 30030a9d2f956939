/* References of tracking that are no clip: a scene file with keyframes, and the thesis's test body of two links. */
#ifndef KANE_CONTROL_SCENE_REFERENCE_H
#define KANE_CONTROL_SCENE_REFERENCE_H

#include "analysis/clip/clip.h"
#include "analysis/model/model.h"
#include "analysis/sim/scene_def.h"

/* Reference of a scene file: a body on hinges or balls, and the motion of its keyframes.
 *
 * The scene is one tree attached to the world; its root becomes joint 0 of the clip. The keyframes, in the order of
 * their times, are the reference, linear in the joint coordinates between them. A single keyframe has no duration: to
 * hold a pose, give two keyframes of the same configuration. */

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

/* The thesis's test body (figure 3.3): two cylinders in series on hinges about Z, with its references. Joint angles are
 * hinge angles; at zero both links lie along +X. */

typedef enum TwoLinksScene { TWO_LINKS_STEADY, TWO_LINKS_MOVING, TWO_LINKS_SCENE_COUNT } TwoLinksScene;

#define TWO_LINKS_LENGTH 0.3    /* m */
#define TWO_LINKS_DIAMETER 0.07 /* m */
#define TWO_LINKS_MASS 1.54     /* kg, of each */
#define TWO_LINKS_HEIGHT 1.0    /* m, of the first hinge */

/* Creates skeleton, body and motion of `duration` s in steps of dt. The caller frees the clip. */
Status two_links_clip(TwoLinksScene scene, double duration, double dt, Clip *out, Error *err);

#endif
