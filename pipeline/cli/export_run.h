/* The simulation of a controller as a clip of its own: kane export --controller. */
#ifndef KANE_CLI_EXPORT_RUN_H
#define KANE_CLI_EXPORT_RUN_H

#include "analysis/clip/clip.h"
#include "formats/gltf/gltf_clip.h"

typedef struct ExportedRun {
    Tracking tracking; /* owned; of the clip */
    GltfRun gltf;      /* points into it */
} ExportedRun;

/* Replaces the motion of the clip, and its external forces, by the run of the controller with this name; drops what is
 * computed from them. The caller frees out->tracking. STATUS_USAGE for an unknown name, STATUS_BAD_INPUT if the clip
 * has no such run. */
Status export_take_run(const char *controller, Clip *clip, ExportedRun *out, Error *err);

#endif
