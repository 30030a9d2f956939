/* A simulated scene as a clip: joint b is body b of the model, joint 0 the world, massless and fixed, which turns the
 * model's up axis to +Y; bodies that do not hang on their parent by a hinge or ball alone translate.
 *
 * Poses between two steps are interpolated. The contact force of a frame is the mean over the steps since the frame
 * before, as force and couple at the body's joint (analysis/clip/contact.h, as measured ones). */
#ifndef KANE_SIM_SCENE_CLIP_H
#define KANE_SIM_SCENE_CLIP_H

#include "analysis/clip/clip.h"
#include "analysis/sim/scene.h"

typedef struct SceneClipDef {
    double duration; /* s; default 5 */
    double fps;      /* default 60 */
    const Particles *particles; /* those of the scene; NULL: none */
    const ParticleGrid *grid;   /* [grid_count] the grids that they are of */
    int grid_count;
    const Springs *springs, *bonds; /* to show: between bodies, and those that hold particles; NULL: none */
    const SceneAttachment *attachment; /* [attachment_count] the same */
    int attachment_count;
    const SceneRolling *rolling; /* [rolling_count] the same */
    int rolling_count;
    const SceneController *controller; /* [controller_count] the same */
    int controller_count;
    const ScenePath *path; /* [path_count] the same */
    int path_count;
} SceneClipDef;

SceneClipDef scene_clip_default_def(void);

/* Turn of the model's axes to +Y up: by the axis that gravity points down along, +Z where that is none. *up receives
 * its name, "Z". */
Quat scene_up_turn(const Model *m, const char **up);

/* Skeleton and body of a model; has_body. On failure *out is empty. */
Status scene_clip_bodies(const Model *m, Clip *out, Error *err);

/* Degrees of freedom of a model, row i its speed i, in a clip of its bodies; has_dof. Ranges of balls, springs and
 * damping stay in the scene. Positions, velocities and accelerations are zero. */
Status scene_clip_dofs(const Model *m, int frames, Clip *out, Error *err);

/* 1 where a body's frame may move in that of its parent. */
int scene_translates(const Model *m, int body);

/* Geoms of a model, and springs and grids of def, as shapes; none where there are none. Meshes are their hulls. */
Status scene_clip_shapes(const Model *m, const SceneClipDef *def, Clip *out, Error *err);

/* Runs the scene from its present state into skeleton, dof, motion, body, kinematics, contact, simulation and shapes of
 * *out, and the particles where def names them. Where it flies apart the clip ends there: *ended receives the time
 * (else the duration), and err the reason. */
Status scene_clip_run(Scene *s, const Model *m, const SceneClipDef *def, Clip *out, double *ended, Error *err);

#endif
