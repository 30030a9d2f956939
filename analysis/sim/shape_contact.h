/* Contacts of two shapes of a scene: up to SHAPE_CONTACTS points with their gaps (contact_rows.h).
 *
 * All kinds collide with each other, except two planes. A plane is unbounded. */
#ifndef KANE_SIM_SHAPE_CONTACT_H
#define KANE_SIM_SHAPE_CONTACT_H

#include "analysis/model/model.h"
#include "analysis/sim/contact_rows.h"
#include "analysis/sim/shape.h"

/* Finds points whose gap is at most `margin`, normals from a to b; returns their number. */
int shapes_collide(const Shape *a, const Shape *b, double margin, Collision *out);

/* 0 if shapes of these kinds never collide. */
int shapes_can_meet(ModelShape a, ModelShape b);

#endif
