/* Where two shapes of a scene meet: up to SHAPE_CONTACTS places with their gaps (contact_rows.h).
 *
 * All shapes meet all others but planes, which do not meet each other. A plane has no end. */
#ifndef KANE_SIM_SHAPE_CONTACT_H
#define KANE_SIM_SHAPE_CONTACT_H

#include "analysis/model/model.h"
#include "analysis/sim/contact_rows.h"

enum { SHAPE_CONTACTS = 16 };

/* A shape in its place in the world; sizes as ModelShape says. */
typedef struct Shape {
    ModelShape kind;
    Vec3 position;
    Quat orientation;
    Vec3 size;
    const ModelMesh *hull; /* of MODEL_HULL */
} Shape;

/* Places whose gap is at most `margin`, normals from a to b; returns how many. */
int shapes_collide(const Shape *a, const Shape *b, double margin, Collision *out);

/* The same of two convex shapes of any kinds but planes, and of a hull above a plane (normals into the plane). */
int convex_collide(const Shape *a, const Shape *b, double margin, Collision *out);
int hull_plane_collide(const Shape *hull, Vec3 up, Vec3 on_plane, double margin, Collision *out);

/* 0 where shapes of these kinds never meet. */
int shapes_can_meet(ModelShape a, ModelShape b);

/* Radius of a ball about the shape's position that holds it; infinite for a plane. */
double shape_reach(const Shape *s);

#endif
