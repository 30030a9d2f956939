/* Triangle meshes out of files: STL, binary and as text, and OBJ. Made for files from strangers: at most
 * MESH_MOST_BYTES, every number finite, every index within its mesh. */
#ifndef KANE_MODEL_MESH_FILE_H
#define KANE_MODEL_MESH_FILE_H

#include "analysis/model/mesh.h"

#define MESH_MOST_BYTES ((size_t)64 << 20)

typedef enum MeshFormat { MESH_STL, MESH_OBJ } MeshFormat;

/* The mesh is in the arena. STATUS_IO where the file cannot be read; STATUS_BAD_INPUT, with a line where it is text. */
Status mesh_file_read(const char *path, MeshFormat format, Arena *memory, MeshTriangles *out, Error *err);
Status mesh_file_parse(const char *text, size_t size, MeshFormat format, Arena *memory, MeshTriangles *out,
                       Error *err);

#endif
