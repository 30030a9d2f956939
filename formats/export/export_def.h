/* What an export is asked for: the format, axes, names. */
#ifndef KANE_FORMATS_EXPORT_DEF_H
#define KANE_FORMATS_EXPORT_DEF_H

#include "formats/gltf/gltf_arrays.h"

typedef enum ExportFormat {
    EXPORT_CSV = 0,
    EXPORT_TSV,
    EXPORT_JSONL,
    EXPORT_NPZ,
    EXPORT_BVH,
    EXPORT_MOT,
    EXPORT_STO,
    EXPORT_GLB,
    EXPORT_FORMAT_COUNT
} ExportFormat;

/* Axes in which torque, force, angular velocity and angular acceleration are given; positions stay in the world. */
typedef enum ExportFrame { EXPORT_WORLD = 0, EXPORT_PARENT, EXPORT_LOCAL, EXPORT_FRAME_COUNT } ExportFrame;

/* How anatomical coordinates are called: left_hip_flexion, or hip_flexion_l as in OpenSim's Rajagopal model. */
typedef enum ExportNames { EXPORT_NAMES_KANE = 0, EXPORT_NAMES_OPENSIM } ExportNames;

/* What stands for the centre of pressure of a foot that bears nothing. */
typedef enum AirborneCop { AIRBORNE_COP_NAN = 0, AIRBORNE_COP_ZERO } AirborneCop;

typedef struct ExportDef {
    ExportFormat format; /* default EXPORT_TSV */
    ExportFrame frame;   /* default EXPORT_WORLD; BVH, npz and glb hold what the container holds */
    const char *like;    /* bvh: a file of the same joints whose HIERARCHY, unit and axis it has; NULL: cm, Y up */
    ExportNames names;   /* of angles and moments; default EXPORT_NAMES_KANE */
    AirborneCop airborne; /* default AIRBORNE_COP_NAN; OpenSim's inverse dynamics needs zero */
    GltfColour colour;   /* glb: what the colours tell; default GLTF_COLOUR_TORQUE */
    FrameChoice frames;  /* glb: of which frames peaks and colours are; default FRAMES_TRUSTED */
} ExportDef;

ExportDef export_default_def(void);

/* "world"...; NULL past the last. 0 where there is no such name. */
const char *export_frame_name(ExportFrame frame);
int export_frame_from_name(const char *name, ExportFrame *frame);

#endif
