/* A smooth shape as an implicit function: the distance to blended round cones.
 *
 * A blob is the convex hull of two spheres; `flat` compresses it along `thin`. Blobs of a group blend with each other,
 * and a group blends with its parent group; others do not, so that two adjacent legs stay separate. The value is
 * approximately the distance to the surface, m, negative inside.
 *
 * Reference: the exact distance to a round cone and the polynomial smooth minimum are by I. Quilez. */
#ifndef KANE_MANNEQUIN_IMPLICIT_H
#define KANE_MANNEQUIN_IMPLICIT_H

#include "analysis/math/vec.h"

typedef struct Blob {
    Vec3 a, b;         /* m */
    double ra, rb;     /* m, radius of the spheres about a and b */
    Vec3 thin;         /* unit; not read where flat is 0 */
    double flat;       /* thickness along thin over that in the other directions; 0: round */
    int group, bone;   /* bone: a number of the caller, returned by implicit_nearest */
    Vec3 along;        /* m, a to b, scaled along thin by 1 / flat */
    Vec3 middle;       /* m; centre of a bounding sphere */
    double reach;      /* m; its radius */
} Blob;

typedef struct BlobGroup {
    int from;          /* parent group, an earlier one; -1: none */
    double blend;      /* m, blend distance among its blobs */
    double root;       /* m, blend distance to the parent group */
} BlobGroup;

enum { IMPLICIT_GROUPS = 512 };

typedef struct Implicit {
    Blob *blob;        /* [blob_count], ordered by group; not owned */
    int blob_count, blob_room;
    double widest;     /* m, largest blend distance */
    double steepest;   /* largest gradient of the value: more than 1 with flat blobs */
    BlobGroup group[IMPLICIT_GROUPS];
    int group_count;
    Vec3 floor_normal; /* unit, up; zero: no floor */
    double floor;      /* m: the shape is cut off below this height along floor_normal */
} Implicit;

/* Empties the shape; keeps its memory. */
void implicit_clear(Implicit *shape);

/* Add a group, returning its number, and a blob to the last group. Groups and blobs beyond the capacity are dropped. */
int implicit_add_group(Implicit *shape, BlobGroup group);
void implicit_add(Implicit *shape, const Blob *blob);

double implicit_value(const Implicit *shape, Vec3 p);

/* The bone of the blob whose surface is nearest. */
int implicit_nearest(const Implicit *shape, Vec3 p);

/* The part of a shape near a point. */
typedef struct ImplicitNear {
    Implicit shape;
    double *value; /* [blob] of the whole */
} ImplicitNear;

/* Keeps in `near` the blobs of the shape that can change its value within `radius` of p. */
void implicit_keep_near(const Implicit *shape, Vec3 p, double radius, ImplicitNear *near);

/* A box that contains all blobs. */
void implicit_box(const Implicit *shape, Vec3 *low, Vec3 *high);

#endif
