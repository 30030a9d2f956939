/* From a scene in MJCF to a clip that was simulated: the first half of what `kane simulate` does. */
#ifndef KANE_STAGES_SIMULATE_H
#define KANE_STAGES_SIMULATE_H

#include "analysis/clip/clip.h"
#include "analysis/model/model.h"
#include "analysis/sim/scene_clip.h"
#include "pipeline/stages/option.h"

/* A scene in MJCF as stages read it: what is left out becomes notes. */

#define LEAVE_OUT_HELP "Elements and attributes of the scene to ignore, as named by the error"

/* path "-": standard input; leave_out: names with commas, as errors of such files give them; NULL: none. On failure
 * *out is empty and err names the line. The caller frees *out with model_free. */
Status scene_file_read(const char *path, const char *leave_out, Model *out, Notes *notes, Error *err);

/* Options of `kane simulate`, which simulates scenes and plays a clip's torques forward. */

typedef enum SolverChoice { SOLVER_AUTO, SOLVER_EXACT, SOLVER_SWEEPS } SolverChoice;

typedef struct SimulateOptions {
    SceneDef scene;
    SceneClipDef clip;
    int solver;           /* SolverChoice */
    int friction_model;   /* cone, box */
    const char *key;      /* keyframe of the start; NULL: the first, where there is one */
    const char *leave_out; /* names of what the scene does without; NULL: nothing */
    const char *gravity;  /* "X,Y,Z" in axes of the file; NULL: as the file says */
    const char *springs, *spring_laws, *forces, *controllers, *particles; /* FILE.tsv */
    const char *joint_paths, *body_paths; /* FILE.tsv */
    const char *torques; /* FILE.tsv, without a scene a clip */
    const char *attachments, *limits, *compliance, *rolling;
    const char *hold; /* names or roles with commas, of joints of a clip; NULL: none */
    int residual; /* of a clip's torques: on, off */
    Error *flown; /* no option: receives why a clip's body flew apart, where it did */
} SimulateOptions;

extern const Command simulate_command; /* its options are of a SimulateOptions */

SimulateOptions simulate_defaults(void);

/* The command with the options alone that go into the history of a clip's torques, or of a scene; room for these. */
enum { MOST_OPTIONS = 64 };
Command simulate_recorded(int of_a_clip, Option room[MOST_OPTIONS]);

/* Circumstances under which options act. */
enum {
    SIMULATE_SCENE = 1,
    SIMULATE_CLIP = 2,
    SIMULATE_COLLIDES = 4, /* features of a scene */
    SIMULATE_LIMITS = 8,
    SIMULATE_DRIVES = 16,
    SIMULATE_MOVES = 32,
    SIMULATE_SOFT = 64,    /* and what other options say */
    SIMULATE_PIVOTS = 128,
    SIMULATE_NO_PARTICLES = 256,
    SIMULATE_RUBS = 512,   /* a feature: contacts with friction */
    SIMULATE_SPRINGS = 1024,
    SIMULATE_FEATURES = SIMULATE_COLLIDES | SIMULATE_LIMITS | SIMULATE_DRIVES | SIMULATE_MOVES | SIMULATE_RUBS,
};

extern const OptionEffect simulate_effects[];

/* STATUS_USAGE where an option has been given that changes nothing of a scene with these features; of one that is not
 * read yet: SIMULATE_FEATURES. */
Status simulate_check_scene(const SimulateOptions *given, unsigned features, Error *err);
/* The same of the torques of a clip. */
Status simulate_check_clip(const SimulateOptions *given, Error *err);

/* The torques of a clip forward: the second half of what `kane simulate` does. */

/* A clip's torques, ground forces and residual forward on a free base: the clip becomes the motion that comes of them.
 * STATUS_USAGE where an option has been given that is for scenes alone. Notes: how far it drifts. Where the body flies
 * apart the clip ends there: flown->status is then STATUS_NO_RESULT and its text says why, else it is STATUS_OK. */
Status simulate_torques(const SimulateOptions *given, Clip *clip, Notes *notes, Error *flown, Error *err);

/* Reads path ("-": standard input) and simulates it. Notes: what was left out of the file, and energies and contacts
 * of the run. STATUS_NO_RESULT where the scene flies apart: *out is then the clip until there, where it has frames. */
Status simulate_scene(const SimulateOptions *asked, const char *path, Clip *out, Notes *notes, Error *err);

#endif
