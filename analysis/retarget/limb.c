/* See limb.h. */
#include "analysis/retarget/limb.h"

Role limb_next_role(Role role)
{
    switch (role) {
    case ROLE_LEFT_CLAVICLE: return ROLE_LEFT_SHOULDER;
    case ROLE_LEFT_SHOULDER: return ROLE_LEFT_ELBOW;
    case ROLE_LEFT_ELBOW: return ROLE_LEFT_WRIST;
    case ROLE_LEFT_HIP: return ROLE_LEFT_KNEE;
    case ROLE_LEFT_KNEE: return ROLE_LEFT_ANKLE;
    case ROLE_LEFT_ANKLE: return ROLE_LEFT_TOE;
    case ROLE_RIGHT_CLAVICLE:
    case ROLE_RIGHT_SHOULDER:
    case ROLE_RIGHT_ELBOW:
    case ROLE_RIGHT_HIP:
    case ROLE_RIGHT_KNEE:
    case ROLE_RIGHT_ANKLE: return role_mirror(limb_next_role(role_mirror(role)));
    case ROLE_NECK: return ROLE_HEAD;
    default: return ROLE_NONE;
    }
}

int limb_is_ancestor(const Skeleton *s, int a, int j)
{
    while (j > a)
        j = s->parent[j];
    return j == a && a >= 0;
}

/* The joints above `to`, proximal first, below the first that is `stop` or an ancestor of it. */
static JointChain chain_between(const Skeleton *s, int stop, int to)
{
    JointChain up = {.end = to}, chain = {.end = to};
    for (int j = to >= 0 ? s->parent[to] : -1; j >= 0 && !limb_is_ancestor(s, j, stop); j = s->parent[j]) {
        if (up.count == TRIDIAGONAL_JOINTS)
            return (JointChain){.end = -1};
        up.joint[up.count++] = j;
    }
    for (int i = up.count - 1; i >= 0; i--)
        chain.joint[chain.count++] = up.joint[i];
    return chain;
}

JointChain limb_chain(const Skeleton *s, int from, int to)
{
    if (from < 0 || to < 0 || from == to || !limb_is_ancestor(s, from, to))
        return (JointChain){.end = -1};
    JointChain below = chain_between(s, from, to), chain = {.count = 1, .joint = {from}, .end = to};
    for (int i = 0; i < below.count && chain.count < TRIDIAGONAL_JOINTS; i++)
        chain.joint[chain.count++] = below.joint[i];
    return chain;
}

/* The lowest common ancestor of two joints; -1: none. */
static int common_ancestor(const Skeleton *s, int a, int b)
{
    while (a >= 0 && b >= 0 && a != b) {
        if (a > b)
            a = s->parent[a];
        else
            b = s->parent[b];
    }
    return a == b ? a : -1;
}

JointChain limb_trunk(const Skeleton *s)
{
    int hips = skeleton_find_role(s, ROLE_HIPS), top = skeleton_find_role(s, ROLE_NECK);
    if (top < 0)
        top = skeleton_find_role(s, ROLE_HEAD);
    if (top < 0 || limb_is_ancestor(s, top, hips)) {
        int left = skeleton_find_role(s, ROLE_LEFT_SHOULDER), right = skeleton_find_role(s, ROLE_RIGHT_SHOULDER);
        int fork = common_ancestor(s, left, right);
        top = left;
        while (top >= 0 && s->parent[top] != fork)
            top = s->parent[top];
    }
    return chain_between(s, hips, top);
}
