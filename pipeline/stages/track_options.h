/* Options of the track stage, and the conditions under which they have an effect. */
#ifndef KANE_STAGES_TRACK_OPTIONS_H
#define KANE_STAGES_TRACK_OPTIONS_H

#include "analysis/clip/clip.h"
#include "analysis/control/playback_search.h"
#include "pipeline/stages/option.h"
#include "pipeline/stages/option_effect.h"

/* Reference in place of a clip: motions of two links on hinges (analysis/control/two_links.h). */
typedef enum TrackScene { SCENE_NONE, SCENE_STEADY, SCENE_MOVING } TrackScene;
extern const char *const track_scenes[]; /* ends with NULL */

typedef struct TrackOptions {
    TrackScene scene;
    const char *scene_file; /* MJCF scene in place of a clip; NULL: none */
    const char *leave_out;  /* elements of that file to ignore; NULL: none */
    const char *controller;
    double stiffness, damping;
    double damping_ratio;    /* used if no damping is given; 0: 1 */
    int search_gains, learn; /* learn: count of runs; 0: one run without learning */
    double integral, integral_max; /* ki, and bound of the integrated angle, rad s */
    int gains;               /* GainScale */
    int zero_velocity;
    const char *joint_gains; /* FILE.tsv */
    const char *balance_weights; /* "R,W,E,T" */
    double hit_stiffness, hit_time; /* factor on the gains; s */
    double dt, follow, follow_damping_ratio;
    const char *push, *pushes; /* "ROLE,NEWTON,..."; FILE.tsv */
    const char *throw_ball;    /* "MASS,SPEED,..." */
    const char *perturb;
    double perturb_time;
    int contact;
    int root;        /* RootMode */
    const char *springs, *spring_laws; /* FILE.tsv */
    const char *limits;  /* FILE.tsv */
    const char *soft_joints; /* FILE.tsv */
    double root_stiffness; /* N/m; 0: the default */
    const char *forces;  /* FILE.tsv */
    const char *targets; /* FILE.tsv */
    int forces_known;
    double strength_share; /* 0: 1 */
    int unbounded;
    int on_fall;     /* FallRule */
    int steps_off;
    const char *slope;   /* degrees, rising ahead of the character; NULL: none */
    const char *ground;  /* MJCF scene to walk on; NULL: the clip's ground */
    double friction; /* 0: the clip's, otherwise 0.8 */
    int present_acceleration;
    double duration; /* s; 0: 6 s for --scene, the whole clip */
} TrackOptions;

extern const Option track_options[];
extern const OptionEffect track_effects[];

void track_defaults(OptionValues *values);

/* Rejects options that conflict or have no effect; fills in the duration of a scene. */
Status track_check(OptionValues *values, const Clip *clip, Error *err);

/* Returns whether only ground and springs support the root. */
static inline int track_stands(const TrackOptions *o) { return o->root == ROOT_FREE || o->root == ROOT_COMPLIANT; }

/* Whether a controller supports this root mode: with a free root only the inverse-dynamics controllers do. */
int track_can_run(const TrackOptions *o, ControllerKind kind);

#endif
