/* A creature: tapered capsules along the bones of any tree, blended joint by joint. */
#include "analysis/body/capsules.h"
#include "analysis/mannequin/human_body.h"

#define VERTICES 2600.0   /* approximate number of vertices */
#define THINNEST 0.55     /* fraction of a cell: a thinner limb would break up */

typedef struct CreatureBone {
    int joint;     /* the joint it moves with */
    Vec3 along;    /* m, in the pose */
    double beyond; /* m, length of the longest chain after it */
    int next;      /* joint where it ends; -1: an end site */
} CreatureBone;

typedef struct Creature {
    MannequinBuild *build;
    CreatureBone *bone; /* [count] ordered by joint */
    int count;
    double *reach; /* [joint] m */
    double cell;
    int *group; /* [joint] group of the bone that leads to it; -1: none */
} Creature;

/* Whether a joint is an ancestor of the hips, such as a root on the ground, which gets no skin. */
static int is_pole(const MannequinBuild *b, int joint)
{
    int below = b->joint[ROLE_HIPS];
    while (below > joint)
        below = b->skeleton->parent[below];
    return below == joint && joint < b->joint[ROLE_HIPS];
}

static void list_bones(Creature *c)
{
    MannequinBuild *b = c->build;
    const Skeleton *s = b->skeleton;
    for (int j = 0; j < s->joint_count; j++) {
        if (is_pole(b, j))
            continue;
        for (int k = j + 1; k < s->joint_count; k++)
            if (s->parent[k] == j && vec3_norm(s->offset[k]) > 0)
                c->bone[c->count++] = (CreatureBone){j, vec3_sub(b->position[k], b->position[j]), c->reach[k], k};
        for (int e = 0; e < s->end_count; e++)
            if (s->end_parent[e] == j && vec3_norm(s->end_offset[e]) > 0)
                c->bone[c->count++] = (CreatureBone){j, quat_rotate(b->orientation[j], s->end_offset[e]), 0, -1};
    }
}

static double start_radius(const Creature *c, const CreatureBone *bone)
{
    return capsule_radius(vec3_norm(bone->along) + bone->beyond, c->reach[0]);
}

static double end_radius(const Creature *c, const CreatureBone *bone)
{
    return capsule_radius(fmax(bone->beyond, 0.35 * vec3_norm(bone->along)), c->reach[0]);
}

static double area(const Creature *c)
{
    double sum = 0;
    for (int i = 0; i < c->count; i++)
        sum += 3.14159265358979 * vec3_norm(c->bone[i].along) *
               (start_radius(c, &c->bone[i]) + end_radius(c, &c->bone[i]));
    return sum;
}

static void add_bone(Creature *c, const CreatureBone *bone)
{
    MannequinBuild *b = c->build;
    double thin = THINNEST * c->cell, start = fmax(start_radius(c, bone), thin), end = fmax(end_radius(c, bone), thin);
    if (b->bone_of[bone->joint] < 0)
        mannequin_bone(b, bone->joint, bone->along, start);
    int group = implicit_add_group(&b->shape, (BlobGroup){c->group[bone->joint], 0, 0.4 * start});
    mannequin_cone(b, b->bone_of[bone->joint], b->position[bone->joint], start,
                   vec3_add(b->position[bone->joint], bone->along), end);
    if (bone->next >= 0)
        c->group[bone->next] = group;
    else if (c->group[bone->joint] < 0)
        c->group[bone->joint] = group;
}

Status creature_body(MannequinBuild *b, Error *err)
{
    const Skeleton *s = b->skeleton;
    size_t joints = (size_t)s->joint_count, bones = joints + (size_t)s->end_count;
    Creature c = {.build = b,
                  .bone = arena_array(&b->arena, bones, 1, sizeof *c.bone),
                  .reach = arena_array(&b->arena, joints, 1, sizeof *c.reach),
                  .group = arena_array(&b->arena, joints, 1, sizeof *c.group)};
    if (b->arena.failed)
        return error_no_memory(err);
    skeleton_reach(s, c.reach);
    for (size_t j = 0; j < joints; j++)
        c.group[j] = -1;
    list_bones(&c);
    c.cell = sqrt(area(&c) / VERTICES);
    implicit_clear(&b->shape);
    for (int i = 0; i < c.count && b->shape.group_count < IMPLICIT_GROUPS; i++)
        add_bone(&c, &c.bone[i]);
    return mannequin_finish_part(b, c.cell, err);
}
