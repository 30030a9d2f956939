/* A scene of libassimp as a scene of kane (formats/scene_file/scene_tree.h). */
#ifndef KANE_SCENE_HELPER_ASSIMP_SCENE_H
#define KANE_SCENE_HELPER_ASSIMP_SCENE_H

#include "analysis/base/status.h"
#include "formats/scene_file/scene_tree.h"
#include "scene_helper/assimp_calls.h"

typedef struct AssimpWish {
    const char *format; /* "fbx", "dae" */
    const char *take;   /* name of the animation; NULL: all as one */
    int number;         /* which of those with the name, from 1 */
} AssimpWish;

/* Reads the file and converts its nodes, and the channels of the wished animation: none if it has none.
 * STATUS_BAD_INPUT with the library's reason. */
Status assimp_scene_read(const AssimpCalls *assimp, const char *bytes, size_t size, const AssimpWish *wish, Scene *out,
                         Error *err);

#endif
