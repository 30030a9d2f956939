/* See props.h. */
#include "analysis/retarget/props.h"

#include "analysis/retarget/ik_bones.h"

/* Whether a joint (-1: none) is beside the body and no IK bone. */
static int is_prop(const Skeleton *s, int joint)
{
    return joint >= 0 && joint_is_beside_body(s, joint) && !ik_bone_is_root(s, joint) &&
           ik_bone_limb(&(ClipView){.skeleton = s}, joint) < 0;
}

/* The target's joint that follows a joint of the clip alone; -1: none. */
static int find_target(const JointMap *map, int source)
{
    for (int i = 0; i < map->row_count; i++) {
        int target = map->row[i].target;
        if (map->row[i].source == source && map->first[target + 1] == map->first[target] + 1)
            return target;
    }
    return -1;
}

/* The prop of a joint, added if it is new; NULL: no place. */
static Prop *add_prop(Props *out, const BodyPair *pair, int source)
{
    for (int i = 0; i < out->count; i++)
        if (out->prop[i].source == source)
            return &out->prop[i];
    if (out->count == MAX_PROPS)
        return NULL;
    Prop *prop = &out->prop[out->count++];
    *prop = (Prop){.source = source, .target = find_target(pair->map, source)};
    const Skeleton *t = pair->target->skeleton;
    prop->follows = prop->target >= 0 && is_prop(t, prop->target) && !is_prop(t, t->parent[prop->target]);
    return prop;
}

Props props_find(const BodyPair *pair, const HandHold *hold, int hold_count)
{
    Props out = {0};
    for (int i = 0; i < hold_count; i++) {
        Prop *prop = add_prop(&out, pair, hold[i].joint);
        if (prop)
            prop->held[hold[i].side] = 1;
    }
    for (int j = 0; j < pair->source->skeleton->joint_count; j++)
        if (is_prop(pair->source->skeleton, j) && find_target(pair->map, j) >= 0)
            add_prop(&out, pair, j);
    return out;
}
