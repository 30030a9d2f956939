/* See friction_cone.h. */
#include "analysis/solve/friction_cone.h"

#include "analysis/math/elementary.h"
#include "analysis/math/vec.h"

void friction_cone_init(FrictionCone *cone, double friction)
{
    *cone = (FrictionCone){.friction = friction, .inner = friction * elementary_cos(PI / CONE_SIDES)};
    for (int k = 0; k < CONE_SIDES; k++) {
        double s, c;
        elementary_sincos(2 * PI * k / CONE_SIDES, &s, &c);
        cone->edge[k] = vec3_normalize(vec3(friction * c, 1, friction * s));
    }
    cone->dimension[FACE_INTERIOR] = 3;
    cone->basis[FACE_INTERIOR][0] = vec3(1, 0, 0);
    cone->basis[FACE_INTERIOR][1] = vec3(0, 1, 0);
    cone->basis[FACE_INTERIOR][2] = vec3(0, 0, 1);
    for (int k = 0; k < CONE_SIDES; k++) {
        Vec3 a = cone->edge[k], b = cone->edge[(k + 1) % CONE_SIDES];
        cone->inward[k] = vec3_normalize(vec3_cross(a, b));
        if (cone->inward[k].y < 0)
            cone->inward[k] = vec3_neg(cone->inward[k]);
        cone->dimension[FACE_EDGE + k] = 1;
        cone->basis[FACE_EDGE + k][0] = a;
        cone->dimension[FACE_FACET + k] = 2;
        cone->basis[FACE_FACET + k][0] = a;
        cone->basis[FACE_FACET + k][1] = vec3_cross(cone->inward[k], a);
    }
}

/* The facet whose sector contains the tangential part of y. By symmetry of the cone the nearest point lies in this
 * sector. */
static int sector(Vec3 y)
{
    /* by the signs of x and z, and whether |z| > |x| */
    static const int facet[8] = {0, 1, 7, 6, 3, 2, 4, 5};
    return facet[4 * (y.x < 0) + 2 * (y.z < 0) + (fabs(y.z) > fabs(y.x))];
}

Vec3 friction_cone_project_far(const FrictionCone *cone, Vec3 y, int *face)
{
    int k = sector(y), next = (k + 1) % CONE_SIDES;
    double depth = vec3_dot(cone->inward[k], y);
    if (depth >= 0) {
        *face = FACE_INTERIOR;
        return y;
    }
    /* Project onto the plane of the facet: inside the facet if the point lies on the inner side of both edges. */
    Vec3 q = vec3_mad(y, -depth, cone->inward[k]);
    Vec3 a = cone->edge[k], b = cone->edge[next];
    double qa = vec3_dot(q, a), qb = vec3_dot(q, b), ab = vec3_dot(a, b);
    if (qa - ab * qb > 0 && qb - ab * qa > 0) {
        *face = FACE_FACET + k;
        return q;
    }
    int edge = vec3_dot(y, a) >= vec3_dot(y, b) ? k : next;
    double along = vec3_dot(y, cone->edge[edge]);
    if (along <= 0) {
        *face = FACE_APEX;
        return vec3(0, 0, 0);
    }
    *face = FACE_EDGE + edge;
    return vec3_scale(cone->edge[edge], along);
}
