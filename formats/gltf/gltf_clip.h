/* A clip as glTF 2.0 in one binary file (.glb), core features only: +Y up, metres, seconds.
 *
 * Nodes 0..J-1 are the joints, with names, in the rest pose. Node J+j has the mesh of segment j, its part of the
 * mannequin (analysis/mannequin/mannequin.h), skinned to two joints per vertex; joints without a segment have none. In
 * a scene, nodes of springs, tendons, particles and contact forces follow, with animated translation, rotation and
 * scale. The last node is the camera, if requested. One animation has the root's path, every joint's rotation and, if
 * the clip has torques and no shapes, colours: each mesh has four morph targets that each add a step of the colour
 * scale, with animated weights. Every viewer that supports morph targets of COLOR_0 then shows torque per body mass, 0
 * to 3 N m/kg, or utilization, 0 to 1; grey is a residual or an unknown utilization. The vertex attribute _TORQUE_PEAK
 * is the joint's largest torque in the chosen frames, N m/kg. `extras` of a joint node: role, segment, mass_kg,
 * torque_peak_nm_kg, and torque (for the floating base residual_torque), the index of an accessor with the torque per
 * key in N m, world axes. `extras` of the asset: the provenance.
 *
 * Reference: Khronos, glTF 2.0 specification, 3.7 (meshes, skins, morph targets), 3.11 (animations). */
#ifndef KANE_GLTF_GLTF_CLIP_H
#define KANE_GLTF_GLTF_CLIP_H

#include <stdio.h>

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"
#include "analysis/mannequin/mannequin.h"
#include "analysis/math/vec.h"
#include "analysis/motion/follow_camera.h"
#include "formats/base/text.h"
#include "formats/gltf/gltf_binary.h"

/* Torques as colours.
 *
 * Torque per body mass is shown in viridis, which is distinguishable in greyscale and with colour vision deficiency.
 * The scale is piecewise linear: a colour is the first one plus a fraction of each step, which morph target weights can
 * represent. Linear RGB. Reference: S. van der Walt, N. Smith, matplotlib's viridis, 2015. */

enum { TORQUE_COLOUR_STEPS = 4 };

#define TORQUE_COLOUR_MAX 3.0 /* N m/kg at the end of the scale */

/* The colour of zero torque, and grey for unknown torque. */
Vec3 torque_colour_first(void);
Vec3 torque_colour_unknown(void);

/* Returns the difference that step 0..3 adds. */
Vec3 torque_colour_step(int step);

/* Computes the fraction of each step, in [0, 1], for a position on the scale (0 to 1). Positions above 1 have the last
 * colour; NaN counts as 0. */
void torque_colour_weights(double part, float weight[TORQUE_COLOUR_STEPS]);

/* The data of a clip as glTF accessors: float32, quaternions x, y, z, w, one key per frame. */

enum { GLTF_NONE = -1 };

/* Accessor indices; GLTF_NONE: not in the clip. */
typedef struct GltfJoint {
    int position, normal, colour, bone, weight; /* mesh: POSITION NORMAL COLOR_0 JOINTS_0 WEIGHTS_0 */
    int index;                                  /* mesh: triangle indices; GLTF_NONE: no mesh */
    int peak_attribute;                         /* mesh: _TORQUE_PEAK, N m/kg */
    int colour_step[TORQUE_COLOUR_STEPS];       /* morph targets: COLOR_0 */
    int no_shift;                               /* morph targets: POSITION, all zero; required by Blender */
    int rotation, translation;                  /* keys */
    int colour_weights;                         /* keys of the morph targets' weights */
    int torque;                                 /* [frame] N m, world axes */
    double torque_peak;                         /* N m/kg, in the chosen frames; NaN: unknown */
} GltfJoint;

/* The quantity that colours show. */
typedef enum GltfColour { GLTF_COLOUR_TORQUE = 0, GLTF_COLOUR_STRENGTH } GltfColour;

/* Marks: what is drawn of a scene besides its body. Their nodes follow those of the meshes and share three meshes in up
 * to GLTF_MAX_LOOKS colours. */
enum { GLTF_MARK_MESHES = 3, GLTF_MAX_LOOKS = 16 };

typedef struct GltfMarkMesh {
    int position, normal, index;
} GltfMarkMesh;

typedef struct GltfLook {
    MarkKind kind;
    Vec3 tint;
} GltfLook;

typedef struct GltfMark {
    int look;
    int translation, rotation, scale; /* keys; scale 0 while a mark is absent */
} GltfMark;

typedef struct GltfMarks {
    int count, look_count;
    GltfMark *mark; /* [count] owned */
    GltfLook look[GLTF_MAX_LOOKS];
    GltfMarkMesh mesh[GLTF_MARK_MESHES]; /* [MarkKind] */
} GltfMarks;

typedef struct GltfDef {
    FrameChoice choice; /* frames for peaks and colours; default FRAMES_TRUSTED */
    GltfColour colour;  /* torque per kg, 0 to 3 N m/kg, or utilization, 0 to 1; default GLTF_COLOUR_TORQUE */
    CameraDef camera;   /* an animated camera; default: none */
    const Vec3 *ball;   /* [frame] m, NaN: absent; NULL (default): none */
    double ball_radius; /* m */
} GltfDef;

typedef struct GltfArrays {
    GltfDef def;
    GltfBinary binary;
    int time;                /* keys, s */
    int inverse_bind;        /* [joint] */
    int camera_position, camera_rotation; /* keys; GLTF_NONE: no camera */
    GltfJoint *joint;        /* [joint] owned */
    GltfMarks marks;
} GltfArrays;

/* Requires skeleton and motion. Torques require dynamics; colours also a mass and a valid frame. The root and other
 * joints that carry the residual have torques but no colour. On failure *a is empty: STATUS_BAD_INPUT without the
 * utilization that colours should show, for numbers that are not finite and for negative times; STATUS_LIMIT for more
 * frames or joints than glTF can index. */
Status gltf_arrays_init(GltfArrays *a, const Clip *clip, const GltfDef *def, Error *err);
void gltf_arrays_free(GltfArrays *a);

/* Adds the marks of a scene and the ball. */
Status gltf_marks_add(GltfArrays *a, const Clip *clip, const Mannequin *body, Error *err);

/* Write the elements of the lists materials, meshes and nodes. */
void gltf_marks_put_materials(const GltfMarks *m, Json *json);
void gltf_marks_put_meshes(const GltfMarks *m, int first_material, Json *json);
void gltf_marks_put_nodes(const GltfMarks *m, int first_mesh, Json *json);

/* Converts sRGB to linear RGB. */
Vec3 gltf_linear(Vec3 tint);

/* Writes the file. If glTF cannot represent the clip, nothing is written (see gltf_arrays_init). STATUS_IO if writing
 * fails; the caller closes the stream. */
Status gltf_write_clip(const Clip *clip, const GltfDef *def, FILE *stream, Error *err);

#endif
