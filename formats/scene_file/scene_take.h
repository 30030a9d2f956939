/* A take from a scene: joints with world-aligned axes in the rest pose of the nodes, sampled at the file's own frames.
 *
 * Positions are those of the nodes in every frame, whatever scales, mirrors or shears above them: a joint's rotation is
 * that of its node's axes since the rest pose, and what else moves it is translation. */
#ifndef KANE_SCENE_FILE_SCENE_TAKE_H
#define KANE_SCENE_FILE_SCENE_TAKE_H

#include "analysis/detect/take.h"
#include "formats/base/source_format.h"
#include "formats/scene_file/scene_tree.h"

/* format: "FBX", for messages. Moves the name of the take. Free *out also after failure. */
Status scene_take(Scene *scene, const char *format, const SourceDef *def, Take *out, Error *err);

#endif
