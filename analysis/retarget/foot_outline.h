/* A foot as its file has it: ankle, the joints below it and their ends. What a viewer sees of a foot, where soles
 * (foot_contact.h) are an estimate of the skin: soles end at the ball if a file has no toes, and a file may place the
 * end of the toes below the sole. */
#ifndef KANE_RETARGET_FOOT_OUTLINE_H
#define KANE_RETARGET_FOOT_OUTLINE_H

#include "analysis/base/arena.h"
#include "analysis/clip/skeleton.h"

typedef struct OutlinePoint {
    int joint;
    Vec3 local;   /* m, axes of the joint */
    int is_joint; /* 1: the joint itself */
    int is_toe;   /* 1: moves with the toe joint */
} OutlinePoint;

typedef struct FootOutline {
    int ankle, toe; /* joints; -1: absent */
    int count;      /* 0: the skeleton lacks this foot */
    OutlinePoint *point;
} FootOutline;

/* Fills outline[foot], left and right; allocates in the arena, whose `failed` is the error. */
void foot_outline_init(FootOutline outline[2], const Skeleton *skeleton, Arena *arena);

/* World position of a point, m. position, orientation: of every joint in one frame. */
static inline Vec3 outline_position(const OutlinePoint *p, const Vec3 *position, const Quat *orientation)
{
    return vec3_add(position[p->joint], quat_rotate(orientation[p->joint], p->local));
}

/* Height of the lowest point along the unit normal, m; INFINITY without points. */
double foot_outline_height(const FootOutline *outline, const Vec3 *position, const Quat *orientation, Vec3 normal);

/* Rotates ankle or toe joint by `turn`, world axes, and the joints below with it. */
void foot_outline_rotate(const FootOutline *outline, int joint, Quat turn, Vec3 *position, Quat *orientation);

#endif
