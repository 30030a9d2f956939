/* From a scene in MJCF to a clip that was simulated: what `kane simulate` does. */
#ifndef KANE_PIPELINE_SIMULATE_H
#define KANE_PIPELINE_SIMULATE_H

#include "analysis/clip/clip.h"
#include "analysis/sim/scene_clip.h"
#include "pipeline/stages/notes.h"
#include "pipeline/stages/option.h"

typedef struct SimulateOptions {
    SceneDef scene;
    SceneClipDef clip;
    int solver;           /* an enum of its own: pivoting, gauss-seidel */
    int friction_model;   /* cone, box */
    const char *key;      /* keyframe of the start; NULL: the first, where there is one */
    const char *gravity;  /* "X,Y,Z" in axes of the file; NULL: as the file says */
    const char *springs, *forces, *torques, *controllers, *particles; /* FILE.tsv */
} SimulateOptions;

extern const Command simulate_command; /* its options are of a SimulateOptions */

SimulateOptions simulate_defaults(void);

/* Reads path ("-": standard input) and simulates it. Notes: what was left out of the file, and energies and contacts
 * of the run. */
Status simulate_scene(const SimulateOptions *given, const char *path, Clip *out, Notes *notes, Error *err);

#endif
