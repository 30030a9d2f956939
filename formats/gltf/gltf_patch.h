/* An animation that is added to a GLB file: the text of its JSON is kept but for what is inserted, and its binary chunk
 * is continued. */
#ifndef KANE_GLTF_GLTF_PATCH_H
#define KANE_GLTF_GLTF_PATCH_H

#include <stdio.h>

#include "analysis/base/status.h"
#include "formats/scene_file/gltf_file.h"

/* (GltfPatch){.name = of the animation} is empty. */
typedef struct GltfPatch {
    const char *name;
    const GltfFile *gltf;
    FILE *binary, *accessors, *views, *channels, *samplers; /* what is added, as text but for binary */
    char *text[5];     /* owned: their contents, after gltf_patch_write has closed them */
    size_t size[5];
    int added;         /* accessors, each with a view of its own */
    int channel_count, time_count;
} GltfPatch;

Status gltf_patch_begin(GltfPatch *patch, const GltfFile *gltf, Error *err);

/* Adds the times of all keys, s; before the channels. */
Status gltf_patch_times(GltfPatch *patch, const double *time, int count, Error *err);

/* Adds keys of a node, numbered as in the file: value[time][width]. path: "rotation" or "translation". */
Status gltf_patch_channel(GltfPatch *patch, int node, const char *path, const float *value, int width, Error *err);

/* Writes the file with the animation. STATUS_LIMIT beyond 4 GB. */
Status gltf_patch_write(GltfPatch *patch, FILE *stream, Error *err);
void gltf_patch_free(GltfPatch *patch);

#endif
