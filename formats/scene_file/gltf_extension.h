/* Extensions of glTF that hold the numbers of an animation otherwise than the specification, such as compressed. */
#ifndef KANE_SCENE_FILE_GLTF_EXTENSION_H
#define KANE_SCENE_FILE_GLTF_EXTENSION_H

#include "formats/base/json_read.h"

/* STATUS_BAD_INPUT, with its name, if a part of an animation (animation, sampler, channel, accessor, buffer view; -1:
 * none) has an extension that the file requires of its readers, or one that compresses. Other extensions are ignored:
 * the specification gives the part a meaning without them. Meshes are not read, whatever they require (Draco). */
Status gltf_extension_refuse(const JsonText *json, int part, Error *err);

#endif
