/* Options of `kane simulate`. */
#ifndef KANE_STAGES_SIMULATE_OPTIONS_H
#define KANE_STAGES_SIMULATE_OPTIONS_H

#include "analysis/base/status.h"
#include "analysis/sim/scene_clip.h"
#include "pipeline/stages/option.h"
#include "pipeline/stages/option_effect.h"

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
enum { MAX_OPTIONS = 64 };
Command simulate_recorded(int of_a_clip, Option room[MAX_OPTIONS]);

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

/* STATUS_USAGE for runs of too many steps, or of less than one. */
Status simulate_check_steps(double step, double duration, Error *err);

#endif
