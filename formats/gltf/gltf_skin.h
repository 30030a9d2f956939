/* A clip on the model of a glTF file: a copy of the GLB, its nodes, meshes and pictures byte for byte, with one more
 * animation. VRM models are GLB files, too.
 *
 * Joints are nodes of the same name, as kane retarget --to FILE gives them. A node's axes turn as its joint has turned
 * since the rest pose; where scales above the nodes differ by axis, the positions are exact and the axes nearest. */
#ifndef KANE_GLTF_GLTF_SKIN_H
#define KANE_GLTF_GLTF_SKIN_H

#include <stdio.h>

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"
#include "formats/base/source_file.h"

/* model: an open GLB file. STATUS_BAD_INPUT if it is none, if it lacks joints of the clip, or if its rest pose is
 * another. STATUS_IO if writing fails. */
Status gltf_skin_write(const Clip *clip, const SourceFile *model, FILE *stream, Error *err);

#endif
