/* Geometry of the bodies of a simulated scene: group /shapes of a clip file.
 *
 * A solid is given in the axes of its joint. A spring or tendon is a line of points, each in the axes of a joint or a
 * particle of /particles. Sizes are those of MJCF: sphere: radius; capsule and cylinder: radius and half length along
 * z; box: half edges; ellipsoid: half axes; plane: half lengths along x and y (0: infinite), normal +z; mesh, spring
 * and tendon: none. */
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
    int *joint;           /* [shape] joint of its segment; springs and tendons: 0 */
    Vec3 *size;           /* [shape] m */
    Vec3 *position;       /* [shape] m, axes of the joint */
    Quat *orientation;    /* [shape] unit, shape to joint axes */
    double *color;        /* [shape][4] red, green, blue, opacity, 0 to 1, sRGB */
    int *point_start;     /* [shape] its first point; this and the next: meshes, springs and tendons */
    int *points;          /* [shape] number of points */
    int *face_start;      /* [shape] its first face; this and the next: meshes */
    int *faces;           /* [shape] number of faces */
    Vec3 *point;          /* [point] m; mesh: axes of the shape, otherwise of the point's joint */
    int *point_joint;     /* [point] -1: of a mesh or a particle */
    int *point_particle;  /* [point] of /particles; -1: none */
    int *face;            /* [face][3] indices of points, relative to the mesh's first, counter-clockwise from
                             outside */
} Shapes;

/* Allocates zeroed arrays; orientations are identity, joints and particles of points -1. On failure *s is empty. */
Status shapes_init(Shapes *s, int count, int point_count, int face_count, Error *err);
void shapes_free(Shapes *s);

/* Sets the defaults that are not zero. */
void shapes_set_defaults(Shapes *s);

/* shape_kind_name returns a name such as "sphere", in static storage. shape_kind_from_name returns 0 for an unknown
 * name. */
const char *shape_kind_name(ShapeKind kind);
int shape_kind_from_name(const char *name, ShapeKind *kind);

static inline int shape_is_solid(ShapeKind kind) { return kind < SHAPE_SPRING; }

/* Checks indices, sizes, orientations and colours. particle_count: of /particles, -1: none. STATUS_BAD_INPUT names the
 * inconsistent shape or point. */
Status shapes_check(const Shapes *s, int joint_count, int particle_count, Error *err);

#endif
