#include "analysis/control/lumped_body.h"

#include <string.h>

#include "analysis/base/arena.h"
#include "analysis/body/roles.h"
#include "analysis/motion/forward_kinematics.h"

static const Role human_bodies[] = {
    ROLE_HIPS, ROLE_SPINE, ROLE_CHEST, ROLE_NECK, ROLE_HEAD, ROLE_LEFT_SHOULDER, ROLE_LEFT_ELBOW, ROLE_LEFT_WRIST,
    ROLE_LEFT_HIP, ROLE_LEFT_KNEE, ROLE_LEFT_ANKLE, ROLE_RIGHT_SHOULDER, ROLE_RIGHT_ELBOW, ROLE_RIGHT_WRIST,
    ROLE_RIGHT_HIP, ROLE_RIGHT_KNEE, ROLE_RIGHT_ANKLE,
};

/* World poses of all joints and the selection of bodies, while they are computed. */
typedef struct Lumping {
    const Skeleton *skeleton;
    const Body *body;
    int frame_count;
    Vec3 *position;    /* [frame][joint] */
    Quat *orientation; /* [frame][joint] */
    char *keep;        /* [joint] */
    int top;           /* joint of the first body */
} Lumping;

/* The hips of a human; otherwise the first joint from the root that has mass or branches. */
static int find_top(const Skeleton *s, const Body *b)
{
    int hips = skeleton_find_role(s, ROLE_HIPS), top = 0;
    if (hips >= 0 && roles_are_human(s))
        return hips;
    while (!(b->mass[top] > 0)) {
        int child = -1, children = 0;
        for (int j = top + 1; j < s->joint_count; j++)
            if (s->parent[j] == top) {
                child = child < 0 ? j : child;
                children++;
            }
        if (children != 1)
            break;
        top = child;
    }
    return top;
}

static void choose_joints(Lumping *l, LumpRule rule)
{
    const Skeleton *s = l->skeleton;
    l->top = find_top(s, l->body);
    if (rule == LUMP_BY_MASS || !roles_are_human(s)) {
        memset(l->keep, 1, (size_t)s->joint_count);
        return;
    }
    for (size_t i = 0; i < sizeof human_bodies / sizeof *human_bodies; i++) {
        int j = skeleton_find_role(s, human_bodies[i]);
        if (j >= 0)
            l->keep[j] = 1;
    }
}

/* Nearest selected ancestor of each joint (or itself). Joints that do not descend from the top body move with it. */
static void find_carriers(const Lumping *l, int *carrier)
{
    const int *parent = l->skeleton->parent;
    for (int j = 0; j < l->skeleton->joint_count; j++) {
        int above = j;
        while (above >= 0 && above != l->top)
            above = parent[above];
        if (above < 0 || j == l->top)
            carrier[j] = l->top;
        else
            carrier[j] = l->keep[j] ? j : carrier[parent[j]];
    }
}

/* Mean pose of every joint in its carrier's axes. */
static void average_poses(const Lumping *l, LumpedBody *lumped)
{
    int joints = l->skeleton->joint_count;
    for (int j = 0; j < joints; j++) {
        Vec3 position = {0, 0, 0};
        Quat sum = {0, 0, 0, 0}, first = QUAT_IDENTITY;
        for (int f = 0; f < l->frame_count; f++) {
            size_t row = (size_t)f * (size_t)joints, c = row + (size_t)lumped->carrier[j], at = row + (size_t)j;
            Quat q = quat_mul(quat_conjugate(l->orientation[c]), l->orientation[at]);
            Vec3 arm = vec3_sub(l->position[at], l->position[c]);
            first = f == 0 ? q : first;
            q = quat_nearest(q, first);
            sum = (Quat){sum.w + q.w, sum.x + q.x, sum.y + q.y, sum.z + q.z};
            position = vec3_add(position, quat_rotate_inverse(l->orientation[c], arm));
        }
        lumped->position[j] = vec3_scale(position, 1.0 / l->frame_count);
        lumped->rotation[j] = j == lumped->carrier[j] ? QUAT_IDENTITY : quat_normalize(sum);
    }
}

/* Mass, COM and inertia of the body of `joint`, with all its segments in their mean pose. */
static void gather(const Lumping *l, const LumpedBody *lumped, int joint, double *mass, Vec3 *com, Sym3 *inertia)
{
    const Body *b = l->body;
    *mass = 0;
    *com = vec3(0, 0, 0);
    *inertia = (Sym3){0};
    for (int j = 0; j < b->joint_count; j++)
        if (lumped->carrier[j] == joint) {
            Vec3 centre = vec3_add(lumped->position[j], quat_rotate(lumped->rotation[j], b->com[j]));
            *mass += b->mass[j];
            *com = vec3_mad(*com, b->mass[j], centre);
        }
    if (!(*mass > 0))
        return;
    *com = vec3_scale(*com, 1 / *mass);
    for (int j = 0; j < b->joint_count; j++)
        if (lumped->carrier[j] == joint) {
            Vec3 centre = vec3_add(lumped->position[j], quat_rotate(lumped->rotation[j], b->com[j]));
            Sym3 own = sym3_rotate(quat_to_mat3(lumped->rotation[j]), b->inertia[j]);
            Sym3 moved = sym3_point_inertia(b->mass[j], vec3_sub(centre, *com));
            *inertia = sym3_add(*inertia, sym3_add(own, moved));
        }
}

/* Positive definite: its leading minors, relative to the trace. */
static int resists_turning(Sym3 i)
{
    double trace = i.xx + i.yy + i.zz, min = 1e-6 * trace;
    double two = i.xx * i.yy - i.xy * i.xy;
    double three = i.xx * (i.yy * i.zz - i.yz * i.yz) - i.xy * (i.xy * i.zz - i.yz * i.xz) +
                   i.xz * (i.xy * i.yz - i.yy * i.xz);
    return i.xx > min && two > min * min && three > min * min * min;
}

/* From the tips inwards: a body that is too light is merged into its ancestor, which may become heavy enough by
 * that. */
static void drop_light_bodies(Lumping *l, int *carrier)
{
    int joints = l->skeleton->joint_count;
    find_carriers(l, carrier);
    for (int j = joints - 1; j >= 0; j--) {
        double mass = 0;
        if (carrier[j] != j || j == l->top)
            continue;
        for (int piece = 0; piece < joints; piece++)
            mass += carrier[piece] == j ? l->body->mass[piece] : 0;
        if (mass >= LUMPED_MIN_PART * l->body->total_mass)
            continue;
        l->keep[j] = 0;
        find_carriers(l, carrier);
    }
}

/* Removes the last body without a regular inertia, such as a point mass; returns 0 if there is none. */
static int drop_free_body(Lumping *l, const LumpedBody *lumped)
{
    for (int j = l->skeleton->joint_count - 1; j >= 0; j--) {
        double mass;
        Vec3 com;
        Sym3 inertia;
        if (lumped->carrier[j] != j || j == l->top)
            continue;
        gather(l, lumped, j, &mass, &com, &inertia);
        if (!resists_turning(inertia)) {
            l->keep[j] = 0;
            return 1;
        }
    }
    return 0;
}

static Status fill_joint(const Lumping *l, LumpedBody *lumped, int index, int joint, Error *err)
{
    Skeleton *s = &lumped->skeleton;
    Body *b = &lumped->body;
    int up = joint == l->top ? -1 : lumped->carrier[l->skeleton->parent[joint]];
    lumped->source[index] = joint;
    s->parent[index] = up < 0 ? -1 : lumped->body_of[up];
    s->role[index] = l->skeleton->role[joint];
    s->segment[index] = l->skeleton->segment[joint];
    gather(l, lumped, joint, &b->mass[index], &b->com[index], &b->inertia[index]);
    b->total_mass += b->mass[index];
    if (!resists_turning(b->inertia[index]))
        return error_set(err, STATUS_BAD_INPUT, "joint %s moves no mass",
                         l->skeleton->name[joint] ? l->skeleton->name[joint] : "");
    return skeleton_set_name(s, index, l->skeleton->name[joint] ? l->skeleton->name[joint] : "", err);
}

/* Offsets are mean positions in axes of the parent body. */
static void fill_offsets(const Lumping *l, LumpedBody *lumped)
{
    Skeleton *s = &lumped->skeleton;
    int joints = l->skeleton->joint_count;
    for (int i = 1; i < s->joint_count; i++) {
        int j = lumped->source[i], up = lumped->source[s->parent[i]];
        Vec3 sum = {0, 0, 0};
        for (int f = 0; f < l->frame_count; f++) {
            size_t row = (size_t)f * (size_t)joints;
            Vec3 arm = vec3_sub(l->position[row + (size_t)j], l->position[row + (size_t)up]);
            sum = vec3_add(sum, quat_rotate_inverse(l->orientation[row + (size_t)up], arm));
        }
        s->offset[i] = vec3_scale(sum, 1.0 / l->frame_count);
    }
    s->offset[0] = l->position[l->top];
}

static Status make_bodies(Lumping *l, LumpedBody *lumped, Error *err)
{
    int joints = l->skeleton->joint_count, count = 0;
    drop_light_bodies(l, lumped->carrier);
    do {
        find_carriers(l, lumped->carrier);
        average_poses(l, lumped);
    } while (drop_free_body(l, lumped));
    for (int j = 0; j < joints; j++)
        if (lumped->carrier[j] == j)
            lumped->body_of[j] = count++;
    for (int j = 0; j < joints; j++)
        lumped->body_of[j] = lumped->body_of[lumped->carrier[j]];
    Status status = skeleton_init(&lumped->skeleton, count, 0, err);
    if (!status)
        status = body_init(&lumped->body, count, err);
    for (int j = 0, i = 0; !status && j < joints; j++)
        if (lumped->carrier[j] == j)
            status = fill_joint(l, lumped, i++, j, err);
    if (!status)
        fill_offsets(l, lumped);
    return status;
}

/* World poses of all joints in every frame. */
static Status pose_joints(const ClipView *clip, Arena *arena, WorldPoses *out, Error *err)
{
    size_t joints = (size_t)clip->skeleton->joint_count, frames = (size_t)clip->motion->frame_count;
    out->position = arena_array(arena, frames, joints, sizeof *out->position);
    out->orientation = arena_array(arena, frames, joints, sizeof *out->orientation);
    out->com = NULL;
    return arena->failed ? error_no_memory(err) : forward_kinematics(clip, LANES_AUTO, out, err);
}

static Status make_lumping(Lumping *l, const ClipView *clip, Arena *arena, Error *err)
{
    WorldPoses poses;
    int frames = clip->motion->frame_count;
    if (frames < 1 || !(clip->body->total_mass > 0)) {
        error_set(err, STATUS_BAD_INPUT, "nothing to simulate: no %s", frames < 1 ? "frames" : "mass");
        return STATUS_BAD_INPUT;
    }
    Status status = pose_joints(clip, arena, &poses, err);
    char *keep = arena_array(arena, (size_t)clip->skeleton->joint_count, 1, 1);
    if (!status && arena->failed)
        status = error_no_memory(err);
    *l = (Lumping){.skeleton = clip->skeleton, .body = clip->body, .frame_count = frames, .position = poses.position,
                   .orientation = poses.orientation, .keep = keep};
    return status;
}

Status lumped_body_init(LumpedBody *lumped, const ClipView *clip, LumpRule rule, Error *err)
{
    size_t joints = (size_t)clip->skeleton->joint_count;
    Arena arena = {0};
    Lumping l;
    *lumped = (LumpedBody){.source_count = clip->skeleton->joint_count};
    lumped->carrier = arena_array(&lumped->memory, joints, 1, sizeof *lumped->carrier);
    lumped->body_of = arena_array(&lumped->memory, joints, 1, sizeof *lumped->body_of);
    lumped->rotation = arena_array(&lumped->memory, joints, 1, sizeof *lumped->rotation);
    lumped->position = arena_array(&lumped->memory, joints, 1, sizeof *lumped->position);
    lumped->source = arena_array(&lumped->memory, joints, 1, sizeof *lumped->source);
    Status status = lumped->memory.failed ? error_no_memory(err) : make_lumping(&l, clip, &arena, err);
    if (!status) {
        choose_joints(&l, rule);
        status = make_bodies(&l, lumped, err);
    }
    arena_free(&arena);
    if (status)
        lumped_body_free(lumped);
    return status;
}

void lumped_body_free(LumpedBody *lumped)
{
    if (!lumped)
        return;
    arena_free(&lumped->memory);
    skeleton_free(&lumped->skeleton);
    body_free(&lumped->body);
    *lumped = (LumpedBody){0};
}

static void copy_frame(const LumpedBody *lumped, int frame, const Vec3 *position, const Quat *orientation, Motion *out)
{
    for (int i = 0; i < out->joint_count; i++) {
        int up = lumped->skeleton.parent[i];
        const Quat *own = &orientation[lumped->source[i]];
        out->rotation[motion_index(out, frame, i)] =
            up < 0 ? *own : quat_mul(quat_conjugate(orientation[lumped->source[up]]), *own);
    }
    out->root_position[frame] = position[lumped->source[0]];
}

Status lumped_body_motion(const LumpedBody *lumped, const ClipView *clip, Motion *out, Error *err)
{
    const Motion *motion = clip->motion;
    size_t joints = (size_t)clip->skeleton->joint_count;
    Arena arena = {0};
    WorldPoses poses;
    Status status = pose_joints(clip, &arena, &poses, err);
    if (!status)
        status = motion_init(out, motion->frame_count, lumped->skeleton.joint_count, motion->frame_time, 0, err);
    for (int f = 0; !status && f < motion->frame_count; f++) {
        out->time[f] = motion->time[f];
        copy_frame(lumped, f, poses.position + (size_t)f * joints, poses.orientation + (size_t)f * joints, out);
    }
    if (!status)
        motion_make_continuous(out);
    arena_free(&arena);
    return status;
}

void lumped_body_expand(const LumpedBody *lumped, const Skeleton *skeleton, const LumpedPose *pose, Quat *rotation,
                        Vec3 *root_position)
{
    int top = lumped->source[0];
    for (int j = lumped->source_count - 1; j >= 0; j--) {
        int up = skeleton->parent[j];
        Quat own = quat_mul(pose->orientation[lumped->body_of[j]], lumped->rotation[j]);
        Quat above = up < 0 ? QUAT_IDENTITY
                            : quat_mul(pose->orientation[lumped->body_of[up]], lumped->rotation[up]);
        rotation[j] = quat_mul(quat_conjugate(above), own);
    }
    *root_position = pose->position; /* minus the offset from the root to the first body */
    for (int j = top; j > 0; j = skeleton->parent[j]) {
        int up = skeleton->parent[j];
        Quat above = quat_mul(pose->orientation[lumped->body_of[up]], lumped->rotation[up]);
        *root_position = vec3_sub(*root_position, quat_rotate(above, skeleton->offset[j]));
    }
}
