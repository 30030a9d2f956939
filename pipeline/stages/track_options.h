/* Options of the track stage, of which the command line reads the scene. */
#ifndef KANE_PIPELINE_TRACK_OPTIONS_H
#define KANE_PIPELINE_TRACK_OPTIONS_H

#include "analysis/control/scene_reference.h"

/* Instead of a clip: motions of two links on hinges (analysis/control/two_links.h). */
typedef enum Scene { SCENE_NONE, SCENE_STEADY, SCENE_MOVING } Scene;
extern const char *const track_scenes[]; /* their names, ends with NULL */

typedef struct TrackOptions {
    Scene scene;
    const char *scene_file; /* of a scene in MJCF in their place; NULL: none */
    const char *controller;
    double stiffness, damping;
    int plain_gains, zero_velocity;
    double dt, follow;
    const char *perturb;
    double perturb_time;
    int contact;
    int root;        /* a RootMode */
    const char *springs; /* FILE.tsv */
    const char *limits;  /* FILE.tsv */
    const char *soft_joints; /* FILE.tsv */
    double friction; /* 0: the clip's, else 0.8 */
    int present_acceleration;
    double duration; /* s; 0: a scene has 6, a clip all it has */
} TrackOptions;

/* The reference of the scene file, by steps of dt. */
Status track_read_scene(const TrackOptions *given, SceneReference *out, Error *err);

#endif
