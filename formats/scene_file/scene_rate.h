/* The frames of a take: from the times of its keys, and the rate that its file states. */
#ifndef KANE_SCENE_FILE_SCENE_RATE_H
#define KANE_SCENE_FILE_SCENE_RATE_H

#include "formats/scene_file/scene_tree.h"

typedef struct SceneFrames {
    double begin, step; /* s */
    int count;
    int is_regular;     /* 1: every key is at a frame */
} SceneFrames;

/* Frames at the stated rate, or a multiple of it that has every key; without one, at the keys' own steps if these are
 * regular, else at the lowest usual rate that has every key, else at a rate near the closest keys. Only the nodes that
 * are needed count. STATUS_BAD_INPUT without keys; STATUS_LIMIT for more than max frames. */
Status scene_frames(const Scene *scene, const char *needed, int max, SceneFrames *out, Error *err);

#endif
