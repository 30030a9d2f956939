/* Triangle meshes of a scene: their mass and inertia, and their convex hulls. */
#ifndef KANE_MODEL_MESH_H
#define KANE_MODEL_MESH_H

#include "analysis/model/model.h"

/* Triangles as in the file; counter-clockwise from outside if the file states it. */
typedef struct MeshTriangles {
    int vertex_count, face_count;
    Vec3 *vertex;   /* [vertex_count] m */
    int (*face)[3]; /* [face_count] */
} MeshTriangles;

/* MuJoCo's names (XML reference, asset mesh, inertia). */
typedef enum MeshInertia {
    MESH_LEGACY, /* tetrahedra from the middle of the faces, all counted as filled */
    MESH_EXACT,  /* what the faces enclose */
    MESH_CONVEX, /* the hull */
    MESH_SHELL,  /* the faces alone: areas for volumes */
    MESH_INERTIA_COUNT
} MeshInertia;

/* Of density 1. */
typedef struct MeshMoments {
    double volume; /* m3; of a shell m2. Below 0: the faces look inwards (MESH_EXACT) */
    Vec3 com;
    Sym3 inertia;  /* m5; of a shell m4; about the COM */
} MeshMoments;

/* Not of MESH_CONVEX, which are those of the hull's faces, exact. */
MeshMoments mesh_moments(const MeshTriangles *m, MeshInertia mode);

/* The hull with its vertices about `origin`, in the caller's arena (C. B. Barber, D. P. Dobkin, H. Huhdanpaa, "The
 * quickhull algorithm for convex hulls", ACM Trans. Math. Softw. 22, 1996). STATUS_BAD_INPUT where all vertices lie in
 * a plane. */
Status mesh_hull(const Vec3 *vertex, int count, Vec3 origin, Arena *memory, ModelMesh *out, Error *err);

#endif
