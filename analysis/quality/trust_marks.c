/* Quality flags of the stages (trust_marks.h). */
#include "analysis/quality/trust_marks.h"

#include <math.h>
#include <string.h>

#include "analysis/base/arena.h"
#include "analysis/base/standard_gravity.h"
#include "analysis/body/missing_parts.h"
#include "analysis/clip/contact.h"
#include "analysis/clip/trust.h"
#include "analysis/contact/support.h"
#include "analysis/detect/import_judgements.h"
#include "analysis/math/quat.h"
#include "analysis/math/vec.h"
#include "analysis/quality/artifacts.h"
#include "analysis/quality/trust_limits.h"

#define ARTIFACTS (TRUST_TELEPORT | TRUST_FLIP | TRUST_FROZEN | TRUST_INTERPOLATED | TRUST_SWAPPED)
#define JUDGED (TRUST_ESTIMATE | TRUST_BODY)

/* ---- Edges ---- */

/* Adds `bit` to the elements of at[frame][width] within `seconds`, in the same column, of runs of those with one of the
 * bits `of`; around runs of less than `shortest` seconds only to the frames beside them. */
typedef struct MarkSpread {
    uint32_t of, bit;
    double seconds, shortest;
} MarkSpread;

/* The number of frames that last at least some seconds, with tolerance for rounding. */
static ptrdiff_t frames_of(const Clip *clip, double seconds)
{
    return (ptrdiff_t)floor(seconds / clip->motion.frame_time + 1e-6);
}

static void spread(const Clip *clip, uint32_t *at, int width, MarkSpread s)
{
    ptrdiff_t row = width, end = (ptrdiff_t)clip->trust.frame_count * row;
    ptrdiff_t reach = frames_of(clip, s.seconds) * row, shortest = frames_of(clip, s.shortest);
    for (ptrdiff_t i = 0; i < end; i++) {
        uint32_t before = i < row ? 0 : at[i - row];
        int begins = (at[i] & s.of) && !(before & s.of);
        ptrdiff_t last = i, from, to;
        if (!begins)
            continue;
        while (last + row < end && at[last + row] & s.of)
            last += row;
        int is_short = (last - i) / row + 1 < shortest;
        from = i - (is_short ? row : reach);
        to = last + (is_short ? row : reach);
        for (ptrdiff_t k = i; k >= 0 && k >= from; k -= row)
            at[k] |= s.bit;
        for (ptrdiff_t k = i; k < end && k <= to; k += row)
            at[k] |= s.bit;
    }
}

static void mark_edges(const Clip *clip, Trust *trust)
{
    uint32_t artifacts = (TRUST_SOURCE & ~TRUST_NO_ROOT_PATH) | TRUST_ADJACENT_JOINT;
    const MarkSpread of_source[] = {
        {artifacts & ~TRUST_INTERPOLATED, TRUST_EDGE, trust_limits.fault_reach, 0},
        {TRUST_INTERPOLATED, TRUST_EDGE, trust_limits.fault_reach, trust_limits.hold_pose}, /* lost rows are put back */
    };
    for (int i = 0; i < 2 && trust->joint_reason; i++) {
        spread(clip, trust->reason, 1, of_source[i]);
        spread(clip, trust->joint_reason, trust->joint_count, of_source[i]);
    }
    for (int f = 0; f < trust->frame_count; f++)
        trust->reason[f] |= clip->kinematics.valid[f] ? 0 : TRUST_EDGE;
}

/* ---- Support of the body ---- */

static Vec3 contact_point_position(const Clip *clip, int frame, int point)
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

/* The height along the ground's normal of the lowest contact point of each frame, m. */
static void measure_lowest(const Clip *clip, double *low)
{
    for (int f = 0; f < clip->contact.frame_count; f++) {
        low[f] = INFINITY;
        for (int i = 0; i < clip->contact.point_count; i++)
            low[f] = fmin(low[f], vec3_dot(contact_point_position(clip, f, i), clip->contact.ground_normal));
    }
}

/* The lowest height that the body reaches within `reach` frames. */
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
        double height = vec3_dot(contact_point_position(clip, frame, i), c->ground_normal) - level;
        if (height > trust_limits.clear * size && point_speed(clip, frame, i) > trust_limits.support_speed)
            return 1;
    }
    return 0;
}

/* Whether the body needs a vertical force (in body weights) that its contacts do not provide. */
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
    int is_unknown = clip->contact.friction > 0 && import_lacks_support(clip); /* not measured */
    for (int f = 0; f < trust->frame_count; f++) {
        trust->reason[f] |= is_dropped(clip, f) ? TRUST_LOST_CONTACT : 0;
        trust->reason[f] |= is_airborne(clip, f, low, size) ? TRUST_AIRBORNE_SUPPORT : 0;
        trust->reason[f] |= is_unknown || support_is_presumed(&view, &clip->contact, f) ? TRUST_PRESUMED_SUPPORT : 0;
    }
    arena_free(&arena);
    return STATUS_OK;
}

/* ---- Flights without free fall ---- */

/* Finds the next frames first to last, from `frame` on, in which nothing supports a tenth of the weight. Returns 0,
 * with first and last -1, if there are none. */
static int next_unsupported(const Clip *clip, int frame, int *first, int *last)
{
    const Contact *c = &clip->contact;
    double load = trust_limits.support_load * clip->body.total_mass * GRAVITY;
    *first = *last = -1;
    for (int f = frame; f < c->frame_count; f++) {
        Vec3 had = {0, 0, 0};
        for (int i = 0; i < c->point_count; i++)
            had = vec3_add(had, c->force[(size_t)f * (size_t)c->point_count + (size_t)i]);
        if (vec3_norm(had) > load && *first >= 0)
            return 1;
        if (vec3_norm(had) <= load) {
            *first = *first < 0 ? f : *first;
            *last = f;
        }
    }
    return *first >= 0;
}

/* The mean residual of the valid frames from first to last, in body weights: norm of the force, and of the moment about
 * the COM over half the stature, combined. */
static double mean_residual(const Clip *clip, int first, int last)
{
    double weight = clip->body.total_mass * GRAVITY;
    double length = clip->body.stature > 0 ? 0.5 * clip->body.stature : 1; /* as contact/confidence */
    Vec3 force = {0, 0, 0}, moment = {0, 0, 0};
    int count = 0;
    for (int f = first; f <= last; f++) {
        if (!clip->kinematics.valid[f])
            continue;
        force = vec3_add(force, clip->dynamics.residual_force[f]);
        moment = vec3_add(moment, clip->dynamics.residual_torque[f]);
        count++;
    }
    return count ? sqrt(vec3_dot(force, force) + vec3_dot(moment, moment) / (length * length)) / count / weight : 0;
}

/* Only the middle of an interval is judged, since filters blur its ends. */
/* Of a clip with dynamics, kinematics, contact and body. */
static void mark_unexplained(Clip *clip)
{
    Trust *trust = &clip->trust;
    double dt = clip->motion.frame_time;
    int reach = (int)(trust_limits.unexplained_reach / dt + 1e-6), first, last;
    for (int f = 0; f < trust->frame_count && next_unsupported(clip, f, &first, &last); f = last + 1) {
        int is_long = (last - first + 1) * dt >= trust_limits.unexplained_min - 1e-6;
        if (!is_long || mean_residual(clip, first + reach, last - reach) <= trust_limits.unexplained)
            continue;
        for (int k = first; k <= last; k++)
            trust->reason[k] |= TRUST_UNEXPLAINED;
    }
}

/* ---- Torques of large expected error ---- */

/* Hip, knee and ankle of both legs; -1: the skeleton has none. */
typedef struct LegJoints {
    int joint[FOOT_COUNT][3];
} LegJoints;

static LegJoints find_legs(const Skeleton *skeleton)
{
    static const Role role[FOOT_COUNT][3] = {[FOOT_LEFT] = {ROLE_LEFT_HIP, ROLE_LEFT_KNEE, ROLE_LEFT_ANKLE},
                                             [FOOT_RIGHT] = {ROLE_RIGHT_HIP, ROLE_RIGHT_KNEE, ROLE_RIGHT_ANKLE}};
    LegJoints legs;
    for (int foot = 0; foot < FOOT_COUNT; foot++)
        for (int i = 0; i < 3; i++)
            legs.joint[foot][i] = skeleton_find_role(skeleton, role[foot][i]);
    return legs;
}

/* Numbers of joints counted, and of uncertain ones among them. */
typedef struct UncertainCount {
    int all, uncertain;
} UncertainCount;

static void count_joint(const Clip *clip, int frame, int joint, UncertainCount *count)
{
    if (joint < 0)
        return;
    count->all++;
    count->uncertain += (trust_joint_reason(&clip->trust, frame, joint) & TRUST_UNCERTAIN) != 0;
}

/* Whether more than half of hip, knee and ankle of the legs with load are uncertain; if no leg has load, of all
 * joints. */
static int is_frame_uncertain(const Clip *clip, const LegJoints *legs, int frame)
{
    double load = trust_limits.support_load * clip->body.total_mass * GRAVITY;
    UncertainCount count = {0};
    for (int foot = 0; foot < FOOT_COUNT; foot++)
        if (vec3_norm(clip->contact.foot_force[(size_t)frame * FOOT_COUNT + (size_t)foot]) > load)
            for (int i = 0; i < 3; i++)
                count_joint(clip, frame, legs->joint[foot][i], &count);
    if (!count.all)
        for (int joint = 0; joint < clip->skeleton.joint_count; joint++)
            count_joint(clip, frame, joint, &count);
    return 2 * count.uncertain > count.all;
}

/* Of a clip with torque_sd and a body. */
static Status mark_uncertain(Clip *clip, Error *err)
{
    const Dynamics *d = &clip->dynamics;
    Trust *trust = &clip->trust;
    size_t count = (size_t)d->frame_count * (size_t)d->joint_count;
    double max = d->error_limit * clip->body.total_mass / EXPECTED_ERROR;
    size_t first = d->error_limit > 0 ? 0 : count;
    while (first < count && !(vec3_dot(d->torque_sd[first], d->torque_sd[first]) > max * max))
        first++;
    Status status = first < count && !trust->joint_reason ? trust_add_joints(trust, err) : STATUS_OK;
    for (size_t i = first; i < count && !status; i++)
        if (vec3_dot(d->torque_sd[i], d->torque_sd[i]) > max * max)
            trust->joint_reason[i] |= TRUST_UNCERTAIN;
    if (status || first == count || !clip->has_contact)
        return status;
    LegJoints legs = find_legs(&clip->skeleton);
    for (int f = 0; f < d->frame_count; f++)
        trust->reason[f] |= is_frame_uncertain(clip, &legs, f) ? TRUST_UNCERTAIN : 0;
    return STATUS_OK;
}

/* Whether the body stands on the part. */
static int supports_body(const Skeleton *s, const MissingPart *part)
{
    return s->role[part->carrier] == ROLE_LEFT_HIP || s->role[part->carrier] == ROLE_RIGHT_HIP;
}

/* Flags the joints that carry a missing part, up to the root, and all frames if the ground force through it is unknown.
 * A body with masses of its own has none. */
static Status mark_missing_parts(Clip *clip, Error *err)
{
    MissingPart part[MISSING_PARTS_MAX];
    Trust *trust = &clip->trust;
    int count = strncmp(clip->body.model, "deleva", 6) == 0 ? missing_parts_list(&clip->skeleton, part) : 0;
    Status status = count > 0 && !trust->joint_reason ? trust_add_joints(trust, err) : STATUS_OK;
    for (int i = 0; i < count && !status; i++)
        for (int f = 0; f < trust->frame_count; f++)
            trust->reason[f] |= supports_body(&clip->skeleton, &part[i]) ? TRUST_MISSING_PART : 0;
    for (int i = 0; i < count && !status; i++)
        for (int j = part[i].carrier; j > 0; j = clip->skeleton.parent[j])
            for (int f = 0; f < trust->frame_count; f++)
                trust->joint_reason[(size_t)f * (size_t)trust->joint_count + (size_t)j] |= TRUST_MISSING_PART;
    return status;
}

/* ---- What an artifact leaves behind ---- */

/* A frame within reach of the last artifact of the pass, other than a shake, which moves its own frames alone: what is
 * uncertain or unexplained there is the artifact's doing, not the body's. */
static void mark_behind(Trust *t, int f, int *last, int reach)
{
    uint32_t *joint = t->joint_reason ? t->joint_reason + (size_t)f * (size_t)t->joint_count : NULL;
    if (t->reason[f] & ARTIFACTS)
        *last = f;
    if (*last < 0 || (f > *last ? f - *last : *last - f) > reach)
        return;
    t->reason[f] |= t->reason[f] & JUDGED ? TRUST_EDGE : 0;
    for (int j = 0; joint && j < t->joint_count; j++)
        joint[j] |= joint[j] & JUDGED ? TRUST_EDGE : 0;
}

static void mark_aftermath(const Clip *clip, Trust *t)
{
    int reach = (int)(trust_limits.aftermath / clip->motion.frame_time + 1e-6), last = -1;
    for (int f = 0; f < t->frame_count; f++)
        mark_behind(t, f, &last, reach);
    last = -1;
    for (int f = t->frame_count - 1; f >= 0; f--)
        mark_behind(t, f, &last, reach);
}

/* Groups, and the flags derived from each. */
static const struct {
    ClipGroup group;
    uint32_t bits;
} derived_flags[] = {
    {CLIP_BODY, TRUST_MISSING_PART},
    {CLIP_KINEMATICS, TRUST_EDGE},
    {CLIP_CONTACT, TRUST_LOST_CONTACT | TRUST_AIRBORNE_SUPPORT | TRUST_PRESUMED_SUPPORT},
    {CLIP_DYNAMICS, TRUST_UNEXPLAINED | TRUST_UNCERTAIN},
};

Status trust_judge(Clip *clip, unsigned changed, Error *err)
{
    Trust *trust = &clip->trust;
    Status status = STATUS_OK;
    uint32_t stale = 0;
    if (!clip->has_trust)
        return STATUS_OK;
    for (size_t i = 0; i < sizeof derived_flags / sizeof *derived_flags; i++)
        stale |= (changed | ~clip_groups(clip)) & derived_flags[i].group ? derived_flags[i].bits : 0;
    int forces = clip->has_contact && clip->contact.point_count > 0 && clip->has_body && clip->body.total_mass > 0 &&
                 clip->has_kinematics && clip->kinematics.com;
    if (!(clip_groups(clip) & (CLIP_CONTACT | CLIP_DYNAMICS)))
        stale |= TRUST_OFF_PLATES | TRUST_PLATES_DOUBTED;
    trust_clear(trust, stale);
    if (changed & CLIP_BODY && clip->has_body)
        status = mark_missing_parts(clip, err);
    if (changed & CLIP_KINEMATICS && clip->has_kinematics)
        mark_edges(clip, trust);
    if (!status && changed & CLIP_CONTACT && forces)
        status = mark_contact(clip, trust, err);
    if (!status && changed & CLIP_DYNAMICS && forces && clip->has_dynamics)
        mark_unexplained(clip);
    if (!status && changed & CLIP_DYNAMICS && clip->has_dynamics && clip->dynamics.torque_sd && clip->has_body)
        status = mark_uncertain(clip, err);
    mark_aftermath(clip, trust);
    trust_settle(trust);
    return status;
}
