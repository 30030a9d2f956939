/* Runs a scene and records it as a clip. Joint b is body b of the model; joint 0 is the world, massless and fixed,
 * which rotates the model's up axis to +Y. Bodies that are not connected to their parent by a hinge or ball alone
 * translate.
 *
 * Poses between two steps are interpolated. The contact force of a frame is the mean over the steps since the previous
 * frame, as force and couple at the body's joint (analysis/clip/contact.h, like measured forces). */
#ifndef KANE_SIM_SCENE_CLIP_H
#define KANE_SIM_SCENE_CLIP_H

#include "analysis/clip/clip.h"
#include "analysis/sim/scene.h"

typedef struct SceneClipDef {
    double duration; /* s; default 5 */
    double fps;      /* default 60 */
    const Particles *particles; /* particles of the scene; NULL: none */
    const ParticleGrid *grid;   /* [grid_count] grids of these particles */
    int grid_count;
    const Springs *springs, *bonds; /* shapes to record: springs between bodies, and those attached to particles;
                                       NULL: none */
    const SceneAttachment *attachment; /* [attachment_count] of the scene */
    int attachment_count;
    const SceneRolling *rolling; /* [rolling_count] of the scene */
    int rolling_count;
    const SceneController *controller; /* [controller_count] of the scene */
    int controller_count;
    const ScenePath *path; /* [path_count] of the scene */
    int path_count;
} SceneClipDef;

SceneClipDef scene_clip_default_def(void);

/* Rotation of the model's axes to +Y up, from the axis opposite to gravity; +Z if gravity is zero. *up receives its
 * name, such as "Z". */
Quat scene_up_turn(const Model *m, const char **up);

/* Sets skeleton and body from a model. On failure *out is empty. */
Status scene_clip_bodies(const Model *m, Clip *out, Error *err);

/* Sets the degrees of freedom from a model, row i for speed i. Positions, velocities and accelerations are zero. Ranges
 * of balls, springs and damping are not recorded. */
Status scene_clip_dofs(const Model *m, int frames, Clip *out, Error *err);

/* 1 if a body's frame may translate in that of its parent. */
int scene_translates(const Model *m, int body);

/* Records the model's geoms and the springs and grids of def as shapes; none if there are none. Meshes are recorded as
 * their convex hulls. */
Status scene_clip_shapes(const Model *m, const SceneClipDef *def, Clip *out, Error *err);

/* Runs the scene from its present state into skeleton, dof, motion, body, kinematics, contact, simulation and shapes of
 * *out, and into particles if def names them. If the scene diverges, the clip ends there; *ended receives that time
 * (else the duration) and err the reason. */
Status scene_clip_run(Scene *s, const Model *m, const SceneClipDef *def, Clip *out, double *ended, Error *err);

#endif
