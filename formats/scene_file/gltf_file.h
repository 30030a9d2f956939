/* A glTF 2.0 file: its JSON text, its buffers and the numbers of its accessors. GLB, .gltf with buffers inside or
 * beside it. Reference: Khronos, glTF 2.0 specification, 3.6 (accessors), 4 (GLB). */
#ifndef KANE_SCENE_FILE_GLTF_FILE_H
#define KANE_SCENE_FILE_GLTF_FILE_H

#include <stddef.h>

#include "analysis/base/status.h"
#include "formats/base/json_read.h"
#include "formats/base/source_file.h"

typedef struct GltfBuffer {
    const char *bytes; /* NULL: none */
    size_t size;
    char *owned;       /* decoded from a data URI; NULL: others own the bytes */
} GltfBuffer;

typedef struct GltfFile {
    JsonText json;
    size_t json_begin, json_size; /* bytes of the text in the file */
    const char *binary;           /* the GLB's binary chunk; NULL: none */
    size_t binary_size;
    int buffer_count, view_count, accessor_count, node_count;
    GltfBuffer *buffer;           /* owned */
    int *view, *accessor, *node;  /* JSON values; owned */
} GltfFile;

/* Finds the JSON text of a file and its binary chunk, without reading either. STATUS_BAD_INPUT with the byte. */
Status gltf_file_chunks(const SourceFile *file, GltfFile *out, Error *err);

/* Reads the JSON text and finds the buffers; those in other files are file->companion, in the order of their URIs. The
 * bytes of file must outlive *out. Free *out also after failure. */
Status gltf_file_open(const SourceFile *file, GltfFile *out, Error *err);
void gltf_file_free(GltfFile *gltf);

/* Adds the files beside path that buffers of a .gltf name, for its row of the table of formats. */
Status gltf_find_companions(const char *path, Companions *out, Error *err);

/* Reads all numbers of an accessor with `width` components: *values [*count][width], to be freed by the caller.
 * Integers are normalised. */
Status gltf_accessor_read(const GltfFile *gltf, int accessor, int width, double **values, int *count, Error *err);

#endif
