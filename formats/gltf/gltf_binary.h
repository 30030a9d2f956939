/* The numbers of a glTF file: accessors over one buffer, and the binary form that holds them beside the JSON text.
 *
 * Every accessor has a view of its own that begins on a multiple of four bytes; float32 ones get their exact bounds.
 * Equal content gives equal bytes. Reference: Khronos, glTF 2.0 specification, sections 3.6 (accessors), 4 (GLB). */
#ifndef KANE_FORMATS_GLTF_BINARY_H
#define KANE_FORMATS_GLTF_BINARY_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "analysis/base/status.h"

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
void gltf_put_accessors(const GltfBinary *b, FILE *json);

/* Writes the file: header, JSON chunk, binary chunk. STATUS_LIMIT beyond 4 GB, STATUS_IO where the stream refuses. */
Status gltf_binary_write(const GltfBinary *b, const char *json, size_t json_size, FILE *stream, Error *err);

#endif
