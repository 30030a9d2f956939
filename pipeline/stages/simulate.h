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
    const char *springs, *forces, *torques, *controllers, *particles; /* FILE.tsv; torques without a scene: a clip */
    const char *attachments;
    int engine;   /* of a clip's torques: a ForwardEngine */
    int residual; /* of a clip's torques: on, off */
} SimulateOptions;

extern const Command simulate_command; /* its options are of a SimulateOptions */

SimulateOptions simulate_defaults(void);

/* The command with the options alone that go into the history of a clip's torques, or of a scene; room for these. */
enum { MOST_OPTIONS = 64 };
Command simulate_recorded(int of_a_clip, Option room[MOST_OPTIONS]);

/* STATUS_USAGE where an option has been given that is for a clip's torques alone. */
Status simulate_check_scene(const SimulateOptions *given, Error *err);

/* Reads path ("-": standard input) and simulates it. Notes: what was left out of the file, and energies and contacts
 * of the run. */
Status simulate_scene(const SimulateOptions *asked, const char *path, Clip *out, Notes *notes, Error *err);

/* A clip's torques, ground forces and residual forward on a free base: the clip becomes the motion that comes of them.
 * STATUS_USAGE where an option has been given that is for scenes alone. Notes: how far it drifts. */
Status simulate_torques(const SimulateOptions *given, Clip *clip, Notes *notes, Error *err);

#endif
