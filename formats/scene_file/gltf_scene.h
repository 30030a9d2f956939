/* The nodes and one animation of a glTF file as a scene (scene_tree.h). Bones are the joints of skins, and the human
 * bones of a VRM model or VRM animation. Reference: Khronos, glTF 2.0 specification, 3.7.3 (skins), 3.11 (animations);
 * VRM Consortium, VRMC_vrm-1.0, VRMC_vrm_animation-1.0, VRM 0.0. */
#ifndef KANE_SCENE_FILE_GLTF_SCENE_H
#define KANE_SCENE_FILE_GLTF_SCENE_H

#include "formats/scene_file/gltf_file.h"
#include "formats/scene_file/scene_tree.h"

/* Number of animations. */
int gltf_take_count(const GltfFile *gltf);

/* take: from 1; 0: without an animation. Free *out also after failure. */
Status gltf_scene_read(const GltfFile *gltf, int take, Scene *out, Error *err);

/* Fills order[0..node_count) with the nodes, parents first and in the order of the tree, and parent[node].
 * STATUS_BAD_INPUT for a circle. */
Status gltf_node_order(const GltfFile *gltf, int *order, int *parent, Error *err);

#endif
