/* A clip as a VRM animation (.vrma): the joints from the hips on as nodes in their rest pose, their rotations and the
 * path of the hips, and which joint is which human bone.
 *
 * Reference: VRM Consortium, VRMC_vrm_animation-1.0: the rest pose is a T-pose that faces +Z. */
#ifndef KANE_GLTF_GLTF_VRMA_H
#define KANE_GLTF_GLTF_VRMA_H

#include <stdio.h>

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"

/* STATUS_BAD_INPUT without the roles that VRM requires, and if the rest pose is no T-pose. STATUS_IO if writing
 * fails. */
Status gltf_vrma_write(const Clip *clip, FILE *stream, Error *err);

#endif
