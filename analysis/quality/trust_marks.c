/* See trust_marks.h. */
#include "analysis/quality/trust_marks.h"

#include <math.h>

#include "analysis/base/arena.h"
#include "analysis/contact/support.h"
#include "analysis/dynamics/inverse_dynamics.h"
#include "analysis/quality/artifact.h"

/* ---- Edges ---- */

/* Adds `bit` to the elements at[frame * stride] within so many seconds of those that hold one of the bits `of`. */
typedef struct MarkSpread {
    uint32_t of, bit;
    double seconds;
} MarkSpread;

static void spread(const Clip *clip, uint32_t *at, int stride, MarkSpread s)
{
    int frames = clip->trust.frame_count, reach = (int)floor(s.seconds / clip->motion.frame_time + 1e-6);
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0, since = reach + 1; i < frames; i++) {
            uint32_t *reason = at + (size_t)(pass ? frames - 1 - i : i) * (size_t)stride;
            since = *reason & s.of ? 0 : since + 1;
            *reason |= since <= reach ? s.bit : 0;
        }
}

/* Adds `bit` to runs shorter than so many seconds without it, between elements that have it. */
static void close_islands(const Clip *clip, uint32_t *reason, uint32_t bit, double seconds)
{
    int last = -1;
    for (int f = 0; f < clip->trust.frame_count; f++) {
        if (!(reason[f] & bit))
            continue;
        for (int k = last + 1; last >= 0 && k < f && (f - last - 1) * clip->motion.frame_time < seconds; k++)
            reason[k] |= bit;
        last = f;
    }
}

static void mark_edges(const Clip *clip, Trust *trust)
{
    MarkSpread faults = {(TRUST_SOURCE & ~TRUST_NO_ROOT_PATH) | TRUST_NEIGHBOUR, TRUST_EDGE, trust_limits.fault_reach};
    if (trust->joint_reason) {
        spread(clip, trust->reason, 1, faults);
        for (int j = 0; j < trust->joint_count; j++)
            spread(clip, trust->joint_reason + j, trust->joint_count, faults);
    }
    for (int f = 0; f < trust->frame_count; f++)
        trust->reason[f] |= clip->kinematics.valid[f] ? 0 : TRUST_EDGE;
}

/* ---- What bears the body ---- */

static Vec3 point_place(const Clip *clip, int frame, int point)
{
    const Kinematics *k = &clip->kinematics;
    size_t at = (size_t)frame * (size_t)k->joint_count + (size_t)clip->contact.point_joint[point];
    return vec3_add(k->position[at], quat_rotate(k->orientation[at], clip->contact.point_position[point]));
}

static double point_speed(const Clip *clip, int frame, int point)
{
    const Kinematics *k = &clip->kinematics;
    size_t at = (size_t)frame * (size_t)k->joint_count + (size_t)clip->contact.point_joint[point];
    Vec3 arm = quat_rotate(k->orientation[at], clip->contact.point_position[point]);
    return vec3_norm(vec3_add(k->velocity[at], vec3_cross(k->angular_velocity[at], arm)));
}

/* m along the ground's normal, of the lowest point of each frame. */
static void measure_lowest(const Clip *clip, double *low)
{
    for (int f = 0; f < clip->contact.frame_count; f++) {
        low[f] = INFINITY;
        for (int i = 0; i < clip->contact.point_count; i++)
            low[f] = fmin(low[f], vec3_dot(point_place(clip, f, i), clip->contact.ground_normal));
    }
}

/* The lowest height that the body comes down to around a frame. */
static double level_around(const double *low, int frames, int frame, int reach)
{
    double level = INFINITY;
    for (int f = frame > reach ? frame - reach : 0; f < frames && f <= frame + reach; f++)
        level = fmin(level, low[f]);
    return level;
}

static int is_airborne(const Clip *clip, int frame, const double *low, double size)
{
    const Contact *c = &clip->contact;
    double load = trust_limits.support_load * clip->body.total_mass * GRAVITY, level = NAN;
    for (int i = 0; i < c->point_count; i++) {
        if (vec3_norm(c->force[(size_t)frame * (size_t)c->point_count + (size_t)i]) <= load)
            continue;
        if (isnan(level))
            level = level_around(low, c->frame_count, frame, (int)(trust_limits.comes_down / clip->motion.frame_time));
        double height = vec3_dot(point_place(clip, frame, i), c->ground_normal) - level;
        if (height > trust_limits.clear * size && point_speed(clip, frame, i) > trust_limits.support_speed)
            return 1;
    }
    return 0;
}

/* Vertical force that the body needs, and that it has, body weights. */
static int is_dropped(const Clip *clip, int frame)
{
    const Contact *c = &clip->contact;
    const Vec3 *com = clip->kinematics.com + frame;
    double dt = clip->motion.frame_time, had = 0;
    if (frame < 1 || frame + 1 >= c->frame_count)
        return 0;
    double need = 1 + (com[1].y - 2 * com[0].y + com[-1].y) / (dt * dt) / GRAVITY;
    for (int i = 0; need > trust_limits.needs_support && i < c->point_count; i++)
        had += c->force[(size_t)frame * (size_t)c->point_count + (size_t)i].y;
    return need > trust_limits.needs_support && had < trust_limits.support_load * clip->body.total_mass * GRAVITY;
}

static Status mark_contact(const Clip *clip, Trust *trust, Error *err)
{
    Arena arena = {0};
    double *low = arena_array(&arena, (size_t)trust->frame_count, 1, sizeof *low), size;
    if (arena.failed)
        return error_no_memory(err);
    size = artifact_body_size(&clip->skeleton);
    measure_lowest(clip, low);
    ClipView view = clip_view(clip);
    for (int f = 0; f < trust->frame_count; f++) {
        trust->reason[f] |= is_dropped(clip, f) ? TRUST_LOST_CONTACT : 0;
        trust->reason[f] |= is_airborne(clip, f, low, size) ? TRUST_AIRBORNE_SUPPORT : 0;
        trust->reason[f] |= support_is_presumed(&view, &clip->contact, f) ? TRUST_PRESUMED_SUPPORT : 0;
    }
    arena_free(&arena);
    return STATUS_OK;
}

static void mark_unexplained(const Clip *clip, Trust *trust)
{
    const uint32_t too_much = UINT32_C(1) << 31; /* for the while: no reason */
    double weight = clip->body.total_mass * GRAVITY;
    double length = clip->body.stature > 0 ? 0.5 * clip->body.stature : 1; /* as contact/confidence */
    for (int f = 0; f < trust->frame_count; f++) {
        Vec3 force = clip->dynamics.residual_force[f];
        Vec3 root = clip->kinematics.position[(size_t)f * (size_t)clip->kinematics.joint_count];
        Vec3 moment = dynamics_residual_about(&clip->dynamics, f, root, clip->kinematics.com[f]);
        double left = sqrt(vec3_dot(force, force) + vec3_dot(moment, moment) / (length * length)) / weight;
        trust->reason[f] |= left <= trust_limits.unexplained ? 0 : too_much;
    }
    spread(clip, trust->reason, 1, (MarkSpread){too_much, TRUST_UNEXPLAINED, trust_limits.unexplained_reach});
    trust_clear(trust, too_much);
    close_islands(clip, trust->reason, TRUST_UNEXPLAINED, trust_limits.unexplained_island);
}

/* A row a group that something is said from. */
static const struct {
    ClipGroup group;
    uint32_t bits;
} said_from[] = {
    {CLIP_KINEMATICS, TRUST_EDGE},
    {CLIP_CONTACT, TRUST_LOST_CONTACT | TRUST_AIRBORNE_SUPPORT | TRUST_PRESUMED_SUPPORT},
    {CLIP_DYNAMICS, TRUST_UNEXPLAINED},
};

Status trust_judge(Clip *clip, unsigned changed, Error *err)
{
    Trust *trust = &clip->trust;
    Status status = STATUS_OK;
    uint32_t stale = 0;
    if (!clip->has_trust)
        return STATUS_OK;
    for (size_t i = 0; i < sizeof said_from / sizeof *said_from; i++)
        stale |= (changed | ~clip_groups(clip)) & said_from[i].group ? said_from[i].bits : 0;
    int forces = clip->has_contact && clip->contact.point_count > 0 && clip->has_body && clip->body.total_mass > 0 &&
                 clip->has_kinematics && clip->kinematics.com;
    if (!(clip_groups(clip) & (CLIP_CONTACT | CLIP_DYNAMICS)))
        stale |= TRUST_OFF_PLATES | TRUST_PLATES_DOUBTED;
    trust_clear(trust, stale);
    if (changed & CLIP_KINEMATICS && clip->has_kinematics)
        mark_edges(clip, trust);
    if (changed & CLIP_CONTACT && forces)
        status = mark_contact(clip, trust, err);
    if (!status && changed & CLIP_DYNAMICS && forces && clip->has_dynamics)
        mark_unexplained(clip, trust);
    trust_settle(trust);
    return status;
}

/* What import found goes with the frames where a stage takes others of them, or another skeleton. */

#define CARRIED (TRUST_SOURCE | TRUST_NEIGHBOUR)

static const double same = 1e-3; /* of a frame: times that coincide */

/* Frames first to last of the old motion bear on one of the new. */
typedef struct Span {
    int first, last;
} Span;

/* A frame between two old ones is a cubic through two on either side; and it stands for the time up to half way to its
 * neighbours. */
static Span covered(const Motion *old, double time, double new_frame_time)
{
    double dt = old->frame_time, at = (time - old->time[0]) / dt, reach = 0.5 * new_frame_time / dt - same;
    reach = new_frame_time > dt * (1 + same) ? reach : 0;
    if (fabs(at - rint(at)) > same)
        reach = fmax(reach, 2);
    int first = (int)ceil(at - reach - same), last = (int)floor(at + reach + same);
    return (Span){first < 0 ? 0 : first, last < old->frame_count ? last : old->frame_count - 1};
}

Status trust_carry_frames(const Trust *from, const Motion *old, const Motion *now, Trust *out, Error *err)
{
    size_t joints = (size_t)from->joint_count;
    Status status = trust_init(out, now->frame_count, from->joint_count, from->joint_reason != NULL, err);
    if (status)
        return status;
    for (int f = 0; f < now->frame_count; f++) {
        Span span = covered(old, now->time[f], now->frame_time);
        for (int k = span.first; k <= span.last; k++) {
            out->reason[f] |= from->reason[k] & CARRIED;
            for (size_t j = 0; from->joint_reason && j < joints; j++)
                out->joint_reason[(size_t)f * joints + j] |= from->joint_reason[(size_t)k * joints + j] & CARRIED;
        }
    }
    trust_settle(out);
    return STATUS_OK;
}

Status trust_follow(Clip *clip, const Motion *now, Error *err)
{
    Trust trust;
    Status status = clip->has_trust ? trust_carry_frames(&clip->trust, &clip->motion, now, &trust, err) : STATUS_OK;
    if (status || !clip->has_trust)
        return status;
    trust_free(&clip->trust);
    clip->trust = trust;
    return STATUS_OK;
}

static int counterpart(const Skeleton *old, const Skeleton *now, int joint)
{
    return now->role[joint] != ROLE_NONE ? skeleton_find_role(old, now->role[joint])
                                         : skeleton_find(old, now->name[joint]);
}

Status trust_carry_joints(const Trust *from, const Skeleton *old, const Skeleton *now, Trust *out, Error *err)
{
    size_t joints = (size_t)now->joint_count;
    Status status = trust_init(out, from->frame_count, now->joint_count, from->joint_reason != NULL, err);
    if (status)
        return status;
    for (int f = 0; f < from->frame_count; f++)
        out->reason[f] = from->reason[f] & CARRIED;
    for (int j = 0; from->joint_reason && j < now->joint_count; j++) {
        int source = counterpart(old, now, j);
        for (int f = 0; source >= 0 && f < from->frame_count; f++)
            out->joint_reason[(size_t)f * joints + (size_t)j] =
                from->joint_reason[(size_t)f * (size_t)from->joint_count + (size_t)source] & CARRIED;
    }
    trust_settle(out);
    return STATUS_OK;
}
