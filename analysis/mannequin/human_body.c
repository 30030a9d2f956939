/* Trunk, neck and limbs of a human. Numbers in the tables are fractions of stature:
 * breadths and depths of the trunk are chosen by eye, within the values of Drillis and Contini for hips (0.191),
 * chest (0.174) and shoulders (0.259). */
#include "analysis/mannequin/human_body.h"

#include "analysis/retarget/limb.h"

#define CELL 0.0172    /* fraction of stature */
#define DENSITY 1050.0 /* kg/m3, of limbs */
#define TRUNK_BLEND 0.03
#define LIMB_BLEND 0.024
#define MUSCLE_BLEND 0.010

/* ---- bones ---- */

/* Adds bones for the joints from the hips to the head. */
static void add_trunk_bones(MannequinBuild *b)
{
    static const Role tops[] = {ROLE_HEAD, ROLE_NECK, ROLE_CHEST, ROLE_SPINE};
    int top = b->joint[ROLE_HIPS], hips = top;
    for (size_t i = 0; i < sizeof tops / sizeof *tops && top == hips; i++)
        if (b->joint[tops[i]] >= 0)
            top = b->joint[tops[i]];
    int pelvis = mannequin_bone(b, hips, b->up, 0.05 * b->stature);
    b->bone[pelvis].is_trunk = 1;
    for (int j = 0; j <= top; j++) {
        if (!limb_is_ancestor(b->skeleton, j, top) || limb_is_ancestor(b->skeleton, j, hips))
            continue;
        Bone *bone = &b->bone[mannequin_bone(b, j, b->up, 0.05 * b->stature)];
        bone->is_trunk = 1;
        bone->from = bone->from < 0 ? pelvis : bone->from; /* hips and spine may be children of one root */
    }
}

/* Bones of a limb: role, role of the next joint, and bend radius as a fraction of stature. */
static const struct {
    Role role, to;
    double radius;
} limb_bones[] = {
    {ROLE_LEFT_CLAVICLE, ROLE_LEFT_SHOULDER, 0.05},
    {ROLE_LEFT_SHOULDER, ROLE_LEFT_ELBOW, 0.034},
    {ROLE_LEFT_ELBOW, ROLE_LEFT_WRIST, 0.024},
    {ROLE_LEFT_WRIST, ROLE_NONE, 0.015},
    {ROLE_RIGHT_CLAVICLE, ROLE_RIGHT_SHOULDER, 0.05},
    {ROLE_RIGHT_SHOULDER, ROLE_RIGHT_ELBOW, 0.034},
    {ROLE_RIGHT_ELBOW, ROLE_RIGHT_WRIST, 0.024},
    {ROLE_RIGHT_WRIST, ROLE_NONE, 0.015},
    {ROLE_LEFT_HIP, ROLE_LEFT_KNEE, 0.055},
    {ROLE_LEFT_KNEE, ROLE_LEFT_ANKLE, 0.036},
    {ROLE_LEFT_ANKLE, ROLE_NONE, 0.02},
    {ROLE_LEFT_TOE, ROLE_NONE, 0.012},
    {ROLE_RIGHT_HIP, ROLE_RIGHT_KNEE, 0.055},
    {ROLE_RIGHT_KNEE, ROLE_RIGHT_ANKLE, 0.036},
    {ROLE_RIGHT_ANKLE, ROLE_NONE, 0.02},
    {ROLE_RIGHT_TOE, ROLE_NONE, 0.012},
};

/* Vector along a joint's bone, m: to the joint of a role, otherwise to the children and end sites, otherwise in the
 * direction of the parent's bone. */
static Vec3 bone_toward(const MannequinBuild *b, int joint, Role to)
{
    const Skeleton *s = b->skeleton;
    if (to && b->joint[to] >= 0)
        return vec3_sub(b->position[b->joint[to]], b->position[joint]);
    Vec3 sum = {0, 0, 0};
    for (int j = joint + 1; j < s->joint_count; j++)
        if (s->parent[j] == joint)
            sum = vec3_add(sum, vec3_sub(b->position[j], b->position[joint]));
    for (int e = 0; e < s->end_count; e++)
        if (s->end_parent[e] == joint)
            sum = vec3_add(sum, quat_rotate(b->orientation[joint], s->end_offset[e]));
    if (vec3_norm(sum) > 0.005 * b->stature || s->parent[joint] < 0)
        return sum;
    return vec3_sub(b->position[joint], b->position[s->parent[joint]]);
}

static void add_limb_bones(MannequinBuild *b)
{
    for (size_t i = 0; i < sizeof limb_bones / sizeof *limb_bones; i++) {
        int joint = b->joint[limb_bones[i].role];
        if (joint < 0)
            continue;
        Vec3 along = bone_toward(b, joint, limb_bones[i].to);
        int bone = mannequin_bone(b, joint, along, limb_bones[i].radius * b->stature);
        if (limb_bones[i].role == ROLE_LEFT_CLAVICLE || limb_bones[i].role == ROLE_RIGHT_CLAVICLE)
            /* the moving part begins beside the neck */
            b->bone[bone].centre = vec3_mad(b->position[joint], 0.3, along);
    }
}

/* ---- the trunk ---- */

/* Capsules across the trunk, from the middle of the hip joints (0) to that of the shoulders (1) and beyond. */
static const struct {
    double height, front, half, radius, flat; /* height: fraction of that distance; the others: fractions of stature */
} trunk[] = {
    {-0.02, -0.004, 0.040, 0.056, 1.00},                                    /* buttocks and hips */
    {0.16, 0.002, 0.034, 0.053, 0.94},   {0.38, 0.004, 0.028, 0.049, 0.92}, /* waist */
    {0.60, 0.002, 0.032, 0.055, 0.98},                                      /* lower ribs */
    {0.80, 0.001, 0.038, 0.058, 0.98},                                      /* chest */
    {0.93, -0.006, 0.046, 0.040, 0.95},
};

/* Single spheres, mirrored: chest muscles, buttocks, shoulder blades. */
static const struct {
    double height, front, side, radius;
} masses[] = {{0.82, 0.030, 0.042, 0.034}, {-0.06, -0.034, 0.040, 0.047}, {0.80, -0.034, 0.044, 0.030}};

typedef struct TrunkLine {
    Vec3 low, along; /* m: middle of the hip joints, and the vector from there to the middle of the shoulders */
    double wide;     /* shoulder width over that of an average body of this stature */
} TrunkLine;

static Vec3 middle(const MannequinBuild *b, Role left, Role right, Vec3 otherwise)
{
    int l = b->joint[left], r = b->joint[right];
    return l < 0 || r < 0 ? otherwise : vec3_scale(vec3_add(b->position[l], b->position[r]), 0.5);
}

static TrunkLine trunk_line(const MannequinBuild *b)
{
    TrunkLine t = {.low = middle(b, ROLE_LEFT_HIP, ROLE_RIGHT_HIP, b->position[b->joint[ROLE_HIPS]])};
    Vec3 high = middle(b, ROLE_LEFT_SHOULDER, ROLE_RIGHT_SHOULDER, mannequin_at(b, t.low, 0, 0.29 * b->stature, 0));
    int l = b->joint[ROLE_LEFT_SHOULDER], r = b->joint[ROLE_RIGHT_SHOULDER];
    t.along = vec3_sub(high, t.low);
    double apart = l < 0 || r < 0 ? 0 : fabs(vec3_dot(vec3_sub(b->position[l], b->position[r]), b->right));
    t.wide = fmin(fmax(apart / (0.21 * b->stature), 0.85), 1.2);
    return t;
}

/* The trunk bone at the height of p. */
static int trunk_bone(const MannequinBuild *b, Vec3 p)
{
    int best = 0;
    for (int i = 0; i < b->bone_count; i++)
        if (b->bone[i].is_trunk && vec3_dot(vec3_sub(p, b->bone[i].centre), b->up) >= 0)
            best = i;
    return best;
}

static void add_trunk(MannequinBuild *b, const TrunkLine *t)
{
    double h = b->stature, g = b->girth;
    implicit_add_group(&b->shape, (BlobGroup){-1, TRUNK_BLEND * h, 0});
    for (size_t i = 0; i < sizeof trunk / sizeof *trunk; i++) {
        double half = trunk[i].half * h * g * (trunk[i].height > 0.5 ? t->wide : 1), r = trunk[i].radius * h * g;
        Vec3 at = mannequin_at(b, vec3_mad(t->low, trunk[i].height, t->along), trunk[i].front * h, 0, 0);
        Blob blob = {.a = mannequin_at(b, at, 0, 0, -half),
                     .b = mannequin_at(b, at, 0, 0, half),
                     .ra = r,
                     .rb = r,
                     .thin = b->front,
                     .flat = trunk[i].flat,
                     .bone = trunk_bone(b, at)};
        implicit_add(&b->shape, &blob);
    }
    for (size_t i = 0; i < 2 * (sizeof masses / sizeof *masses); i++) {
        double side = (i % 2 ? 1 : -1) * masses[i / 2].side * h, r = masses[i / 2].radius * h * g;
        Vec3 at = mannequin_at(b, vec3_mad(t->low, masses[i / 2].height, t->along), masses[i / 2].front * h * g, 0,
                               side);
        mannequin_cone(b, trunk_bone(b, at), at, r, at, r);
    }
}

/* Adds the neck up to the skull, and from its sides to the shoulders. */
static void add_neck(MannequinBuild *b, const TrunkLine *t)
{
    double h = b->stature, r = 0.0315 * h * sqrt(b->girth);
    Vec3 high = vec3_add(t->low, t->along), base = mannequin_at(b, high, -0.014 * h, 0.015 * h, 0);
    if (human_head(b) < 0)
        return;
    Vec3 top = mannequin_at(b, human_skull(b), -0.014 * h, -0.03 * h, 0);
    mannequin_cone(b, trunk_bone(b, base), base, 1.1 * r, top, r);
    static const Role shoulders[2][2] = {{ROLE_LEFT_SHOULDER, ROLE_LEFT_CLAVICLE},
                                         {ROLE_RIGHT_SHOULDER, ROLE_RIGHT_CLAVICLE}};
    for (int side = 0; side < 2; side++) {
        int joint = b->joint[shoulders[side][0]], clavicle = mannequin_role_bone(b, shoulders[side][1]);
        if (joint < 0)
            continue;
        Vec3 tip = mannequin_at(b, b->position[joint], 0, 0.006 * h, (side ? -0.012 : 0.012) * h);
        mannequin_cone(b, trunk_bone(b, base),
                       mannequin_at(b, base, -0.004 * h, 0.022 * h, (side ? 0.016 : -0.016) * h), 0.022 * h, tip,
                       0.024 * h);
        mannequin_cone(b, clavicle >= 0 ? clavicle : trunk_bone(b, high), vec3_lerp(high, tip, 0.55),
                    0.036 * h * b->girth, tip, 0.033 * h * b->girth);
    }
}

/* ---- limbs ---- */

/* A limb segment: its mean radius as a fraction of stature if masses are unknown, and cones along it with radii
 * relative to the mean. */
typedef struct LimbProfile {
    double mean;
    struct {
        double from, to, start, end, back; /* fractions of the length; fractions of the mean radius */
    } cone[3];
} LimbProfile;

static const LimbProfile thigh = {
    0.0475, {{-0.02, 0.45, 1.22, 1.08, 0.0}, {0.45, 1, 1.08, 0.70, -0.06}, {0.97, 1, 0.62, 0.6, -0.16}}};
static const LimbProfile shank = {
    0.0265, {{0, 0.32, 1.20, 1.28, 0.22}, {0.32, 0.72, 1.22, 0.80, 0.1}, {0.7, 1, 0.82, 0.72, 0}}};
static const LimbProfile upper_arm = {0.0255,
                                      {{0, 0.3, 1.36, 1.18, 0}, {0.3, 0.75, 1.15, 0.96, 0}, {0.75, 1, 0.94, 0.88, 0}}};
static const LimbProfile forearm = {0.0205,
                                    {{0, 0.28, 1.04, 1.16, 0}, {0.28, 0.7, 1.16, 0.86, 0}, {0.7, 1, 0.86, 0.70, 0}}};

static const struct {
    Role role, to;
    const LimbProfile *profile;
    int continues; /* 1: in the group of the segment before */
} limbs[] = {
    {ROLE_LEFT_SHOULDER, ROLE_LEFT_ELBOW, &upper_arm, 0},
    {ROLE_LEFT_ELBOW, ROLE_LEFT_WRIST, &forearm, 1},
    {ROLE_RIGHT_SHOULDER, ROLE_RIGHT_ELBOW, &upper_arm, 0},
    {ROLE_RIGHT_ELBOW, ROLE_RIGHT_WRIST, &forearm, 1},
    {ROLE_LEFT_HIP, ROLE_LEFT_KNEE, &thigh, 0},
    {ROLE_LEFT_KNEE, ROLE_LEFT_ANKLE, &shank, 1},
    {ROLE_RIGHT_HIP, ROLE_RIGHT_KNEE, &thigh, 0},
    {ROLE_RIGHT_KNEE, ROLE_RIGHT_ANKLE, &shank, 1},
};

/* Radius, m, of a cylinder with the segment's mass and length, limited to 0.7 to 1.4 of the usual radius at that
 * girth. */
static double mean_radius(const MannequinBuild *b, Role role, double length, double usual)
{
    double mass = 0, expected = usual * b->stature * b->girth;
    for (int j = 0; j < b->skeleton->joint_count && b->mass; j++)
        if (b->skeleton->segment[j] == role)
            mass += b->mass[j];
    double r = sqrt(mass / (3.14159265358979 * DENSITY * length));
    return mass > 0 && length > 0 ? fmin(fmax(r, 0.7 * expected), 1.4 * expected) : expected;
}

static void add_limb(MannequinBuild *b, Role role, Role to, const LimbProfile *profile)
{
    int joint = b->joint[role], bone = mannequin_role_bone(b, role);
    if (joint < 0)
        return;
    Vec3 along = bone_toward(b, joint, to);
    double length = vec3_norm(along), r = mean_radius(b, role, length, profile->mean);
    for (int i = 0; i < 3 && length > 0; i++) {
        double back = profile->cone[i].back * r;
        Vec3 from = mannequin_at(b, vec3_mad(b->position[joint], profile->cone[i].from, along), -back, 0, 0);
        Vec3 end = mannequin_at(b, vec3_mad(b->position[joint], profile->cone[i].to, along), -back, 0, 0);
        mannequin_cone(b, bone, from, profile->cone[i].start * r, end, profile->cone[i].end * r);
    }
}

Status human_body(MannequinBuild *b, Error *err)
{
    TrunkLine line = trunk_line(b);
    add_trunk_bones(b);
    add_limb_bones(b);
    implicit_clear(&b->shape);
    add_trunk(b, &line);
    add_neck(b, &line);
    for (size_t i = 0; i < sizeof limbs / sizeof *limbs; i++) {
        if (!limbs[i].continues)
            implicit_add_group(&b->shape, (BlobGroup){0, MUSCLE_BLEND * b->stature, LIMB_BLEND * b->stature});
        add_limb(b, limbs[i].role, limbs[i].to, limbs[i].profile);
    }
    return mannequin_finish_part(b, CELL * b->stature, err);
}
