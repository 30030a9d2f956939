/* What the bodies of a simulated scene look like: group /shapes of a container.
 *
 * A solid lies in the axes of its joint; a spring or tendon runs from point to point, each in the axes of a joint or a
 * particle of /particles. Sizes, as in MJCF: sphere radius; capsule and cylinder radius and half the length along z;
 * box half the edges; ellipsoid half the axes; plane half the lengths along x and y, 0: without end, normal +z; mesh,
 * spring and tendon: none. */
#ifndef KANE_CLIP_SHAPES_H
#define KANE_CLIP_SHAPES_H

#include "analysis/base/status.h"
#include "analysis/math/quat.h"
#include "analysis/math/vec.h"

typedef enum ShapeKind {
    SHAPE_SPHERE,
    SHAPE_CAPSULE,
    SHAPE_CYLINDER,
    SHAPE_BOX,
    SHAPE_ELLIPSOID,
    SHAPE_PLANE,
    SHAPE_MESH,
    SHAPE_SPRING,
    SHAPE_TENDON,
    SHAPE_KIND_COUNT
} ShapeKind;

typedef struct Shapes {
    int count, point_count, face_count;
    ShapeKind *kind;      /* [shape] */
    int *joint;           /* [shape] whose segment it is of; of springs and tendons 0 */
    Vec3 *size;           /* [shape] m */
    Vec3 *position;       /* [shape] m, axes of the joint */
    Quat *orientation;    /* [shape] unit, to the axes of the joint */
    double *color;        /* [shape][4] red, green, blue, opacity, 0 to 1, sRGB */
    int *point_start;     /* [shape] its first point; this and the next: of meshes, springs and tendons */
    int *points;          /* [shape] how many */
    int *face_start;      /* [shape] its first face; this and the next: of meshes */
    int *faces;           /* [shape] how many */
    Vec3 *point;          /* [point] m; of a mesh in axes of the shape, else of the point's joint */
    int *point_joint;     /* [point] -1: of a mesh, or a particle */
    int *point_particle;  /* [point] of /particles; -1: none */
    int *face;            /* [face][3] points of the mesh, counted from its first, counter-clockwise from outside */
} Shapes;

/* Zeroed, but that orientations are the identity and points hang on nothing. On failure *s is empty. */
Status shapes_init(Shapes *s, int count, int point_count, int face_count, Error *err);
void shapes_free(Shapes *s);

/* What is not zero in a new group. */
void shapes_set_defaults(Shapes *s);

/* "sphere". Valid for the life of the program. 0 where no kind has the name. */
const char *shape_kind_name(ShapeKind kind);
int shape_kind_from_name(const char *name, ShapeKind *kind);

static inline int shape_is_solid(ShapeKind kind) { return kind < SHAPE_SPRING; }

/* What does not hold together, by number. particle_count: of /particles, -1 where there are none. STATUS_BAD_INPUT. */
Status shapes_check(const Shapes *s, int joint_count, int particle_count, Error *err);

#endif
