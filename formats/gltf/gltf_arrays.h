/* The numbers of a clip as glTF wants them: float32, quaternions x, y, z, w, one key a frame. */
#ifndef KANE_FORMATS_GLTF_ARRAYS_H
#define KANE_FORMATS_GLTF_ARRAYS_H

#include "analysis/clip/clip.h"
#include "analysis/stats/joint_series.h"
#include "formats/gltf/gltf_binary.h"
#include "formats/gltf/torque_colour.h"

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

/* What the colours tell. */
typedef enum GltfColour { GLTF_COLOUR_TORQUE = 0, GLTF_COLOUR_STRENGTH } GltfColour;

typedef struct GltfDef {
    FrameChoice choice; /* of which frames the peaks and colours are; default FRAMES_TRUSTED */
    GltfColour colour;  /* torque per kg, 0 to 3 Nm/kg, or the share of strength, 0 to 1; default GLTF_COLOUR_TORQUE */
} GltfDef;

typedef struct GltfArrays {
    GltfDef def;
    GltfBinary binary;
    int time;                /* keys, s */
    int inverse_bind;        /* [joint] */
    GltfJoint *joint;        /* [joint] owned */
} GltfArrays;

/* Needs skeleton and motion; torques where the clip has dynamics, and colours where it has a mass and a valid frame
 * too. The root and other joints that carry the residual have torques but no colour. On failure *a is empty:
 * STATUS_BAD_INPUT without the strength that colours shall tell, where a number is not finite or a time negative,
 * STATUS_LIMIT where frames or joints are more than glTF can number. */
Status gltf_arrays_init(GltfArrays *a, const Clip *clip, const GltfDef *def, Error *err);
void gltf_arrays_free(GltfArrays *a);

#endif
