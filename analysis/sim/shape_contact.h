/* Contacts of two shapes of a scene: up to SHAPE_CONTACTS points with their gaps (contact_rows.h).
 *
 * All kinds collide with each other, except two planes. A plane is unbounded. */
#ifndef KANE_SIM_SHAPE_CONTACT_H
#define KANE_SIM_SHAPE_CONTACT_H

#include "analysis/model/model.h"
#include "analysis/sim/contact_rows.h"

enum { SHAPE_CONTACTS = 16 };

/* A shape posed in the world; sizes as in ModelShape. */
typedef struct Shape {
    ModelShape kind;
    Vec3 position;
    Quat orientation;
    Vec3 size;
    const ModelMesh *hull; /* of MODEL_HULL */
} Shape;

/* Finds points whose gap is at most `margin`, normals from a to b; returns their number. */
int shapes_collide(const Shape *a, const Shape *b, double margin, Collision *out);

/* The same for two convex shapes of any kind except planes, and for a hull above a plane (normals into the plane). */
int convex_collide(const Shape *a, const Shape *b, double margin, Collision *out);
int hull_plane_collide(const Shape *hull, Vec3 up, Vec3 on_plane, double margin, Collision *out);

/* 0 if shapes of these kinds never collide. */
int shapes_can_meet(ModelShape a, ModelShape b);

/* Radius of the bounding sphere about the shape's position; infinite for a plane. */
double shape_reach(const Shape *s);

#endif
