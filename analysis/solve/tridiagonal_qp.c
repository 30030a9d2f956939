/* See tridiagonal_qp.h. */
#include "analysis/solve/tridiagonal_qp.h"

#include "analysis/math/elementary.h"

/* The friction cone of one contact as an eight-sided pyramid inside |f_t| <= mu f_n. */

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

/* The facet whose sector holds the tangential part of y: the cone is symmetric, so the nearest point lies there. */
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
    /* Onto the plane of the facet; inside its angle when it lies on the inner side of both edges. */
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

Status tridiagonal_qp_init(TridiagonalQp *qp, int frame_count, int slot_count, size_t contact_count,
                           size_t hessian_count, Error *err)
{
    size_t frames = (size_t)frame_count;
    if (!qp->memory.last || frames > qp->frame_room || contact_count > qp->contact_room ||
        hessian_count > qp->entry_room) {
        tridiagonal_qp_free(qp);
        qp->first = arena_array(&qp->memory, frames + 1, 1, sizeof *qp->first);
        qp->slot = arena_array(&qp->memory, contact_count, 1, sizeof *qp->slot);
        qp->grip = arena_array(&qp->memory, contact_count, 1, sizeof *qp->grip);
        qp->block = arena_array(&qp->memory, frames + 1, 1, sizeof *qp->block);
        qp->hessian = arena_array(&qp->memory, hessian_count + TRIDIAGONAL_PADDING, 1, sizeof *qp->hessian);
        qp->linear = arena_array(&qp->memory, contact_count, 1, sizeof *qp->linear);
        qp->frame_room = frames, qp->contact_room = contact_count, qp->entry_room = hessian_count;
    }
    if (qp->memory.failed) {
        tridiagonal_qp_free(qp);
        return error_no_memory(err);
    }
    qp->frame_count = frame_count;
    qp->slot_count = slot_count;
    qp->held_count = 0;
    qp->first[0] = 0;
    qp->block[0] = 0;
    return STATUS_OK;
}

void tridiagonal_qp_free(TridiagonalQp *qp)
{
    if (!qp)
        return;
    arena_free(&qp->memory);
    *qp = (TridiagonalQp){0};
}
