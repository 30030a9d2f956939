/* Reads triangle meshes from STL (binary and text) and OBJ files. Files are untrusted: at most MESH_MAX_BYTES, all
 * numbers finite, all indices valid. */
#ifndef KANE_MODEL_MESH_FILE_H
#define KANE_MODEL_MESH_FILE_H

#include <stddef.h>

#include "analysis/model/model.h"

#define MESH_MAX_BYTES ((size_t)64 << 20)

typedef enum MeshFormat { MESH_STL, MESH_OBJ } MeshFormat;

/* The mesh is allocated in the arena. STATUS_IO if the file cannot be read; STATUS_BAD_INPUT, with the line of a text
 * file, for invalid data. */
Status mesh_file_read(const char *path, MeshFormat format, Arena *memory, MeshTriangles *out, Error *err);
Status mesh_file_parse(const char *text, size_t size, MeshFormat format, Arena *memory, MeshTriangles *out,
                       Error *err);

#endif
