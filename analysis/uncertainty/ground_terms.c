/* Linear effects of ground-force errors on torques (ground_terms.h). */
#include "analysis/clip/dynamics.h"
#include "analysis/uncertainty/ground_terms.h"

#include <math.h>

#include "analysis/base/standard_gravity.h"
#include "analysis/clip/skeleton.h"
#include "analysis/uncertainty/spread_terms.h"

#define MIN_LOAD 1.0 /* N: a smaller force has no meaningful centre of pressure */

#define SHORT_TIME 0.01 /* s */
#define LONG_TIME 0.03

/* Uppermost joint of a limb: the segments of a role form one limb, and toes belong to their foot; otherwise the joint
 * alone. */
static int find_limb(const Skeleton *skeleton, int joint)
{
    Role segment = skeleton->segment[joint];
    if (segment == ROLE_LEFT_TOE)
        return ROLE_LEFT_ANKLE;
    if (segment == ROLE_RIGHT_TOE)
        return ROLE_RIGHT_ANKLE;
    return segment != ROLE_NONE ? (int)segment : ROLE_COUNT + joint;
}

/* LoadedLimb of each load. Parents precede their children; loads are in the order of their joints. */
static int group_loads(const Skeleton *skeleton, const Loads *loads, int *of, int *joint)
{
    int count = 0;
    for (int l = 0; l < loads->load_count; l++) {
        for (of[l] = 0; of[l] < count; of[l]++)
            if (find_limb(skeleton, joint[of[l]]) == find_limb(skeleton, loads->joint[l]))
                break;
        if (of[l] == count)
            joint[count++] = loads->joint[l];
    }
    return count;
}

/* Point where the line of a force F with moment M about the world's origin crosses a level; below the joint without
 * load. */
static Vec3 centre_of_pressure(Vec3 force, Vec3 moment, double level, Vec3 joint)
{
    if (!(force.y > MIN_LOAD))
        return (Vec3){joint.x, level, joint.z};
    return (Vec3){(moment.z + level * force.x) / force.y, level, (level * force.z - moment.x) / force.y};
}

/* Height of the lowest joint of a limb. */
static double limb_level(const Skeleton *skeleton, const Vec3 *position, int limb)
{
    double level = position[limb].y;
    for (int j = limb + 1; j < skeleton->joint_count && skeleton->parent[j] >= limb; j++)
        level = fmin(level, position[j].y);
    return level;
}

static void find_places(const ClipView *clip, int frame, const Vec3 *moment, LoadedLimbs *out)
{
    const Kinematics *k = clip->kinematics;
    const Vec3 *position = k->position + (size_t)frame * (size_t)k->joint_count;
    for (int b = 0; b < out->count; b++) {
        LoadedLimb *limb = &out->limb[b];
        double level = limb_level(clip->skeleton, position, limb->joint);
        limb->place[frame] = centre_of_pressure(limb->force[frame], moment[b], level, position[limb->joint]);
        out->load[frame] += fmax(0, limb->force[frame].y);
    }
}

static void fill_frame(const Loads *loads, const int *of, int frame, Vec3 *moment, LoadedLimbs *out)
{
    for (int b = 0; b < out->count; b++)
        moment[b] = vec3(0, 0, 0);
    for (int l = 0; l < loads->load_count; l++) {
        size_t at = (size_t)frame * (size_t)loads->load_count + (size_t)l;
        Vec3 *force = &out->limb[of[l]].force[frame];
        *force = vec3_add(*force, loads->force[at]);
        moment[of[l]] = vec3_add(moment[of[l]], loads->moment[at]);
    }
}

/* Horizontal forward direction, perpendicular to the line from the left to the right hip. */
static Vec3 heading(const Kinematics *k, int frame, int left, int right)
{
    const Vec3 *row = k->position + (size_t)frame * (size_t)k->joint_count;
    Vec3 across = left < 0 || right < 0 ? vec3(0, 0, 1) : vec3_sub(row[right], row[left]);
    Vec3 forward = vec3_normalize((Vec3){across.z, 0, -across.x});
    return vec3_dot(forward, forward) > 0 ? forward : vec3(1, 0, 0);
}

Status loaded_limbs_find(const ClipView *clip, const Loads *loads, LoadedLimbs *out, Arena *arena, Error *err)
{
    const Kinematics *k = clip->kinematics;
    size_t frames = (size_t)k->frame_count, max = (size_t)loads->load_count;
    int left = skeleton_find_role(clip->skeleton, ROLE_LEFT_HIP);
    int right = skeleton_find_role(clip->skeleton, ROLE_RIGHT_HIP);
    int *of = arena_array(arena, max, 1, sizeof *of), *joint = arena_array(arena, max, 1, sizeof *joint);
    Vec3 *moment = arena_array(arena, max, 1, sizeof *moment);
    *out = (LoadedLimbs){.frame_count = k->frame_count};
    out->limb = arena_array(arena, max, 1, sizeof *out->limb);
    out->load = arena_array(arena, frames, 1, sizeof *out->load);
    out->forward = arena_array(arena, frames, 1, sizeof *out->forward);
    if (arena->failed)
        return error_no_memory(err);
    out->count = group_loads(clip->skeleton, loads, of, joint);
    for (int b = 0; b < out->count; b++)
        out->limb[b] = (LoadedLimb){joint[b], arena_array(arena, frames, 1, sizeof(Vec3)),
                                    arena_array(arena, frames, 1, sizeof(Vec3))};
    if (arena->failed)
        return error_no_memory(err);
    for (int f = 0; f < k->frame_count; f++) {
        fill_frame(loads, of, f, moment, out);
        out->forward[f] = heading(k, f, left, right);
        find_places(clip, f, moment, out);
    }
    return STATUS_OK;
}

double loaded_limb_share(const LoadedLimbs *b, int limb, int frame)
{
    return b->load[frame] > MIN_LOAD ? fmax(0, b->limb[limb].force[frame].y) / b->load[frame] : 0;
}

/* Covariance of the errors of one limb's force in one frame. */
typedef struct LoadedLimbErrors {
    Sym3 force;  /* N2, of the force, at its point of application */
    Sym3 couple; /* N2 m2 */
} LoadedLimbErrors;

/* v v' times the squared size. */
static Sym3 scaled_outer_product(double size, Vec3 v)
{
    double by = size * size;
    return (Sym3){by * v.x * v.x, by * v.y * v.y, by * v.z * v.z, by * v.x * v.y, by * v.x * v.z, by * v.y * v.z};
}

static void add_force(LoadedLimbErrors *e, double size, Vec3 direction)
{
    e->force = sym3_add(e->force, scaled_outer_product(size, direction));
}

static void add_couple(LoadedLimbErrors *e, double size, Vec3 direction)
{
    e->couple = sym3_add(e->couple, scaled_outer_product(size, direction));
}

/* Covariance of the moments arm x f of forces f of covariance c: A c A' with A f = arm x f. */
static Sym3 moment_covariance(Vec3 arm, const Sym3 *c)
{
    Vec3 x = vec3_cross(arm, (Vec3){c->xx, c->xy, c->xz}), y = vec3_cross(arm, (Vec3){c->xy, c->yy, c->yz});
    Vec3 z = vec3_cross(arm, (Vec3){c->xz, c->yz, c->zz});
    Vec3 first = vec3_cross(arm, (Vec3){x.x, y.x, z.x}); /* columns of A (A c)' */
    Vec3 second = vec3_cross(arm, (Vec3){x.y, y.y, z.y});
    Vec3 third = vec3_cross(arm, (Vec3){x.z, y.z, z.z});
    return (Sym3){first.x, second.y, third.z, second.x, third.x, third.y};
}

static int time_to_frames(const Motion *motion, double time)
{
    int frames = (int)(time / motion->frame_time + 0.5);
    return frames > 1 ? frames : 1;
}

/* Timing error of the force. */
static void add_time(LoadedLimbErrors *e, const Motion *motion, const LoadedLimb *limb, int frame, const double size[2])
{
    const double time[2] = {SHORT_TIME, LONG_TIME};
    for (int i = 0; i < 2; i++) {
        int step = time_to_frames(motion, time[i]), last = motion->frame_count - 1;
        double part = size[i] * time[i] / (step * motion->frame_time) * sqrt(0.5);
        int before = frame > step ? frame - step : 0, after = frame < last - step ? frame + step : last;
        add_force(e, part, vec3_sub(limb->force[before], limb->force[frame]));
        add_force(e, part, vec3_sub(limb->force[after], limb->force[frame]));
    }
}

/* Whether the limb is unloaded, also within the timing error. */
static int is_idle(const LoadedLimb *limb, const Motion *motion, int frame)
{
    int reach = time_to_frames(motion, LONG_TIME), last = motion->frame_count - 1;
    int from = frame > reach ? frame - reach : 0, to = frame < last - reach ? frame + reach : last;
    for (int f = from; f <= to; f++)
        if (vec3_dot(limb->force[f], limb->force[f]) > 0)
            return 0;
    return 1;
}

static void estimated_errors(const SpreadCase *c, const LoadedLimbs *b, int limb, int frame, LoadedLimbErrors *e)
{
    const double *size = c->size;
    const LoadedLimb *of = &b->limb[limb];
    Vec3 force = of->force[frame], up = vec3(0, 1, 0), along = b->forward[frame], side = vec3_cross(along, up);
    double vertical = fmax(0, force.y), share = loaded_limb_share(b, limb, frame);
    double alike = 4 * share * (1 - share), shared = alike * b->load[frame];
    Vec3 pressed = vec3_scale(force, fmin(1, c->clip->body->total_mass * GRAVITY / fmax(vertical, 1)));
    const double time[2] = {size[SPREAD_TIME_SHORT], size[SPREAD_TIME_LONG]};
    add_force(e, size[SPREAD_LEAN_ALONG] * vertical, along);
    add_force(e, size[SPREAD_SHARE] * shared, up);
    add_force(e, size[SPREAD_SHARE_ALONG] * shared, along);
    add_force(e, size[SPREAD_SHARE_SIDE] * shared, side);
    add_time(e, c->clip->motion, of, frame, time);
    add_couple(e, size[SPREAD_PRESSURE_ALONG], vec3_cross(along, pressed));
    add_couple(e, size[SPREAD_PRESSURE_SIDE], vec3_cross(side, pressed));
    add_couple(e, size[SPREAD_FREE_MOMENT] * vertical, up);
    add_couple(e, size[SPREAD_STANCE_ALONG] * alike, vec3_cross(along, pressed));
    add_couple(e, size[SPREAD_STANCE_SIDE] * alike, vec3_cross(side, pressed));
    add_couple(e, size[SPREAD_STANCE_TWIST] * alike * vertical, up);
}

/* The unexplained force may act on the loaded limbs. */
static void residual_errors(const SpreadCase *c, const LoadedLimbs *b, int limb, int frame, LoadedLimbErrors *e)
{
    const Dynamics *d = c->dynamics;
    double share = loaded_limb_share(b, limb, frame);
    add_force(e, c->size[SPREAD_RESIDUAL_FORCE] * share, d->residual_force[frame]);
    add_couple(e, c->size[SPREAD_RESIDUAL_MOMENT] * share, d->residual_torque[frame]);
}

static void measured_errors(const LoadedLimbs *b, int limb, int frame, const double *size, LoadedLimbErrors *e)
{
    Vec3 along = b->forward[frame], force = b->limb[limb].force[frame];
    add_couple(e, size[SPREAD_PLATE_PRESSURE], vec3_cross(along, force));
    add_couple(e, size[SPREAD_PLATE_PRESSURE], vec3_cross(vec3_cross(along, vec3(0, 1, 0)), force));
}

/* Along the joints from the loaded limb up to, but without, the root. */
static void add_errors(const ClipView *clip, const LoadedLimb *limb, int frame, const LoadedLimbErrors *e,
                       TorqueCovariance *out)
{
    for (int j = limb->joint; j > 0; j = clip->skeleton->parent[j]) {
        size_t at = torque_covariance_index(out, frame, j);
        Vec3 arm = vec3_sub(clip->kinematics->position[at], limb->place[frame]);
        Sym3 moments = moment_covariance(arm, &e->force);
        out->covariance[at] = sym3_add(out->covariance[at], sym3_add(moments, e->couple));
    }
}

void ground_terms_add(const SpreadCase *c, const LoadedLimbs *limbs, GroundSource source, TorqueCovariance *out)
{
    for (int f = 0; f < limbs->frame_count && source != GROUND_NONE; f++)
        for (int b = 0; b < limbs->count; b++) {
            LoadedLimbErrors errors = {0};
            if (is_idle(&limbs->limb[b], c->clip->motion, f))
                continue;
            if (source == GROUND_MEASURED) {
                measured_errors(limbs, b, f, c->size, &errors);
            } else {
                estimated_errors(c, limbs, b, f, &errors);
                residual_errors(c, limbs, b, f, &errors);
            }
            add_errors(c->clip, &limbs->limb[b], f, &errors, out);
        }
}

Vec3 loaded_limb_takes(const LoadedLimbs *b, int limb, int frame, Vec3 force, Vec3 joint)
{
    Vec3 arm = vec3_sub(joint, b->limb[limb].place[frame]);
    return vec3_cross(arm, vec3_scale(force, loaded_limb_share(b, limb, frame)));
}
