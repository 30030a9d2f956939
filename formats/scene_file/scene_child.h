/* Reads scenes of FBX and Collada files with libassimp, in the helper program kane-scene: a process with limits of
 * memory, time and system calls (scene_helper/), because the library is not hardened. A file that ends it is damaged to
 * kane. The helper is beside the program or library, or in ../libexec/kane of it, or in the folder $KANE_LIBEXEC. */
#ifndef KANE_SCENE_FILE_SCENE_CHILD_H
#define KANE_SCENE_FILE_SCENE_CHILD_H

#include <stddef.h>

#include "analysis/base/status.h"
#include "formats/base/source_file.h"
#include "formats/scene_file/scene_tree.h"

enum { SCENE_CHILD_MEGABYTES = 1024, SCENE_CHILD_SECONDS = 60 };

/* format: "fbx" or "dae". take: the name of an animation, NULL: all as one; number: which of those with this name, from
 * 1. STATUS_IO without the helper or the library, with what to install; STATUS_BAD_INPUT if the file ended the helper.
 * Free *out also after failure. */
Status scene_child_read(const SourceFile *file, const char *format, const char *take, int number, Scene *out,
                        Error *err);

#endif
