/* The surface of an implicit shape as triangles.
 *
 * Naive surface nets (Gibson 1998, "Constrained elastic surface nets"): a vertex in every cell of a grid that the
 * surface crosses, a quadrilateral about every edge that it crosses. The vertices are then evened out along the surface
 * and put onto it, so that the grid does not show. */
#ifndef KANE_FIGURE_SURFACE_NETS_H
#define KANE_FIGURE_SURFACE_NETS_H

#include "analysis/base/status.h"
#include "analysis/figure/implicit.h"

/* Grows; (Surface){0} is empty. */
typedef struct Surface {
    int vertex_count, face_count, vertex_room, face_room;
    Vec3 *position;   /* [vertex] m; owned */
    int (*face)[3];   /* [face] counter-clockwise from outside; owned */
    int failed;       /* 1: no memory */
} Surface;

void surface_free(Surface *s);

/* Number of the new vertex; 0 and s->failed without memory. */
int surface_add_vertex(Surface *s, Vec3 position);
void surface_add_face(Surface *s, int a, int b, int c);

/* Adds the shape's surface, in cells of that edge, m. STATUS_LIMIT where they are too many. */
Status surface_nets(const Implicit *shape, double cell, Surface *out, Error *err);

#endif
