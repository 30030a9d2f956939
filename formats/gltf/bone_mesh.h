/* What a viewer shows of a segment: a slender octahedron from its joint to each child joint and end site, and a small
 * regular one where there is neither. Triangles with flat normals, counter-clockwise seen from outside. */
#ifndef KANE_FORMATS_BONE_MESH_H
#define KANE_FORMATS_BONE_MESH_H

#include "analysis/clip/skeleton.h"

typedef struct BoneMesh {
    int vertex_count; /* a multiple of 3 */
    Vec3 *position;   /* [vertex] m, rest pose, world axes; owned */
    Vec3 *normal;     /* [vertex] unit; owned */
} BoneMesh;

/* rest: rest position of every joint, m. On failure *mesh is empty. */
Status bone_mesh_init(BoneMesh *mesh, const Skeleton *skeleton, const Vec3 *rest, int joint, Error *err);
void bone_mesh_free(BoneMesh *mesh);

#endif
