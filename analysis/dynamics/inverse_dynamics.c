/* Inverse dynamics: checks, conversion of the tree for the kernel, the call of the kernel for the widest instruction
 * set, and a torque as the sum of its causes. Cost: O(joints) per frame, one scratch allocation per call. */
#include "analysis/dynamics/inverse_dynamics.h"

#include <string.h>

#include "analysis/base/arena.h"

/* Loads from measured tables and from contact points. Cost: O(rows + frames * loads). */

Status external_rows_init(ExternalRows *rows, int row_count, Error *err)
{
    size_t count = (size_t)row_count;
    *rows = (ExternalRows){.row_count = row_count};
    int failed = 0;
    rows->time = array_try(&failed, count, 1, sizeof *rows->time);
    rows->joint = array_try(&failed, count, 1, sizeof *rows->joint);
    rows->force = array_try(&failed, count, 1, sizeof *rows->force);
    rows->point = array_try(&failed, count, 1, sizeof *rows->point);
    rows->couple = array_try(&failed, count, 1, sizeof *rows->couple);
    if (failed) {
        external_rows_free(rows);
        return error_no_memory(err);
    }
    return STATUS_OK;
}

void external_rows_free(ExternalRows *rows)
{
    if (!rows)
        return;
    free(rows->time);
    free(rows->joint);
    free(rows->force);
    free(rows->point);
    free(rows->couple);
    *rows = (ExternalRows){0};
}

void loads_free(Loads *l)
{
    if (!l)
        return;
    free(l->joint);
    free(l->force);
    free(l->moment);
    *l = (Loads){0};
}

Status loads_init(Loads *l, int frame_count, const char *loaded, int joint_count, Error *err)
{
    *l = (Loads){.frame_count = frame_count};
    for (int j = 0; j < joint_count; j++)
        l->load_count += loaded[j] != 0;
    size_t frames = (size_t)frame_count, loads = (size_t)l->load_count;
    int failed = 0;
    l->joint = array_try(&failed, loads, 1, sizeof *l->joint);
    l->force = array_try(&failed, frames, loads, sizeof *l->force);
    l->moment = array_try(&failed, frames, loads, sizeof *l->moment);
    if (failed) {
        loads_free(l);
        return error_no_memory(err);
    }
    for (int j = 0, next = 0; j < joint_count; j++)
        if (loaded[j])
            l->joint[next++] = j;
    return STATUS_OK;
}

/* Allocates loads for the joints that occur in `joint`. */
static Status make_loads(Loads *l, int frame_count, int joint_count, const int *joint, int count, Error *err)
{
    char *loaded = array_new((size_t)joint_count, 1, 1);
    if (!loaded)
        return error_no_memory(err);
    for (int i = 0; i < count; i++)
        loaded[joint[i]] = 1;
    Status status = loads_init(l, frame_count, loaded, joint_count, err);
    free(loaded);
    return status;
}

/* A measured sample of one joint: the sum of its rows at that time, moment about the world origin. */
typedef struct ExternalWrench {
    double time;
    Vec3 force, moment;
} ExternalWrench;

/* Collects the rows of a joint into samples of increasing time. Returns their number, or -1 if the times decrease. */
static int collect_samples(const ExternalRows *rows, int joint, ExternalWrench *sample)
{
    int count = 0;
    for (int i = 0; i < rows->row_count; i++) {
        if (rows->joint[i] != joint)
            continue;
        if (count && rows->time[i] < sample[count - 1].time)
            return -1;
        if (!count || rows->time[i] > sample[count - 1].time)
            sample[count++] = (ExternalWrench){.time = rows->time[i]};
        ExternalWrench *s = &sample[count - 1];
        s->force = vec3_add(s->force, rows->force[i]);
        s->moment = vec3_add(s->moment, vec3_add(rows->couple[i], vec3_cross(rows->point[i], rows->force[i])));
    }
    return count;
}

/* The load at time t. *next: the first sample after t; times must increase from call to call. */
static ExternalWrench sample_at(const ExternalWrench *sample, int count, double t, double hold, int *next)
{
    while (*next < count && sample[*next].time <= t)
        ++*next;
    if (*next == 0)
        return sample[0].time - t <= hold ? sample[0] : (ExternalWrench){0};
    const ExternalWrench *a = &sample[*next - 1];
    if (*next == count)
        return t - a->time <= hold ? *a : (ExternalWrench){0};
    const ExternalWrench *b = a + 1;
    double u = (t - a->time) / (b->time - a->time);
    return (ExternalWrench){t, vec3_lerp(a->force, b->force, u), vec3_lerp(a->moment, b->moment, u)};
}

static Status check_rows(const ExternalRows *rows, const Motion *motion, Error *err)
{
    for (int i = 0; i < rows->row_count; i++) {
        if (rows->joint[i] < 0 || rows->joint[i] >= motion->joint_count)
            return error_set(err, STATUS_USAGE, "external force %d acts on joint %d of %d", i, rows->joint[i],
                             motion->joint_count);
        if (!isfinite(rows->time[i]))
            return error_set(err, STATUS_BAD_INPUT, "external force %d: time not finite", i);
    }
    return STATUS_OK;
}

Status loads_from_external(const ExternalRows *rows, const Motion *motion, Loads *out, Error *err)
{
    *out = (Loads){0};
    Status status = check_rows(rows, motion, err);
    ExternalWrench *sample = NULL;
    if (!status)
        status = make_loads(out, motion->frame_count, motion->joint_count, rows->joint, rows->row_count, err);
    if (status)
        return status;
    if (!(sample = array_new((size_t)rows->row_count, 1, sizeof *sample))) {
        status = error_no_memory(err);
        goto done;
    }
    for (int l = 0; l < out->load_count; l++) {
        int count = collect_samples(rows, out->joint[l], sample), next = 0;
        if (count < 0) {
            status = error_set(err, STATUS_BAD_INPUT, "times of the external forces on joint %d decrease",
                               out->joint[l]);
            goto done;
        }
        /* Half a frame, plus a margin for rounding of the time axis at the last frame. */
        double hold = 0.5000001 * motion->frame_time;
        for (int f = 0; f < motion->frame_count; f++) {
            ExternalWrench w = sample_at(sample, count, motion->time[f], hold, &next);
            size_t at = (size_t)f * (size_t)out->load_count + (size_t)l;
            out->force[at] = w.force;
            out->moment[at] = w.moment;
        }
    }
done:
    free(sample);
    if (status)
        loads_free(out);
    return status;
}

static int find_load(const Loads *l, int joint)
{
    int load = 0;
    while (l->joint[load] != joint)
        load++;
    return load;
}

/* Adds the contact points of one frame: the force at the world position of the point, and the moment about the
 * point. */
static void add_points(const Contact *contact, const Kinematics *kinematics, int frame, const int *load_of, Loads *out)
{
    for (int p = 0; p < contact->point_count; p++) {
        size_t at = (size_t)frame * (size_t)contact->point_count + (size_t)p;
        size_t body = (size_t)frame * (size_t)kinematics->joint_count + (size_t)contact->point_joint[p];
        size_t load = (size_t)frame * (size_t)out->load_count + (size_t)load_of[p];
        Vec3 point = vec3_add(kinematics->position[body],
                              quat_rotate(kinematics->orientation[body], contact->point_position[p]));
        Vec3 moment = vec3_cross(point, contact->force[at]);
        if (contact->moment)
            moment = vec3_add(moment, contact->moment[at]);
        out->force[load] = vec3_add(out->force[load], contact->force[at]);
        out->moment[load] = vec3_add(out->moment[load], moment);
    }
}

Status loads_from_contact(const Contact *contact, const Kinematics *kinematics, Loads *out, Error *err)
{
    *out = (Loads){0};
    if (contact->frame_count != kinematics->frame_count)
        return error_set(err, STATUS_USAGE, "contact has %d frames, kinematics %d", contact->frame_count,
                         kinematics->frame_count);
    for (int p = 0; p < contact->point_count; p++)
        if (contact->point_joint[p] < 0 || contact->point_joint[p] >= kinematics->joint_count)
            return error_set(err, STATUS_BAD_INPUT, "contact point %d lies on joint %d of %d", p,
                             contact->point_joint[p], kinematics->joint_count);
    int *load_of = array_new((size_t)contact->point_count, 1, sizeof *load_of);
    if (!load_of)
        return error_no_memory(err);
    Status status = make_loads(out, contact->frame_count, kinematics->joint_count, contact->point_joint,
                               contact->point_count, err);
    for (int p = 0; !status && p < contact->point_count; p++)
        load_of[p] = find_load(out, contact->point_joint[p]);
    for (int f = 0; !status && f < contact->frame_count; f++)
        add_points(contact, kinematics, f, load_of, out);
    free(load_of);
    return status;
}

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

const char *const torque_term_names[TERM_COUNT] = {
    [TERM_GRAVITY] = "gravity", [TERM_LINEAR_INERTIA] = "linear_inertia", [TERM_ANGULAR_INERTIA] = "angular_inertia",
    [TERM_GYROSCOPIC] = "gyroscopic", [TERM_GROUND_LEFT] = "ground_left", [TERM_GROUND_RIGHT] = "ground_right",
    [TERM_CONTACT] = "contact", [TERM_EXTERNAL] = "external", [TERM_SPRINGS] = "springs",
};

Status torque_terms_init(TorqueTerms *t, const ClipView *clip, const TermSource *source, int source_count, Error *err)
{
    size_t joints = (size_t)clip->skeleton->joint_count;
    *t = (TorqueTerms){.clip = *clip};
    if (source_count > TERM_SOURCES)
        return error_set(err, STATUS_USAGE, "%d sources of loads, at most %d", source_count, TERM_SOURCES);
    for (int i = 0; i < source_count; i++) {
        if (source[i].loads->load_count > 0 && source[i].loads->frame_count != clip->kinematics->frame_count)
            return error_set(err, STATUS_USAGE, "loads have %d frames, kinematics %d", source[i].loads->frame_count,
                             clip->kinematics->frame_count);
        t->source[t->source_count++] = source[i];
    }
    t->load = arena_array(&t->memory, joints, TERM_COUNT, sizeof *t->load);
    t->acceleration = arena_array(&t->memory, joints, 1, sizeof *t->acceleration);
    if (!t->memory.failed)
        return STATUS_OK;
    torque_terms_free(t);
    return error_no_memory(err);
}

void torque_terms_free(TorqueTerms *t)
{
    arena_free(&t->memory);
    *t = (TorqueTerms){0};
}

/* alpha x arm + omega x (omega x arm): acceleration along a rigid segment (3.7). */
static Vec3 segment_acceleration(const Kinematics *k, size_t at, Vec3 arm)
{
    Vec3 omega = k->angular_velocity[at];
    return vec3_add(vec3_cross(k->angular_acceleration[at], arm), vec3_cross(omega, vec3_cross(omega, arm)));
}

/* Sets the acceleration of a joint centre; if joints translate it is that of the kinematics, as in inverse_dynamics. */
static void find_acceleration(TorqueTerms *t, size_t row, int joint)
{
    const Kinematics *k = t->clip.kinematics;
    int parent = t->clip.skeleton->parent[joint];
    size_t up = row + (size_t)parent;
    if (parent < 0 || t->clip.motion->translation) {
        t->acceleration[joint] = k->acceleration[row + (size_t)joint];
        return;
    }
    Vec3 arm = quat_rotate(k->orientation[up], t->clip.skeleton->offset[joint]);
    t->acceleration[joint] = vec3_add(t->acceleration[parent], segment_acceleration(k, up, arm));
}

/* Sets the terms of the joint's own segment about its joint centre. */
static void add_segment(const TorqueTerms *t, size_t row, int joint, TermLoad *term)
{
    const Kinematics *k = t->clip.kinematics;
    const Body *body = t->clip.body;
    size_t at = row + (size_t)joint;
    Quat axes = k->orientation[at];
    Vec3 com = quat_rotate(axes, body->com[joint]);
    Vec3 weight = vec3(0, -GRAVITY * body->mass[joint], 0);
    Vec3 acceleration = vec3_add(t->acceleration[joint], segment_acceleration(k, at, com));
    Vec3 inertial = vec3_scale(acceleration, -body->mass[joint]);
    Vec3 omega = quat_rotate_inverse(axes, k->angular_velocity[at]);
    Vec3 alpha = quat_rotate_inverse(axes, k->angular_acceleration[at]);
    Sym3 inertia = body->inertia[joint];
    term[TERM_GRAVITY] = (TermLoad){vec3_neg(vec3_cross(com, weight)), weight};
    term[TERM_LINEAR_INERTIA] = (TermLoad){vec3_neg(vec3_cross(com, inertial)), inertial};
    term[TERM_ANGULAR_INERTIA].moment = quat_rotate(axes, sym3_mul(inertia, alpha));
    term[TERM_GYROSCOPIC].moment = quat_rotate(axes, vec3_cross(omega, sym3_mul(inertia, omega)));
}

static void add_source(const TorqueTerms *t, const TermSource *source, int frame)
{
    const Loads *loads = source->loads;
    const Vec3 *centre = t->clip.kinematics->position + (size_t)frame * (size_t)t->clip.kinematics->joint_count;
    for (int l = 0; l < loads->load_count; l++) {
        size_t at = (size_t)frame * (size_t)loads->load_count + (size_t)l;
        TermLoad *term = &t->load[(size_t)loads->joint[l] * TERM_COUNT + source->term[l]];
        Vec3 about_centre = vec3_sub(loads->moment[at], vec3_cross(centre[loads->joint[l]], loads->force[at]));
        term->force = vec3_add(term->force, loads->force[at]);
        term->moment = vec3_sub(term->moment, about_centre);
    }
}

/* Adds a joint's terms to its parent, about the parent's centre. */
static void hand_inward(const TorqueTerms *t, size_t row, int joint)
{
    const Vec3 *centre = t->clip.kinematics->position + row;
    int parent = t->clip.skeleton->parent[joint];
    TermLoad *own = t->load + (size_t)joint * TERM_COUNT, *up = t->load + (size_t)parent * TERM_COUNT;
    Vec3 arm = vec3_sub(centre[joint], centre[parent]);
    for (int i = 0; i < TERM_COUNT; i++) {
        up[i].force = vec3_add(up[i].force, own[i].force);
        up[i].moment = vec3_add(up[i].moment, vec3_sub(own[i].moment, vec3_cross(arm, own[i].force)));
    }
}

void torque_terms_at(TorqueTerms *t, int frame)
{
    int joints = t->clip.skeleton->joint_count;
    size_t row = (size_t)frame * (size_t)joints;
    memset(t->load, 0, (size_t)joints * TERM_COUNT * sizeof *t->load);
    for (int j = 0; j < joints; j++) {
        find_acceleration(t, row, j);
        add_segment(t, row, j, t->load + (size_t)j * TERM_COUNT);
    }
    for (int i = 0; i < t->source_count; i++)
        add_source(t, &t->source[i], frame);
    for (int j = joints - 1; j > 0; j--)
        hand_inward(t, row, j);
}

Vec3 torque_terms_sum(const TermLoad *term)
{
    Vec3 sum = vec3(0, 0, 0);
    for (int i = 0; i < TERM_COUNT; i++)
        sum = vec3_add(sum, term[i].moment);
    return sum;
}

/* F x (r x F) = r |F|^2 for r perpendicular to F. The load's moment is the negative of the moment in the joint's
 * torque. */
Vec3 term_lever_arm(const TermLoad *term)
{
    double square = vec3_dot(term->force, term->force);
    return square > 0 ? vec3_scale(vec3_cross(term->moment, term->force), 1 / square) : vec3(0, 0, 0);
}
