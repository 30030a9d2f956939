/* Options of an export: format, axes, names. */
#ifndef KANE_EXPORT_EXPORT_DEF_H
#define KANE_EXPORT_EXPORT_DEF_H

#include "formats/gltf/gltf_clip.h"

typedef enum ExportFormat {
    EXPORT_BVH = 0,
    EXPORT_CSV,
    EXPORT_TSV,
    EXPORT_JSONL,
    EXPORT_NPZ,
    EXPORT_MOT,
    EXPORT_STO,
    EXPORT_GLB,
    EXPORT_VRMA,
    EXPORT_TRC,
    EXPORT_FORMAT_COUNT
} ExportFormat;

/* Axes of torque, force, angular velocity and angular acceleration; positions are always in world axes. */
typedef enum ExportFrame { EXPORT_WORLD = 0, EXPORT_PARENT, EXPORT_LOCAL, EXPORT_FRAME_COUNT } ExportFrame;

/* Names of anatomical coordinates: left_hip_flexion, or hip_flexion_l as in OpenSim's Rajagopal model. */
typedef enum ExportNames { EXPORT_NAMES_KANE = 0, EXPORT_NAMES_OPENSIM } ExportNames;

/* Centre of pressure of an unloaded foot; AIRBORNE_ZERO: its force is zero, too, so that it has no moment. */
typedef enum AirborneCop { AIRBORNE_COP_NAN = 0, AIRBORNE_COP_ZERO, AIRBORNE_ZERO } AirborneCop;

typedef struct ExportDef {
    ExportFormat format; /* default EXPORT_TSV */
    ExportFrame frame;   /* default EXPORT_WORLD; BVH, npz and glb use the axes of the clip file */
    const char *like;    /* bvh: a file with the same joints, whose HIERARCHY, unit and up axis are used; NULL: cm, Y
                            up */
    ExportNames names;   /* of angles and moments; default EXPORT_NAMES_KANE */
    AirborneCop airborne; /* default AIRBORNE_COP_NAN; OpenSim's inverse dynamics requires zero */
    GltfColour colour;   /* glb: quantity shown by colour; default GLTF_COLOUR_TORQUE */
    CameraDef camera;    /* for its table, or an animated camera in glb; default: none */
    const GltfRun *run;  /* glb: the simulation that the motion is from; NULL (default): none */
    const char *skin;    /* glb: a GLB or VRM file of which a copy with the motion is written; NULL: the mannequin */
    int all_frames;      /* glb: peaks and colours also of frames with bad recordings */
} ExportDef;

ExportDef export_default_def(void);

/* Returns "world"...; NULL past the last. export_frame_from_name returns 0 for an unknown name. */
const char *export_frame_name(ExportFrame frame);
int export_frame_from_name(const char *name, ExportFrame *frame);

#endif
