/* A shape posed in the world, whose contacts are those of convex_contact.h and shape_contact.h. */
#ifndef KANE_SIM_SHAPE_H
#define KANE_SIM_SHAPE_H

#include <math.h>

#include "analysis/model/model.h"

enum { SHAPE_CONTACTS = 16 }; /* contact points of two shapes, at most */

/* A shape posed in the world; sizes as in ModelShape. */
typedef struct Shape {
    ModelShape kind;
    Vec3 position;
    Quat orientation;
    Vec3 size;
    const ModelMesh *hull; /* of MODEL_HULL */
} Shape;

/* Radius of the bounding sphere about the shape's position; infinite for a plane. */
static inline double shape_reach(const Shape *s)
{
    const double reach[] = {
        [MODEL_SPHERE] = s->size.x,
        [MODEL_CAPSULE] = s->size.x + s->size.y,
        [MODEL_CYLINDER] = s->size.x + s->size.y,
        [MODEL_BOX] = vec3_norm(s->size),
        [MODEL_ELLIPSOID] = fmax(s->size.x, fmax(s->size.y, s->size.z)),
        [MODEL_PLANE] = INFINITY,
        [MODEL_HULL] = s->hull ? s->hull->reach : 0,
    };
    return reach[s->kind];
}

#endif
