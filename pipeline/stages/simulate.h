/* Simulation of an MJCF scene or of a clip's torques to a clip, for `kane simulate`. */
#ifndef KANE_STAGES_SIMULATE_H
#define KANE_STAGES_SIMULATE_H

#include "analysis/clip/clip.h"
#include "analysis/model/model.h"
#include "analysis/sim/scene_clip.h"
#include "pipeline/stages/option.h"

/* Reading an MJCF scene; what is ignored is noted. */

#define LEAVE_OUT_HELP "Elements and attributes of the scene to ignore, as named by the error"

/* path "-": standard input; leave_out: comma-separated names as in the reader's errors, NULL: none. On failure *out is
 * empty and err names the line. The caller frees *out with model_free. */
Status scene_file_read(const char *path, const char *leave_out, Model *out, Notes *notes, Error *err);

/* Options of `kane simulate`. */

typedef enum SolverChoice { SOLVER_AUTO, SOLVER_EXACT, SOLVER_SWEEPS } SolverChoice;

typedef struct SimulateOptions {
    SceneDef scene;
    SceneClipDef clip;
    int solver;           /* SolverChoice */
    int friction_model;   /* cone, box */
    const char *key;      /* initial keyframe; NULL: the first, if any */
    const char *leave_out; /* comma-separated names of elements to ignore; NULL: none */
    const char *gravity;  /* "X,Y,Z" in the file's axes, m/s^2; NULL: as in the file */
    const char *springs, *spring_laws, *forces, *controllers, *particles; /* FILE.tsv */
    const char *joint_paths, *body_paths; /* FILE.tsv */
    const char *torques; /* FILE.tsv; without a scene, a clip */
    const char *attachments, *limits, *compliance, *rolling;
    const char *hold; /* comma-separated names or roles of a clip's joints; NULL: none */
    int residual; /* residual of a clip: on, off */
    Error *flown; /* output, not an option: why a clip's body flew apart, if it did */
} SimulateOptions;

extern const Command simulate_command; /* its options fill a SimulateOptions */

SimulateOptions simulate_defaults(void);

/* The command with only those options that are recorded in the history of a clip's torques, or of a scene; room
 * receives them. */
enum { MOST_OPTIONS = 64 };
Command simulate_recorded(int of_a_clip, Option room[MOST_OPTIONS]);

/* Circumstances in which options have an effect. */
enum {
    SIMULATE_SCENE = 1,
    SIMULATE_CLIP = 2,
    SIMULATE_COLLIDES = 4, /* features of a scene */
    SIMULATE_LIMITS = 8,
    SIMULATE_DRIVES = 16,
    SIMULATE_MOVES = 32,
    SIMULATE_SOFT = 64,    /* other options */
    SIMULATE_PIVOTS = 128,
    SIMULATE_NO_PARTICLES = 256,
    SIMULATE_RUBS = 512,   /* a feature: contacts with friction */
    SIMULATE_SPRINGS = 1024,
    SIMULATE_FEATURES = SIMULATE_COLLIDES | SIMULATE_LIMITS | SIMULATE_DRIVES | SIMULATE_MOVES | SIMULATE_RUBS,
};

extern const OptionEffect simulate_effects[];

/* STATUS_USAGE if an option was given that has no effect in a scene with these features; SIMULATE_FEATURES for a scene
 * that is not read yet. */
Status simulate_check_scene(const SimulateOptions *given, unsigned features, Error *err);
/* The same for a clip's torques. */
Status simulate_check_clip(const SimulateOptions *given, Error *err);

/* Forward dynamics under a clip's torques. */

/* Replaces the clip's motion by that which follows from its torques, ground forces and residual on a free base.
 * STATUS_USAGE if an option was given that applies to scenes only. Notes: the drift from the original motion. If the
 * body flies apart the clip ends there, flown->status is STATUS_NO_RESULT and its text states why; otherwise it is
 * STATUS_OK. */
Status simulate_torques(const SimulateOptions *given, Clip *clip, Notes *notes, Error *flown, Error *err);

/* Reads a scene from path ("-": standard input) and simulates it. Notes: what was ignored in the file, energies and
 * contacts. STATUS_NO_RESULT if the scene flies apart: *out then ends there, and is empty if no frame was written. */
Status simulate_scene(const SimulateOptions *asked, const char *path, Clip *out, Notes *notes, Error *err);

#endif
