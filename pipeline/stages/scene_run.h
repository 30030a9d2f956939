/* An MJCF scene with the tables that options name, ready to step. */
#ifndef KANE_STAGES_SCENE_RUN_H
#define KANE_STAGES_SCENE_RUN_H

#include "analysis/sim/scene.h"
#include "formats/tables/scene_tables.h"
#include "pipeline/stages/simulate_options.h"

/* Data of the tables given with a scene. */
typedef struct Beside {
    Springs springs, bonds; /* between bodies; on particles */
    ParticleBond *bond;     /* [bonds.count] owned */
    SceneTables tables;
    Particles particles;
} Beside;

/* A scene to be run and its settings. */
typedef struct SceneRun {
    const SimulateOptions *given;
    Model *model;
    Scene *scene;
    SceneOverlap overlap;
    Beside beside;
} SceneRun;

/* Sets the model's gravity from the option, if it is given. */
Status scene_run_gravity(const SimulateOptions *o, Model *m, Error *err);

/* Reads the tables and makes the scene of r->model, as r->given says. Free *r also after a failure. */
Status scene_run_init(SceneRun *r, Error *err);

/* Does not free the model. */
void scene_run_free(SceneRun *r);

#endif
