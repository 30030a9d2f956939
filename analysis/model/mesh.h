/* Triangle meshes of a scene: their mass and inertia, and their convex hulls. */
#ifndef KANE_MODEL_MESH_H
#define KANE_MODEL_MESH_H

#include "analysis/base/arena.h"
#include "analysis/base/status.h"
#include "analysis/math/vec.h"

/* The convex hull of a mesh, relative to its centre of mass in principal axes, as in MuJoCo. */
typedef struct ModelMesh {
    const char *name;
    int vertex_count, face_count;
    Vec3 *vertex;  /* [vertex_count] m */
    int (*face)[3]; /* [face_count] counter-clockwise from outside */
    Vec3 *normal;  /* [face_count] unit, outwards */
    double reach;  /* m, distance of the farthest vertex from the origin */
} ModelMesh;

/* Triangles of a file; counter-clockwise from outside in a correct file. */
typedef struct MeshTriangles {
    int vertex_count, face_count;
    Vec3 *vertex;   /* [vertex_count] m */
    int (*face)[3]; /* [face_count] */
} MeshTriangles;

/* Modes of MuJoCo (XML reference, asset mesh, inertia). */
typedef enum MeshInertia {
    MESH_LEGACY, /* tetrahedra from the centroid of the faces, all with positive volume */
    MESH_EXACT,  /* the enclosed volume */
    MESH_CONVEX, /* the convex hull */
    MESH_SHELL,  /* the surface only: areas instead of volumes */
    MESH_INERTIA_COUNT
} MeshInertia;

/* Moments at density 1. */
typedef struct MeshMoments {
    double volume; /* m3; of a shell m2. Negative: faces are oriented inwards (MESH_EXACT) */
    Vec3 com;
    Sym3 inertia;  /* m5; of a shell m4; about the centre of mass */
} MeshMoments;

/* Computes the moments. For MESH_CONVEX pass the faces of the hull with MESH_EXACT. */
MeshMoments mesh_moments(const MeshTriangles *m, MeshInertia mode);

/* Computes the convex hull, with vertices relative to `origin`, in the caller's arena (C. B. Barber, D. P. Dobkin, H.
 * Huhdanpaa, "The quickhull algorithm for convex hulls", ACM Trans. Math. Softw. 22, 1996). No vertex lies outside a
 * face by more than 1e-11 of the size. STATUS_BAD_INPUT if all vertices lie in a plane. */
Status mesh_hull(const Vec3 *vertex, int count, Vec3 origin, Arena *memory, ModelMesh *out, Error *err);

#endif
