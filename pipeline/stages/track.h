/* Options of the track stage, of which the command line reads the scene. */
#ifndef KANE_STAGES_TRACK_H
#define KANE_STAGES_TRACK_H

#include "analysis/control/playback.h"
#include "analysis/control/scene_reference.h"
#include "pipeline/stages/option.h"

/* Instead of a clip: motions of two links on hinges (analysis/control/two_links.h). */
typedef enum TrackScene { SCENE_NONE, SCENE_STEADY, SCENE_MOVING } TrackScene;
extern const char *const track_scenes[]; /* their names, ends with NULL */

typedef struct TrackOptions {
    TrackScene scene;
    const char *scene_file; /* of a scene in MJCF in their place; NULL: none */
    const char *leave_out;  /* of that file: names, or NULL */
    const char *controller;
    double stiffness, damping;
    double damping_ratio;    /* where no damping is given; 0: 1 */
    int search_gains, learn; /* learn: count of runs; 0: one that learns nothing */
    double integral, integral_max; /* ki, bound of the sum in rad s */
    int gains;               /* a GainScale */
    int zero_velocity;
    const char *joint_gains; /* FILE.tsv */
    const char *balance_weights; /* "R,W,E,T" */
    double hit_stiffness, hit_time; /* factor of the gains, s */
    double dt, follow, follow_damping_ratio;
    const char *perturb;
    double perturb_time;
    int contact;
    int root;        /* a RootMode */
    const char *springs, *spring_laws; /* FILE.tsv */
    const char *limits;  /* FILE.tsv */
    const char *soft_joints; /* FILE.tsv */
    double root_stiffness; /* N/m; 0: the default */
    const char *forces;  /* FILE.tsv */
    const char *targets; /* FILE.tsv */
    int forces_known;
    double friction; /* 0: the clip's, else 0.8 */
    int present_acceleration;
    double duration; /* s; 0: a scene has 6, a clip all it has */
} TrackOptions;

extern const Option track_options[];
extern const OptionEffect track_effects[];

void track_defaults(OptionValues *values);

/* Fails on options that contradict each other, or that change nothing; of a scene, fills in its duration. */
Status track_check(OptionValues *values, const Clip *clip, Error *err);

/* "1,1,B": mass, height, and what *body then points to. */
Status track_parse_perturb(const char *text, BallDrop *ball, const char **body, Error *err);

/* "1,0.3,0.001,0" */
Status track_parse_weights(const char *text, BalanceWeights *weights, Error *err);

/* -1: all. */
Status track_parse_controller(const char *text, int *kind, Error *err);

/* Whether a controller can drive a body whose root is held so: balancing is inverse dynamics' own. */
int track_can_run(const TrackOptions *o, ControllerKind kind);

/* Whether nothing but springs and the ground carries the root. */
static inline int track_stands(const TrackOptions *o) { return o->root == ROOT_FREE || o->root == ROOT_COMPLIANT; }

/* The reference of the scene file, by steps of dt. */
Status track_read_scene(const TrackOptions *given, SceneReference *out, Notes *notes, Error *err);

#endif
