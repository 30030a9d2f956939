/* Inverse dynamics: checks, conversion of the tree for the kernel, the call of the kernel for the widest instruction
 * set, and a torque as the sum of its causes. Cost: O(joints) per frame, one scratch allocation per call. */
#include "analysis/dynamics/inverse_dynamics.h"

#include <stdlib.h>

#include "analysis/base/standard_gravity.h"

InverseDynamicsDef inverse_dynamics_default_def(void)
{
    return (InverseDynamicsDef){.gravity = {0, -GRAVITY, 0}, .lanes = LANES_AUTO};
}

static Status check_sizes(const ClipView *clip, const Loads *loads, Error *err)
{
    const Skeleton *skeleton = clip->skeleton;
    const Body *body = clip->body;
    const Motion *motion = clip->motion;
    const Kinematics *kinematics = clip->kinematics;
    int joints = skeleton->joint_count, frames = motion->frame_count;
    if (body->joint_count != joints || motion->joint_count != joints || kinematics->joint_count != joints)
        return error_set(err, STATUS_USAGE, "skeleton has %d joints, body %d, motion %d, kinematics %d", joints,
                         body->joint_count, motion->joint_count, kinematics->joint_count);
    int loaded_frames = loads && loads->load_count > 0 ? loads->frame_count : frames;
    if (kinematics->frame_count != frames || loaded_frames != frames)
        return error_set(err, STATUS_USAGE, "motion has %d frames, kinematics %d, loads %d", frames,
                         kinematics->frame_count, loaded_frames);
    for (int j = 0; j < joints; j++)
        if (skeleton->parent[j] >= j || (j > 0 && skeleton->parent[j] < 0))
            return error_set(err, STATUS_USAGE, "joint %d has parent %d: the tree is not in order", j,
                             skeleton->parent[j]);
    for (int l = 0; loads && l < loads->load_count; l++)
        if (loads->joint[l] < 0 || loads->joint[l] >= joints)
            return error_set(err, STATUS_USAGE, "load %d acts on joint %d of %d", l, loads->joint[l], joints);
    return STATUS_OK;
}

static int has_inertia(double mass, Sym3 i)
{
    return mass != 0 || i.xx != 0 || i.yy != 0 || i.zz != 0 || i.xy != 0 || i.xz != 0 || i.yz != 0;
}

/* Children are linked in the order of their index. */
static void build_tree(const ClipView *clip, const Loads *loads, TreeJoint *tree)
{
    const Skeleton *skeleton = clip->skeleton;
    const Body *body = clip->body;
    for (int j = 0; j < skeleton->joint_count; j++)
        tree[j] = (TreeJoint){.parent = skeleton->parent[j], .first_child = -1, .next_sibling = -1, .load = -1,
                              .has_inertia = has_inertia(body->mass[j], body->inertia[j]), .mass = body->mass[j],
                              .offset = skeleton->offset[j], .com = body->com[j], .inertia = body->inertia[j]};
    for (int j = skeleton->joint_count - 1; j > 0; j--) {
        TreeJoint *parent = &tree[tree[j].parent];
        tree[j].next_sibling = parent->first_child;
        parent->first_child = j;
    }
    for (int l = 0; loads && l < loads->load_count; l++)
        tree[loads->joint[l]].load = l;
}

static Status size_output(const Motion *motion, Dynamics *out, Error *err)
{
    if (out->torque && out->frame_count == motion->frame_count && out->joint_count == motion->joint_count)
        return STATUS_OK;
    dynamics_free(out);
    return dynamics_space(out, motion->frame_count, motion->joint_count, err);
}

/* Allocates the kernel's scratch and the tree in one block. */
static double *scratch_new(size_t joints, LaneWidth width, TreeJoint **tree)
{
    size_t lanes = joints * INVERSE_DYNAMICS_SCRATCH * (size_t)width * sizeof(double);
    size_t bytes = lanes + joints * sizeof(TreeJoint);
    double *scratch = aligned_alloc(64, (bytes + 63) / 64 * 64);
    if (scratch)
        *tree = (TreeJoint *)((char *)scratch + lanes);
    return scratch;
}

/* Centre of mass of the body, m, world; the root joint if it has no mass. */
static Vec3 mass_centre(const ClipView *clip, size_t first)
{
    const Kinematics *k = clip->kinematics;
    Vec3 sum = {0, 0, 0};
    double mass = 0;
    for (int j = 0; j < k->joint_count; j++) {
        size_t at = first + (size_t)j;
        Vec3 own = vec3_add(k->position[at], quat_rotate(k->orientation[at], clip->body->com[j]));
        sum = vec3_mad(sum, clip->body->mass[j], own);
        mass += clip->body->mass[j];
    }
    return mass > 0 ? vec3_scale(sum, 1 / mass) : k->position[first];
}

static void fill_residual(const ClipView *clip, Dynamics *out)
{
    const Kinematics *k = clip->kinematics;
    for (int f = 0; f < out->frame_count; f++) {
        size_t root = (size_t)f * (size_t)out->joint_count;
        Vec3 com = k->com ? k->com[f] : mass_centre(clip, root);
        out->residual_force[f] = out->force[root];
        out->residual_torque[f] = dynamics_residual_about(out, f, k->position[root], com);
    }
}

Status inverse_dynamics(const ClipView *clip, const Loads *loads, const InverseDynamicsDef *def, Dynamics *out,
                        Error *err)
{
    const Motion *motion = clip->motion;
    const Kinematics *kinematics = clip->kinematics;
    Status status = check_sizes(clip, loads, err);
    if (status || (status = size_output(motion, out, err)) || motion->frame_count == 0 || motion->joint_count == 0)
        return status;
    size_t joints = (size_t)motion->joint_count;
    LaneWidth width = lane_width_for_frames(def->lanes, motion->frame_count);
    TreeJoint *tree = NULL;
    double *scratch = scratch_new(joints, width, &tree);
    if (!scratch) {
        dynamics_free(out);
        return error_no_memory(err);
    }
    build_tree(clip, loads, tree);
    InverseDynamicsView view = {
        .frame_count = (size_t)motion->frame_count, .joint_count = joints,
        .load_count = loads ? (size_t)loads->load_count : 0, .joint = tree, .gravity = def->gravity,
        .rotation = motion->rotation, .translation = motion->translation, .root_position = motion->root_position,
        .angular_velocity = kinematics->angular_velocity, .angular_acceleration = kinematics->angular_acceleration,
        .velocity = kinematics->velocity, .acceleration = kinematics->acceleration,
        .load_force = loads ? loads->force : NULL, .load_moment = loads ? loads->moment : NULL,
        .torque = out->torque, .force = out->force, .power = out->power, .scratch = scratch};
    LANE_TWIN(inverse_dynamics_frames, width)(&view);
    fill_residual(clip, out);
    free(scratch);
    return STATUS_OK;
}
