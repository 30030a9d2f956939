/* Roles from the shape of a tree (role_shape.h). A pair of limbs is two children of one joint with equal bones. The
 * pair nearer the head is the arms; the two longest consecutive bones of a limb are upper arm and forearm, or thigh and
 * shank. */
#include "analysis/body/role_shape.h"

#include <stdlib.h>

#include "analysis/base/arena.h"
#include "analysis/base/status.h"
#include "analysis/clip/skeleton.h"

/* Bones are equal if they differ by at most this part of the longer one; least reach of a limb, part of the whole
 * tree's. */
#define LIKENESS 0.15
#define LIMB_REACH 0.25
#define NEARLY 0.92

enum { MAX_PAIRS = 16, MAX_CHAIN = 64, MAX_LONG_BRANCHES = 256 };

typedef struct Pair {
    int joint, a, b; /* two children of joint */
    double reach;
} Pair;

/* A limb from its first joint to its tip, along the longest path. */
typedef struct LimbChain {
    int count;              /* number of points: joints, then possibly an end site */
    int joint[MAX_CHAIN];   /* [point] -1 for the end site */
    double bone[MAX_CHAIN]; /* [point] length from the point before; 0 for the first */
} LimbChain;

typedef struct RoleShape {
    const Skeleton *s;
    double *reach; /* [joint] */
    int *size;     /* [joint] joints of the subtree */
    int *longest;  /* [joint] child on the longest path down, -1 at the last joint */
    Vec3 *rest;    /* [joint] */
} RoleShape;

static int alike(double a, double b) { return fabs(a - b) <= LIKENESS * fmax(a, b); }

static void follow(const RoleShape *t, int joint, LimbChain *out)
{
    *out = (LimbChain){0};
    while (joint >= 0 && out->count < MAX_CHAIN - 1) {
        out->joint[out->count] = joint;
        out->bone[out->count] = out->count ? vec3_norm(t->s->offset[joint]) : 0;
        out->count++;
        int next = t->longest[joint];
        if (next < 0 && t->reach[joint] > 0) {
            out->joint[out->count] = -1;
            out->bone[out->count++] = t->reach[joint];
        }
        joint = next;
    }
}

static double two_bones(const LimbChain *c, int i)
{
    double sum = c->bone[i + 1] + c->bone[i + 2];
    return c->joint[i + 1] >= 0 && fmin(c->bone[i + 1], c->bone[i + 2]) > 0.25 * sum ? sum : 0;
}

/* The index of the hip or shoulder, where the two longest consecutive bones begin; -1 for a short chain. Among nearly
 * equal sums the last: a long clavicle is not an upper arm. */
static int long_bones(const LimbChain *c)
{
    int best = -1;
    double longest = 0;
    for (int i = 0; i + 2 < c->count; i++)
        longest = fmax(longest, two_bones(c, i));
    for (int i = 0; i + 2 < c->count; i++)
        if (longest > 0 && two_bones(c, i) >= NEARLY * longest)
            best = i;
    return best;
}

static int is_pair(const RoleShape *t, int a, int b)
{
    LimbChain left, right;
    if (!alike(t->reach[a], t->reach[b]) || !alike(t->size[a] + 1, t->size[b] + 1) ||
        !alike(vec3_norm(t->s->offset[a]), vec3_norm(t->s->offset[b])))
        return 0;
    follow(t, a, &left);
    follow(t, b, &right);
    int i = long_bones(&left);
    return i >= 0 && i == long_bones(&right) && alike(left.bone[i + 1], right.bone[i + 1]) &&
           alike(left.bone[i + 2], right.bone[i + 2]);
}

/* Finds all pairs of limbs; none if too many branches are as long as a limb. */
static int find_pairs(const RoleShape *t, Pair pairs[MAX_PAIRS])
{
    int count = 0, branches = 0;
    double min = LIMB_REACH * t->reach[0];
    for (int j = 1; j < t->s->joint_count; j++)
        branches += t->reach[j] >= min;
    if (branches > MAX_LONG_BRANCHES)
        return 0;
    for (int a = 1; a < t->s->joint_count; a++) {
        if (t->reach[a] < min)
            continue;
        for (int b = a + 1; b < t->s->joint_count; b++) {
            if (t->s->parent[b] != t->s->parent[a] || t->reach[b] < min || !is_pair(t, a, b))
                continue;
            if (count == MAX_PAIRS)
                return count;
            pairs[count++] = (Pair){t->s->parent[a], a, b, t->reach[a]};
        }
    }
    return count;
}

/* The longest branch from the pair's joint outside both pairs, a head if the joint is that of the arms; -1 if there is
 * none. */
static int free_branch(const RoleShape *t, const Pair *here, const Pair *other)
{
    int best = -1;
    for (int j = here->joint + 1; j < t->s->joint_count; j++) {
        int taken = j == here->a || j == here->b || skeleton_is_below(t->s, other->joint, j) ||
                    (other->joint == here->joint && (j == other->a || j == other->b));
        if (t->s->parent[j] == here->joint && !taken && (best < 0 || t->reach[j] > t->reach[best]))
            best = j;
    }
    return best;
}

static Vec3 tip(const RoleShape *t, int joint)
{
    while (t->longest[joint] >= 0)
        joint = t->longest[joint];
    return t->rest[joint];
}

/* Whether `first`, of two pairs at one joint, is the legs: the pair that points away from the head or, without a head,
 * the longer one. */
static int first_is_legs(const RoleShape *t, const Pair *first, const Pair *second)
{
    int head = free_branch(t, first, second);
    if (head < 0)
        return first->reach >= second->reach;
    Vec3 centre = t->rest[first->joint], up = vec3_sub(tip(t, head), centre);
    Vec3 one = vec3_sub(vec3_add(tip(t, first->a), tip(t, first->b)), vec3_scale(centre, 2));
    Vec3 two = vec3_sub(vec3_add(tip(t, second->a), tip(t, second->b)), vec3_scale(centre, 2));
    return vec3_dot(one, up) <= vec3_dot(two, up);
}

/* Distinguishes legs and arms in exactly two pairs. Returns 0 if one lies within the limbs of the other. */
static int separate_pairs(const RoleShape *t, const Pair *pairs, Pair *legs, Pair *arms)
{
    Pair upper = pairs[0], lower = pairs[1];
    if (skeleton_is_below(t->s, lower.joint, upper.a) || skeleton_is_below(t->s, lower.joint, upper.b))
        return 0;
    int legs_first;
    if (upper.joint == lower.joint)
        legs_first = first_is_legs(t, &upper, &lower);
    else /* the pair nearer the root is the legs, unless only its joint carries a head */
        legs_first = free_branch(t, &lower, &upper) >= 0 || free_branch(t, &upper, &lower) < 0;
    *legs = legs_first ? upper : lower;
    *arms = legs_first ? lower : upper;
    return 1;
}

/* A vector from right to left. For a standing rest pose with feet: up x front, with front along the feet. Otherwise +X,
 * the left of a body that faces +Z with +Y up, or -Y with +Z up; along z, the left of a body that faces +X. */
static Vec3 left_direction(const RoleShape *t, const Pair *legs, const Pair *arms, Vec3 across)
{
    LimbChain a, b;
    follow(t, legs->a, &a);
    follow(t, legs->b, &b);
    int i = long_bones(&a);
    Vec3 hips = vec3_add(t->rest[a.joint[i]], t->rest[b.joint[i]]);
    if (a.joint[i + 2] >= 0 && b.joint[i + 2] >= 0) {
        Vec3 ankles = vec3_add(t->rest[a.joint[i + 2]], t->rest[b.joint[i + 2]]);
        Vec3 toes = vec3_add(tip(t, a.joint[i + 2]), tip(t, b.joint[i + 2]));
        Vec3 up = vec3_normalize(vec3_sub(vec3_scale(t->rest[arms->joint], 2), hips));
        Vec3 down = vec3_normalize(vec3_sub(ankles, hips));
        Vec3 left = vec3_cross(up, vec3_sub(toes, ankles));
        if (vec3_dot(up, down) < -0.5 && fabs(vec3_dot(vec3_normalize(left), vec3_normalize(across))) > 0.7)
            return left;
    }
    double x = fabs(across.x), y = fabs(across.y), z = fabs(across.z);
    return x >= y && x >= z ? vec3(1, 0, 0) : y >= z ? vec3(0, 1, 0) : vec3(0, 0, -1);
}

static void set_limb(const RoleShape *t, int joint, const Role roles[4], int leg, Role *role)
{
    LimbChain c;
    follow(t, joint, &c);
    int i = long_bones(&c);
    /* a leg begins with its long bones, an arm with the clavicle before them */
    int first = leg ? i : i - 1;
    for (int k = 0; k < 4; k++)
        if (first + k >= 0 && first + k < c.count && c.joint[first + k] >= 0)
            role[c.joint[first + k]] = roles[k];
}

static const Role left_leg[4] = {ROLE_LEFT_HIP, ROLE_LEFT_KNEE, ROLE_LEFT_ANKLE, ROLE_LEFT_TOE};
static const Role right_leg[4] = {ROLE_RIGHT_HIP, ROLE_RIGHT_KNEE, ROLE_RIGHT_ANKLE, ROLE_RIGHT_TOE};
static const Role left_arm[4] = {ROLE_LEFT_CLAVICLE, ROLE_LEFT_SHOULDER, ROLE_LEFT_ELBOW, ROLE_LEFT_WRIST};
static const Role right_arm[4] = {ROLE_RIGHT_CLAVICLE, ROLE_RIGHT_SHOULDER, ROLE_RIGHT_ELBOW, ROLE_RIGHT_WRIST};

/* Orders a and b as left, right. */
static void order_pair(const RoleShape *t, Pair *p, Vec3 left)
{
    Vec3 across = vec3_sub(tip(t, p->a), tip(t, p->b));
    if (fabs(vec3_dot(across, left)) < 1e-6 * vec3_norm(left) * p->reach)
        across = vec3_sub(t->s->offset[p->a], t->s->offset[p->b]);
    if (vec3_dot(across, left) < 0) {
        int swap = p->a;
        p->a = p->b;
        p->b = swap;
    }
}

static int assign(const RoleShape *t, Role *role)
{
    Pair pairs[MAX_PAIRS], legs, arms;
    if (find_pairs(t, pairs) != 2 || !separate_pairs(t, pairs, &legs, &arms))
        return 0;
    Vec3 across = vec3_sub(t->s->offset[legs.a], t->s->offset[legs.b]);
    if (!(vec3_norm(across) > 0))
        across = vec3_sub(tip(t, legs.a), tip(t, legs.b));
    Vec3 left = left_direction(t, &legs, &arms, across);
    order_pair(t, &legs, left);
    order_pair(t, &arms, left);
    set_limb(t, legs.a, left_leg, 1, role);
    set_limb(t, legs.b, right_leg, 1, role);
    set_limb(t, arms.a, left_arm, 0, role);
    set_limb(t, arms.b, right_arm, 0, role);
    return 1;
}

/* Sets sizes of subtrees and longest children, from rest and reach. */
static void measure(RoleShape *t)
{
    for (int j = 0; j < t->s->joint_count; j++) {
        t->size[j] = 1;
        t->longest[j] = -1;
    }
    for (int j = t->s->joint_count - 1; j > 0; j--) {
        int p = t->s->parent[j], best = t->longest[p];
        t->size[p] += t->size[j];
        if (best < 0 || vec3_norm(t->s->offset[j]) + t->reach[j] >= vec3_norm(t->s->offset[best]) + t->reach[best])
            t->longest[p] = j;
    }
}

Status role_shape_assign(const Skeleton *s, Role *role, int *found, Error *err)
{
    size_t joints = (size_t)s->joint_count;
    Arena arena = {0};
    RoleShape t = {.s = s,
                   .reach = arena_array(&arena, joints, 1, sizeof *t.reach),
                   .size = arena_array(&arena, joints, 1, sizeof *t.size),
                   .longest = arena_array(&arena, joints, 1, sizeof *t.longest),
                   .rest = arena_array(&arena, joints, 1, sizeof *t.rest)};
    *found = 0;
    for (int j = 0; j < s->joint_count; j++)
        role[j] = ROLE_NONE;
    if (arena.failed) {
        arena_free(&arena);
        return error_no_memory(err);
    }
    skeleton_reach(s, t.reach);
    skeleton_rest_positions(s, t.rest);
    measure(&t);
    *found = assign(&t, role);
    arena_free(&arena);
    return STATUS_OK;
}
