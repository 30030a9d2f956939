/* A clip as glTF 2.0 in one binary file (.glb), core features only: +Y up, metres, seconds.
 *
 * Nodes 0..J-1 are the joints, with their names, in the rest pose; node J+j shows segment j by its part of the
 * mannequin (analysis/mannequin/mannequin.h), skinned to two joints a vertex; of a joint without a segment of its own
 * it is empty; of a scene nodes follow that are springs, tendons, particles and contact forces, whose places, turns and
 * sizes are animated; the last node is the camera, where one is asked for. One animation holds the root's path, every
 * joint's rotation and, where the clip has torques and no shapes, a colour:
 * each mesh has four morph targets that add a step of the colour scale each, and their weights are animated, so that
 * every viewer that knows morph targets of COLOR_0 shows torque for each kilogram, 0 to 3 Nm/kg, or the fraction of
 * strength, 0 to 1; grey where the torque is the residual or the share is not known. The vertex attribute _TORQUE_PEAK
 * is the joint's largest torque over frames of the choice, Nm/kg. `extras` of a joint node: role, segment, mass_kg,
 * torque_peak_nm_kg, and torque (of the floating base residual_torque), the number of an accessor with the torque of
 * every key: Nm, world axes. `extras` of the asset: the provenance.
 *
 * Reference: Khronos, glTF 2.0 specification, 3.7 (meshes, skins, morph targets), 3.11 (animations). */
#ifndef KANE_GLTF_GLTF_CLIP_H
#define KANE_GLTF_GLTF_CLIP_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"
#include "analysis/mannequin/mannequin.h"
#include "analysis/mannequin/scene_marks.h"
#include "analysis/math/vec.h"
#include "analysis/motion/follow_camera.h"
#include "analysis/stats/joint_series.h"
#include "formats/base/text.h"

/* The numbers of a glTF file: accessors over one buffer, and the binary form that holds them beside the JSON text.
 *
 * Every accessor has a view of its own that begins on a multiple of four bytes; float32 ones get their exact bounds.
 * Equal content gives equal bytes. Reference: Khronos, glTF 2.0 specification, sections 3.6 (accessors), 4 (GLB). */

typedef enum GltfType { GLTF_SCALAR, GLTF_VEC3, GLTF_VEC4, GLTF_MAT4 } GltfType;

typedef enum GltfUse { GLTF_PLAIN, GLTF_VERTEX, GLTF_INDEX } GltfUse; /* an attribute of a mesh; its corners */

typedef struct GltfAccessor {
    size_t offset; /* bytes */
    size_t count;  /* elements */
    GltfType type;
    GltfUse use;
    int is_float;  /* 0: uint16 */
} GltfAccessor;

typedef struct GltfBinary {
    unsigned char *bytes; /* owned */
    size_t size, capacity;
    GltfAccessor *accessor; /* [accessor_count] owned */
    int accessor_count;
} GltfBinary;

/* *b = (GltfBinary){0} is empty; free makes it so again. */
void gltf_binary_free(GltfBinary *b);

/* Adds count zeroed elements and gives their first number, to be filled before the next call; *accessor is the number
 * of the accessor. NULL without memory. */
float *gltf_add_floats(GltfBinary *b, GltfType type, size_t count, GltfUse use, int *accessor);
uint16_t *gltf_add_integers(GltfBinary *b, GltfType type, size_t count, GltfUse use, int *accessor);

/* 1 where all numbers of the last accessor added, of floats, are finite. */
int gltf_last_is_finite(const GltfBinary *b);

/* Writes the members accessors, bufferViews and buffers of the JSON object, commas between them. */
void gltf_put_accessors(const GltfBinary *b, Json *json);

/* Writes the file: header, JSON chunk, binary chunk. STATUS_LIMIT beyond 4 GB, STATUS_IO where the stream refuses. */
Status gltf_binary_write(const GltfBinary *b, const char *json, size_t json_size, FILE *stream, Error *err);

/* A joint's torque as a colour.
 *
 * Torque for each kilogram of body is viridis, which colour-blind people and grey prints keep apart. The scale is
 * piecewise linear. A colour is the first one plus a fraction of each step, which is what the weights of morph targets
 * do. Linear RGB. Reference: S. van der Walt, N. Smith, matplotlib's viridis, 2015. */

enum { TORQUE_COLOUR_STEPS = 4 };

#define TORQUE_COLOUR_MOST 3.0 /* Nm/kg at the end of the scale */

/* The colour of no torque; of a joint whose torque is not known, grey. */
Vec3 torque_colour_first(void);
Vec3 torque_colour_unknown(void);

/* What step 0..3 adds. */
Vec3 torque_colour_step(int step);

/* The fraction of each step at a part of the scale, each in [0, 1]; beyond 1 its last colour. NaN counts as 0. */
void torque_colour_weights(double part, float weight[TORQUE_COLOUR_STEPS]);

/* The numbers of a clip as glTF wants them: float32, quaternions x, y, z, w, one key a frame. */

enum { GLTF_NONE = -1 };

/* Numbers of accessors; GLTF_NONE where the clip does not hold it. */
typedef struct GltfJoint {
    int position, normal, colour, bone, share; /* mesh: POSITION NORMAL COLOR_0 JOINTS_0 WEIGHTS_0 */
    int index;                                 /* mesh: corners of its triangles; GLTF_NONE: no mesh */
    int peak_attribute;                        /* mesh: _TORQUE_PEAK, Nm/kg */
    int colour_step[TORQUE_COLOUR_STEPS];      /* morph targets: COLOR_0 */
    int no_shift;                              /* morph targets: POSITION, all zero; Blender fails without it */
    int rotation, translation;                 /* keys */
    int colour_weights;                        /* keys of the morph targets' weights */
    int torque;                                /* [frame] Nm, world axes */
    double torque_peak;                        /* Nm/kg over valid frames; NaN where not known */
} GltfJoint;

/* What the colours show. */
typedef enum GltfColour { GLTF_COLOUR_TORQUE = 0, GLTF_COLOUR_STRENGTH } GltfColour;

/* What is drawn of a scene beside its body: nodes behind those of the meshes, in three meshes and some colours. */
enum { GLTF_MARK_MESHES = 3, GLTF_MOST_LOOKS = 16 };

typedef struct GltfMarkMesh {
    int position, normal, index;
} GltfMarkMesh;

typedef struct GltfLook {
    MarkKind kind;
    Vec3 tint;
} GltfLook;

typedef struct GltfMark {
    int look;
    int translation, rotation, scale; /* keys; where a mark is not there its scale is 0 */
} GltfMark;

typedef struct GltfMarks {
    int count, look_count;
    GltfMark *mark; /* [count] owned */
    GltfLook look[GLTF_MOST_LOOKS];
    GltfMarkMesh mesh[GLTF_MARK_MESHES]; /* [MarkKind] */
} GltfMarks;

typedef struct GltfDef {
    FrameChoice choice; /* of which frames the peaks and colours are; default FRAMES_TRUSTED */
    GltfColour colour;  /* torque per kg, 0 to 3 Nm/kg, or utilization, 0 to 1; default GLTF_COLOUR_TORQUE */
    CameraDef camera;   /* an animated camera; default: none */
    const Vec3 *ball;   /* [frame] m, NaN: it is not there; NULL (default): none */
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

/* Needs skeleton and motion; torques where the clip has dynamics, and colours where it has a mass and a valid frame
 * too. The root and other joints that carry the residual have torques but no colour. On failure *a is empty:
 * STATUS_BAD_INPUT without the strength that colours shall show, where a number is not finite or a time negative,
 * STATUS_LIMIT where frames or joints are more than glTF can number. */
Status gltf_arrays_init(GltfArrays *a, const Clip *clip, const GltfDef *def, Error *err);
void gltf_arrays_free(GltfArrays *a);

/* Adds the marks of a scene, and the ball. */
Status gltf_marks_add(GltfArrays *a, const Clip *clip, const Mannequin *body, Error *err);

/* Elements of the lists materials, meshes and nodes. */
void gltf_marks_put_materials(const GltfMarks *m, Json *json);
void gltf_marks_put_meshes(const GltfMarks *m, int first_material, Json *json);
void gltf_marks_put_nodes(const GltfMarks *m, int first_mesh, Json *json);

/* Linear RGB of sRGB. */
Vec3 gltf_linear(Vec3 tint);

/* Puts three floats; the place behind them. */
float *gltf_put_vector(float *to, Vec3 v);

/* Nothing is written where glTF cannot contain the clip (see gltf_arrays_init). STATUS_IO where the stream refuses;
 * the caller closes it. */
Status gltf_write_clip(const Clip *clip, const GltfDef *def, FILE *stream, Error *err);

#endif
