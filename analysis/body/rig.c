/* See rig.h. */
#include "analysis/body/rig.h"

#include <ctype.h>
#include <string.h>

static const char *local_name(const char *name)
{
    const char *colon = strrchr(name, ':'), *bar = strrchr(name, '|');
    const char *last = !colon || (bar && bar > colon) ? bar : colon;
    return last ? last + 1 : name;
}

static int is_same_name(const char *name, const char *published)
{
    const char *local = strchr(published, ':');
    if (!local)
        return strcmp(local_name(name), published) == 0;
    size_t length = (size_t)(local - published);
    for (const char *at = name; *at; at++) {
        if (strncmp(at, published, length) != 0)
            continue;
        const char *rest = at + length;
        while (isdigit((unsigned char)*rest))
            rest++;
        rest += *rest == ':' || *rest == '_';
        if (strcmp(rest, local + 1) == 0)
            return 1;
    }
    return 0;
}

static int find_joint(const Skeleton *s, const char *published)
{
    for (int j = 0; j < s->joint_count; j++)
        if (is_same_name(s->name[j], published))
            return j;
    return -1;
}

/* Whether a rig is not known without this joint. */
static int is_needed(Role role)
{
    int is_toe = role == ROLE_LEFT_TOE || role == ROLE_RIGHT_TOE;
    return role == ROLE_NONE || role == ROLE_HIPS || (role_mirror(role) != role && !is_toe);
}

static int is_below(const Skeleton *s, int joint, int other)
{
    do
        joint = s->parent[joint];
    while (joint >= 0 && joint != other);
    return joint == other;
}

/* Whether the arms branch at a joint: of the joints that carry both, it is the last. */
static int carries_arms(const Skeleton *s, int chest, const int joint[ROLE_COUNT])
{
    int left = joint[ROLE_LEFT_SHOULDER], right = joint[ROLE_RIGHT_SHOULDER];
    if (!is_below(s, left, chest) || !is_below(s, right, chest))
        return 0;
    while (s->parent[left] != chest)
        left = s->parent[left];
    return !is_below(s, right, left);
}

/* Whether the joints are above each other as in a body. */
static int is_body(const Skeleton *s, const int joint[ROLE_COUNT])
{
    static const Role above[][2] = {
        {ROLE_HIPS, ROLE_LEFT_HIP}, {ROLE_LEFT_HIP, ROLE_LEFT_KNEE}, {ROLE_LEFT_KNEE, ROLE_LEFT_ANKLE},
        {ROLE_HIPS, ROLE_RIGHT_HIP}, {ROLE_RIGHT_HIP, ROLE_RIGHT_KNEE}, {ROLE_RIGHT_KNEE, ROLE_RIGHT_ANKLE},
        {ROLE_LEFT_CLAVICLE, ROLE_LEFT_SHOULDER}, {ROLE_LEFT_SHOULDER, ROLE_LEFT_ELBOW},
        {ROLE_LEFT_ELBOW, ROLE_LEFT_WRIST}, {ROLE_RIGHT_CLAVICLE, ROLE_RIGHT_SHOULDER},
        {ROLE_RIGHT_SHOULDER, ROLE_RIGHT_ELBOW}, {ROLE_RIGHT_ELBOW, ROLE_RIGHT_WRIST}};
    for (size_t i = 0; i < sizeof above / sizeof *above; i++)
        if (!is_below(s, joint[above[i][1]], joint[above[i][0]]))
            return 0;
    return joint[ROLE_CHEST] < 0 || carries_arms(s, joint[ROLE_CHEST], joint);
}

/* Finds the joints of the rig whose rows are [begin, end); returns their number, 0 if the skeleton is another. */
static int find_rig(const Skeleton *s, int begin, int end, int joint[ROLE_COUNT])
{
    int count = 0;
    for (int role = 0; role < ROLE_COUNT; role++)
        joint[role] = -1;
    for (int i = begin; i < end; i++) {
        int found = find_joint(s, rig_rows[i].joint);
        if (found < 0 && is_needed(rig_rows[i].role))
            return 0;
        joint[rig_rows[i].role] = found;
        count += found >= 0;
    }
    return is_body(s, joint) ? count : 0;
}

static void assign(Skeleton *s, const int joint[ROLE_COUNT])
{
    for (int role = 0; role < ROLE_COUNT; role++) {
        int holder = joint[role] < 0 || role == ROLE_NONE ? -1 : skeleton_find_role(s, (Role)role);
        if (holder >= 0)
            s->role[holder] = ROLE_NONE;
    }
    for (int role = 0; role < ROLE_COUNT; role++)
        if (joint[role] >= 0 && role != ROLE_NONE)
            s->role[joint[role]] = (Role)role;
}

const char *rig_assign(Skeleton *s)
{
    int joint[ROLE_COUNT], best[ROLE_COUNT], most = 0;
    const char *rig = NULL;
    for (int begin = 0, end; begin < rig_rows_count; begin = end) {
        for (end = begin; end < rig_rows_count && strcmp(rig_rows[end].rig, rig_rows[begin].rig) == 0; end++)
            ;
        int count = find_rig(s, begin, end, joint);
        if (count <= most)
            continue;
        most = count;
        rig = rig_rows[begin].rig;
        memcpy(best, joint, sizeof best);
    }
    if (rig)
        assign(s, best);
    return rig;
}
