/* Triangulation of an implicit shape.
 *
 * Naive surface nets (Gibson 1998, "Constrained elastic surface nets"): a vertex in every grid cell that the surface
 * crosses and a quadrilateral around every edge that it crosses. Vertices are then smoothed along the surface and
 * projected onto it, so that the grid does not show. */
#ifndef KANE_MANNEQUIN_SURFACE_NETS_H
#define KANE_MANNEQUIN_SURFACE_NETS_H

#include "analysis/base/status.h"
#include "analysis/mannequin/implicit.h"
#include "analysis/math/vec.h"

/* A growing triangle mesh; (Surface){0} is empty. */
typedef struct Surface {
    int vertex_count, face_count, vertex_room, face_room;
    Vec3 *position;   /* [vertex] m; owned */
    int (*face)[3];   /* [face] counter-clockwise from outside; owned */
    int failed;       /* 1: out of memory */
} Surface;

void surface_free(Surface *s);

/* Returns the number of the new vertex; if out of memory, 0 with s->failed set. */
int surface_add_vertex(Surface *s, Vec3 position);
void surface_add_face(Surface *s, int a, int b, int c);

/* Adds the shape's surface with cells of edge `cell`, m. STATUS_LIMIT if there are too many cells. */
Status surface_nets(const Implicit *shape, double cell, Surface *out, Error *err);

#endif
