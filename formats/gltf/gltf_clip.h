/* A clip as glTF 2.0 in one binary file (.glb), core features only: +Y up, metres, seconds.
 *
 * Nodes 0..J-1 are the joints, with their names, in the rest pose; node J+j shows segment j by its part of the
 * mannequin (analysis/figure/mannequin.h), skinned to two joints a vertex; of a joint without a segment of its own it
 * is empty. One animation holds the root's path, every joint's rotation and, where the clip has torques, a colour: each
 * mesh has four morph targets that add a step of the colour scale each, and their weights are animated, so that every
 * viewer that knows morph targets of COLOR_0 shows torque for each kilogram, 0 to 3 Nm/kg, or the share of strength, 0
 * to 1; grey where the torque is the residual or the share is not known. The vertex attribute _TORQUE_PEAK is the
 * joint's largest torque over frames of the choice, Nm/kg. `extras` of a joint node: role, segment, mass_kg,
 * torque_peak_nm_kg, and torque (of the floating base residual_torque), the number of an accessor with the torque of
 * every key: Nm, world axes. `extras` of the asset: the provenance.
 *
 * Reference: Khronos, glTF 2.0 specification, 3.7 (meshes, skins, morph targets), 3.11 (animations). */
#ifndef KANE_FORMATS_GLTF_CLIP_H
#define KANE_FORMATS_GLTF_CLIP_H

#include <stdio.h>

#include "analysis/base/status.h"
#include "formats/gltf/gltf_arrays.h"

/* Nothing is written where the clip cannot be told in glTF (see gltf_arrays_init). STATUS_IO where the stream refuses;
 * the caller closes it. */
Status gltf_write_clip(const Clip *clip, const GltfDef *def, FILE *stream, Error *err);

#endif
