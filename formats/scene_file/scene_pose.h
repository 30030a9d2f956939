/* Poses of a scene: the world transforms of its nodes at rest or at a time. */
#ifndef KANE_SCENE_FILE_SCENE_POSE_H
#define KANE_SCENE_FILE_SCENE_POSE_H

#include "analysis/base/arena.h"
#include "formats/scene_file/scene_tree.h"

typedef struct ScenePlace {
    Mat3 linear;   /* rotation and scale */
    Vec3 position; /* file units, file axes */
    Mat3 turned;   /* product of the rotations, for nodes with another inheritance of scale */
    Vec3 scale;    /* local */
} ScenePlace;

typedef struct ScenePose {
    const Scene *scene;
    const char *needed;  /* [node] 1: its position is wanted; with a node its parents */
    int *channel;        /* [node] -1: none */
    int (*cursor)[SCENE_PATHS]; /* [channel] key before the last time */
    double tolerance;    /* s: a key this near to a time is its value */
    ScenePlace *place;   /* [node] */
} ScenePose;

/* Arrays belong to the arena; check arena->failed. */
ScenePose scene_pose_new(const Scene *scene, const char *needed, double tolerance, Arena *arena);

void scene_pose_at_rest(ScenePose *pose);

/* Times that increase from call to call are found at once. Keys are extended by their first and last value. */
void scene_pose_at(ScenePose *pose, double time);

/* Whether the keys of a channel differ from each other. */
int scene_channel_moves(const SceneChannel *channel);

#endif
