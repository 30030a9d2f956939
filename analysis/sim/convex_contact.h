/* Contacts of two convex shapes of any kind except planes, and of a hull above a plane. */
#ifndef KANE_SIM_CONVEX_CONTACT_H
#define KANE_SIM_CONVEX_CONTACT_H

#include "analysis/sim/contact_rows.h"
#include "analysis/sim/shape.h"

/* Find up to SHAPE_CONTACTS points whose gap is at most `margin` and return their number. Normals point from a to b,
 * and from the hull into the plane. */
int convex_collide(const Shape *a, const Shape *b, double margin, Collision *out);
int hull_plane_collide(const Shape *hull, Vec3 up, Vec3 on_plane, double margin, Collision *out);

#endif
