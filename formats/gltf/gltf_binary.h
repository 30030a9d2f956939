/* The binary data of a glTF file: accessors into one buffer, written after the JSON text.
 *
 * Every accessor has its own buffer view, aligned to four bytes; float32 accessors have exact bounds. Equal content
 * gives equal bytes. Reference: Khronos, glTF 2.0 specification, sections 3.6 (accessors), 4 (GLB). */
#ifndef KANE_GLTF_GLTF_BINARY_H
#define KANE_GLTF_GLTF_BINARY_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "analysis/base/status.h"
#include "analysis/math/vec.h"
#include "formats/base/json.h"

typedef enum GltfType { GLTF_SCALAR, GLTF_VEC3, GLTF_VEC4, GLTF_MAT4 } GltfType;

typedef enum GltfUse { GLTF_PLAIN, GLTF_VERTEX, GLTF_INDEX } GltfUse; /* none, vertex attributes, vertex indices */

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

/* Frees and empties *b; (GltfBinary){0} is empty. */
void gltf_binary_free(GltfBinary *b);

/* Add count zeroed elements and return a pointer to them, valid until the next call; *accessor is the index of the
 * accessor. NULL if memory runs out. */
float *gltf_add_floats(GltfBinary *b, GltfType type, size_t count, GltfUse use, int *accessor);
uint16_t *gltf_add_integers(GltfBinary *b, GltfType type, size_t count, GltfUse use, int *accessor);

/* Returns 1 if all values of the last accessor, of floats, are finite. */
int gltf_last_is_finite(const GltfBinary *b);

/* Writes the members accessors, bufferViews and buffers of the JSON object. */
void gltf_put_accessors(const GltfBinary *b, Json *json);

/* Writes the file: header, JSON chunk, binary chunk. STATUS_LIMIT above 4 GB, STATUS_IO if writing fails. */
Status gltf_binary_write(const GltfBinary *b, const char *json, size_t json_size, FILE *stream, Error *err);

/* Stores three floats and returns the pointer after them. */
float *gltf_put_vector(float *to, Vec3 v);

#endif
