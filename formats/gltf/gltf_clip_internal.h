/* The data of a clip as glTF accessors, shared by the files that fill and write them: float32, quaternions x, y, z, w,
 * one key per frame. */
#ifndef KANE_GLTF_GLTF_CLIP_INTERNAL_H
#define KANE_GLTF_GLTF_CLIP_INTERNAL_H

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"
#include "analysis/mannequin/mannequin.h"
#include "analysis/mannequin/scene_marks.h"
#include "formats/base/json.h"
#include "formats/gltf/gltf_binary.h"
#include "formats/gltf/gltf_clip.h"
#include "formats/gltf/torque_colour.h"

enum { GLTF_NONE = -1 };

/* Accessor indices; GLTF_NONE: not in the clip. */
typedef struct GltfJoint {
    int position, normal, colour, bone, weight; /* mesh: POSITION NORMAL COLOR_0 JOINTS_0 WEIGHTS_0 */
    int index;                                  /* mesh: triangle indices; GLTF_NONE: no mesh */
    int peak_attribute;                         /* mesh: _TORQUE_PEAK, N m/kg */
    int colour_step[TORQUE_COLOUR_STEPS];       /* morph targets: COLOR_0 */
    int no_shift;                               /* morph targets: POSITION, all zero; required by Blender */
    int rotation, translation;                  /* keys */
    int rotation_rounding, translation_rounding; /* what float32 rounds off the keys */
    int colour_weights;                         /* keys of the morph targets' weights */
    int torque;                                 /* [frame] N m, world axes */
    double torque_peak;                         /* N m/kg, in the chosen frames; NaN: unknown */
} GltfJoint;

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

#endif
