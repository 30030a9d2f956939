/* See mannequin_build.h. */
#include "analysis/mannequin/mannequin_build.h"

#include <stdlib.h>

#include "analysis/mannequin/implicit.h"
#include "analysis/mannequin/surface_nets.h"

void mannequin_cone(MannequinBuild *b, int bone, Vec3 a, double ra, Vec3 c, double rc)
{
    implicit_add(&b->shape, &(Blob){.a = a, .b = c, .ra = ra, .rb = rc, .bone = bone});
}

Status mannequin_bind(MannequinBuild *b, int bone, Error *err)
{
    int *more = realloc(b->bound, ((size_t)b->surface.vertex_count + 1) * sizeof *more);
    if (!more || b->surface.failed) {
        b->bound = more ? more : b->bound;
        return error_no_memory(err);
    }
    b->bound = more;
    for (; b->bound_count < b->surface.vertex_count; b->bound_count++)
        b->bound[b->bound_count] = bone;
    return STATUS_OK;
}

Status mannequin_finish_part(MannequinBuild *b, double cell, Error *err)
{
    int first = b->bound_count;
    if (b->shape.blob_count == 0)
        return STATUS_OK;
    Status status = surface_nets(&b->shape, cell, &b->surface, err);
    if (!status)
        status = mannequin_bind(b, 0, err);
    for (int v = first; v < b->bound_count; v++)
        b->bound[v] = implicit_nearest(&b->shape, b->surface.position[v]);
    return status;
}

int mannequin_bone(MannequinBuild *b, int joint, Vec3 along, double radius)
{
    int above = b->skeleton->parent[joint];
    while (above >= 0 && b->bone_of[above] < 0)
        above = b->skeleton->parent[above];
    b->bone[b->bone_count] = (Bone){.joint = joint,
                                    .from = above < 0 ? -1 : b->bone_of[above],
                                    .centre = b->position[joint],
                                    .along = vec3_normalize(along),
                                    .radius = radius};
    return b->bone_of[joint] = b->bone_count++;
}

int mannequin_role_bone(const MannequinBuild *b, Role role)
{
    return b->joint[role] < 0 ? -1 : b->bone_of[b->joint[role]];
}

Vec3 mannequin_at(const MannequinBuild *b, Vec3 p, double front, double up, double right)
{
    return vec3_mad(vec3_mad(vec3_mad(p, front, b->front), up, b->up), right, b->right);
}

int human_head(const MannequinBuild *b) { return b->joint[ROLE_HEAD] >= 0 ? b->joint[ROLE_HEAD] : b->joint[ROLE_NECK]; }
