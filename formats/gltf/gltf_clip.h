/* A clip as glTF 2.0 in one binary file (.glb), core features only: +Y up, metres, seconds.
 *
 * Nodes 0..J-1 are the joints, with names, in the rest pose. Node J+j has the mesh of segment j, its part of the
 * mannequin (analysis/mannequin/mannequin.h), skinned to two joints per vertex; joints without a segment have none. In
 * a scene or simulation, nodes of springs, tendons, particles and forces follow, with animated translation, rotation
 * and scale; then the camera, if requested, and the end sites (Head_end). One animation has the root's path, every
 * joint's rotation and, if the clip has torques and no shapes, colours: each mesh has four morph targets that each add
 * a step of the colour scale, with animated weights. Every viewer that supports morph targets of COLOR_0 then shows
 * torque per body mass, 0 to 3 N m/kg, or utilization, 0 to 1; grey is a residual or an unknown utilization. The
 * vertex attribute _TORQUE_PEAK is the joint's largest torque in the chosen frames, N m/kg. `extras` of a joint node:
 * role, segment, mass_kg, torque_peak_nm_kg, and torque (for the floating base residual_torque), the index of an
 * accessor with the torque per key in N m, world axes; rotation_rounding and translation_rounding, accessors with what
 * float32 rounds off the keys. `extras` of the asset: the provenance; of the animation of a simulation: outcome,
 * lost_s, rest_s.
 *
 * Reference: Khronos, glTF 2.0 specification, 3.7 (meshes, skins, morph targets), 3.11 (animations). */
#ifndef KANE_GLTF_GLTF_CLIP_H
#define KANE_GLTF_GLTF_CLIP_H

#include <stdio.h>

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"
#include "analysis/math/vec.h"
#include "analysis/motion/follow_camera.h"

/* The quantity that colours show. */
typedef enum GltfColour { GLTF_COLOUR_TORQUE = 0, GLTF_COLOUR_STRENGTH } GltfColour;

/* A simulation whose motion the clip has, and whose forces are in /contact. */
typedef struct GltfRun {
    const char *outcome;          /* as in TrackingRun */
    double lost_time, rest_time;  /* s, NaN: none */
    const Vec3 *ball;             /* [frame] m, NaN: absent; NULL: none */
    double ball_radius;           /* m */
} GltfRun;

typedef struct GltfDef {
    FrameChoice choice; /* frames for peaks and colours */
    GltfColour colour;  /* torque per kg, 0 to 3 N m/kg, or utilization, 0 to 1; default GLTF_COLOUR_TORQUE */
    CameraDef camera;   /* an animated camera; default: none */
    const GltfRun *run; /* NULL (default): the motion is not simulated */
} GltfDef;

/* Writes the file. If glTF cannot represent the clip, nothing is written (see gltf_arrays_init). STATUS_IO if writing
 * fails; the caller closes the stream. */
Status gltf_write_clip(const Clip *clip, const GltfDef *def, FILE *stream, Error *err);

#endif
