/* See foot_contact.h. */
#include "analysis/retarget/foot_contact.h"

#include <math.h>

#include "analysis/base/arena.h"
#include "analysis/contact/contact_constants.h"
#include "analysis/contact/ground.h"
#include "analysis/contact/ground_track.h"
#include "analysis/math/elementary.h"
#include "analysis/motion/mirror.h"
#include "analysis/retarget/reference_pose.h"

#define CLEARANCE_ON 0.010  /* leg lengths: a point closer to the ground is in contact */
#define CLEARANCE_OFF 0.020 /* leg lengths: a point in contact leaves it above this height */
#define MIN_CONTACT 0.06    /* s: shorter contacts, and shorter gaps between contacts, are noise */
#define MIN_GAP 0.07      /* s: shorter gaps in the contact of heel or ball are closed */
#define MIN_DOWN 0.05     /* s: shorter contacts of heel or ball count only where the other point is up */
#define TIP_PART 0.7         /* fraction of the toe's length that touches the ground */
#define UNLIKE 0.15         /* rad: soles whose slopes differ by less keep the asymmetry of the body */
#define OVERLAP 2           /* frames in which both points are in contact at a change from one to the other */

static const Role leg_roles[FOOT_COUNT][3] = {{ROLE_LEFT_HIP, ROLE_LEFT_KNEE, ROLE_LEFT_ANKLE},
                                              {ROLE_RIGHT_HIP, ROLE_RIGHT_KNEE, ROLE_RIGHT_ANKLE}};

/* Sets the sole from a foot's contact points, in the order heel inner and outer, ball inner and outer, toe tip. */
static void measure(Sole *sole, const ContactPoint *p)
{
    Vec3 heel = vec3_scale(vec3_add(p[0].probe, p[1].probe), 0.5),
         ball = vec3_scale(vec3_add(p[2].probe, p[3].probe), 0.5);
    Vec3 forward = vec3_normalize(vec3_sub(ball, heel));
    sole->toe = p[4].joint;
    if (sole->toe == sole->ankle)
        ball = vec3_mad(ball, TIP_PART * vec3_dot(forward, vec3_sub(p[4].probe, ball)), forward);
    sole->local[SOLE_HEEL] = heel;
    sole->local[SOLE_BALL] = ball;
    sole->local[SOLE_TIP] = sole->toe == sole->ankle ? ball : vec3_scale(p[4].probe, TIP_PART);
    sole->length = vec3_distance(heel, ball);
}

/* Angle between the sole, from heel to ball, and the line from ankle to ball, rad. */
static double sole_slope(const Sole *s)
{
    Vec3 line = vec3_sub(s->local[SOLE_BALL], s->local[SOLE_HEEL]), ball = s->local[SOLE_BALL];
    return elementary_atan2(vec3_norm(vec3_cross(line, ball)), vec3_dot(line, ball));
}

/* Gives both soles their mean slope: where soles are found from a motion, one foot may have been flatter than the
 * other. */
static void cut_alike(Sole sole[FOOT_COUNT])
{
    double slope[] = {sole_slope(&sole[0]), sole_slope(&sole[1])}, mean = 0.5 * (slope[0] + slope[1]);
    if (fabs(slope[0] - slope[1]) < UNLIKE)
        return;
    for (int foot = 0; foot < FOOT_COUNT; foot++) {
        Sole *s = &sole[foot];
        Vec3 line = vec3_sub(s->local[SOLE_BALL], s->local[SOLE_HEEL]), axis = vec3_cross(line, s->local[SOLE_BALL]);
        if (!(vec3_norm(axis) > 0))
            continue;
        Quat rotation = quat_from_axis_angle(vec3_normalize(axis), slope[foot] - mean);
        s->local[SOLE_HEEL] = vec3_sub(s->local[SOLE_BALL], quat_rotate(rotation, line));
    }
}

void sole_init(Sole sole[FOOT_COUNT], const ReferencePose *reference, const ContactPoints *points)
{
    const Skeleton *skeleton = reference->skeleton;
    for (int foot = 0; foot < FOOT_COUNT; foot++) {
        int at = 0;
        int ankle = skeleton_find_role(skeleton, leg_roles[foot][2]);
        sole[foot] = (Sole){.hip = skeleton_find_role(skeleton, leg_roles[foot][0]),
                            .knee = skeleton_find_role(skeleton, leg_roles[foot][1]), .ankle = -1, .toe = -1};
        while (at < points->count && points->point[at].foot != foot)
            at++;
        if (at + 4 >= points->count || sole[foot].hip < 0 || sole[foot].knee < 0 || ankle < 0)
            continue;
        sole[foot].ankle = ankle;
        sole[foot].hinge = quat_rotate_inverse(reference->orientation[sole[foot].hip],
                                               quat_rotate(reference->body, vec3(1, 0, 0)));
        measure(&sole[foot], &points->point[at]);
        sole[foot].toe_hinge = quat_rotate_inverse(reference->orientation[sole[foot].toe],
                                                   quat_rotate(reference->body, vec3(-1, 0, 0)));
    }
    if (sole[0].ankle >= 0 && sole[1].ankle >= 0)
        cut_alike(sole);
}

Status sole_even(Sole sole[FOOT_COUNT], const ClipView *body, Error *err)
{
    Mirror mirror;
    Error none = {0};
    Status status = mirror_init(&mirror, body->skeleton, body->motion, &none);
    if (status)
        return status == STATUS_BAD_INPUT ? STATUS_OK : error_no_memory(err);
    Sole left = sole[0], right = sole[1];
    int even = left.ankle >= 0 && right.ankle >= 0 && mirror.pair[left.ankle] == right.ankle &&
               mirror.pair[left.toe] == right.toe;
    for (int k = 0; even && k < SOLE_POINTS; k++) {
        int joint = k == SOLE_TIP ? left.toe : left.ankle;
        sole[0].local[k] = vec3_scale(vec3_add(left.local[k], mirror_local(&mirror, joint, right.local[k])), 0.5);
        sole[1].local[k] = mirror_local(&mirror, joint, sole[0].local[k]);
    }
    for (int foot = 0; even && foot < FOOT_COUNT; foot++)
        sole[foot].length = vec3_distance(sole[foot].local[SOLE_HEEL], sole[foot].local[SOLE_BALL]);
    mirror_free(&mirror);
    return STATUS_OK;
}

Vec3 sole_point(const Sole *sole, SolePoint point, const Vec3 *position, const Quat *orientation)
{
    int joint = point == SOLE_TIP ? sole->toe : sole->ankle;
    return vec3_add(position[joint], quat_rotate(orientation[joint], sole->local[point]));
}

/* Replaces runs of `value` shorter than `frames` inside [begin, end) by the other value, except at the ends. */
static void drop_short_runs(uint8_t *mark, int foot, int begin, int end, int value, double frames)
{
    for (int f = begin, next; f < end; f = next) {
        for (next = f; next < end && mark[foot_index(next, foot)] == mark[foot_index(f, foot)]; next++)
            ;
        if (mark[foot_index(f, foot)] == value && next - f < frames && f > begin && next < end)
            for (int i = f; i < next; i++)
                mark[foot_index(i, foot)] = (uint8_t)!value;
    }
}

/* Height of the ground under a group of points in a frame, m above the common ground. */
static double group_level(const Ground *g, int group, int frame)
{
    size_t k = (size_t)frame * (size_t)g->group_count + (size_t)group;
    return g->raised[k] ? g->level[k] - g->height : g->lift[frame];
}

/* One foot of the source. */
typedef struct FootMarks {
    FootContact *out;
    const Ground *ground;
    const ContactPoints *points;
    int foot, first; /* its points are first ... first + FOOT_POINTS - 1 */
    double *height;  /* [frame] scratch */
} FootMarks;

/* The lowest ground under any point of the foot. A heel that rests in the air above toes on the ground has no ground of
 * its own. */
static double ground_below(const FootMarks *m, int frame)
{
    double min = INFINITY;
    for (int i = m->first; i < m->first + FOOT_POINTS; i++)
        min = fmin(min, group_level(m->ground, m->points->point[i].group, frame));
    return min;
}

/* Clearance of heel (0) or ball (1), the lower of its two points, above the ground under the foot, m. */
static double clearance(const FootMarks *m, int point, int frame)
{
    size_t i = (size_t)(m->first + 2 * point);
    const double *c = m->ground->clearance + (size_t)frame * (size_t)m->points->count + i;
    return fmin(c[0], c[1]) + group_level(m->ground, m->points->point[i].group, frame) - ground_below(m, frame);
}

/* Median clearance of the foot during a contact, m, as caused by drift of inertial capture or uneven ground; 0 if it is
 * below CLEARANCE_OFF. */
static double hover(const FootMarks *m, int begin, int end)
{
    for (int f = begin; f < end; f++)
        m->height[f - begin] = fmin(clearance(m, 0, f), clearance(m, 1, f));
    double middle = track_percentile(m->height, end - begin, 0.5);
    return middle > CLEARANCE_OFF * m->points->leg_length ? middle : 0;
}

/* Marks heel or ball in one contact, frames [begin, end), of a foot with the median clearance `above`. */
static void mark_point(const FootMarks *m, int point, int begin, int end, double above)
{
    uint8_t *down = m->out->down[point];
    int is_down = 0;
    for (int f = begin; f < end; f++) {
        double c = (clearance(m, point, f) - above) / m->points->leg_length;
        is_down = c < (is_down ? CLEARANCE_OFF : CLEARANCE_ON);
        down[foot_index(f, m->foot)] = (uint8_t)is_down;
    }
    drop_short_runs(down, m->foot, begin, end, 0, MIN_GAP / m->out->frame_time);
    drop_short_runs(down, m->foot, begin, end, 1, MIN_DOWN / m->out->frame_time);
}

/* Ensures that heel or ball is down in every frame of a contact, and both where one takes over from the other. */
static void mark_handover(const FootMarks *m, int begin, int end)
{
    uint8_t *const *down = m->out->down;
    int foot = m->foot;
    for (int f = begin; f < end; f++)
        if (!down[0][foot_index(f, foot)] && !down[1][foot_index(f, foot)])
            down[clearance(m, 1, f) <= clearance(m, 0, f)][foot_index(f, foot)] = 1;
    for (int f = begin + 1; f < end; f++)
        for (int point = 0; point < 2; point++)
            if (down[point][foot_index(f, foot)] && !down[point][foot_index(f - 1, foot)] &&
                !down[!point][foot_index(f, foot)])
                for (int i = f - 1; i >= begin && i >= f - OVERLAP; i--)
                    down[point][foot_index(i, foot)] = 1;
}

static void mark_contact(const FootMarks *m, int begin, int end)
{
    double above = hover(m, begin, end);
    double level = ground_below(m, begin + (end - begin) / 2) + above; /* one height for the whole contact */
    for (int point = 0; point < 2; point++)
        mark_point(m, point, begin, end, above);
    mark_handover(m, begin, end);
    for (int i = begin; i < end; i++)
        m->out->level[foot_index(i, m->foot)] = level;
}

static void mark_foot(FootMarks *m, const Contact *contact)
{
    FootContact *out = m->out;
    for (m->first = 0; m->first < m->points->count && m->points->point[m->first].foot != m->foot; m->first++)
        ;
    if (m->first + FOOT_POINTS > m->points->count)
        return;
    double min = MIN_CONTACT / out->frame_time;
    for (int f = 0; f < out->frame_count; f++)
        out->in_contact[foot_index(f, m->foot)] = vec3_norm(contact->foot_force[foot_index(f, m->foot)]) > 0;
    drop_short_runs(out->in_contact, m->foot, 0, out->frame_count, 0, min);
    drop_short_runs(out->in_contact, m->foot, 0, out->frame_count, 1, min);
    for (int f = 0, end; f < out->frame_count; f = end + 1) {
        for (end = f; end < out->frame_count && out->in_contact[foot_index(end, m->foot)]; end++)
            ;
        if (end > f)
            mark_contact(m, f, end);
    }
}

/* Estimates the ground again, as the contact stage did. If the height differs, it was an option there: uses that
 * height. */
static Status find_ground(const ContactPoints *points, const Kinematics *kinematics, const Contact *contact,
                          double frame_time, Ground *ground, Error *err)
{
    GroundDef def = ground_default_def();
    Status status = ground_estimate(points, kinematics, frame_time, &def, ground, err);
    if (status || fabs(ground->height / ground->normal.y - contact->ground_height) < 1e-6)
        return status;
    ground_free(ground);
    def = (GroundDef){.has_height = 1, .height = contact->ground_height};
    return ground_estimate(points, kinematics, frame_time, &def, ground, err);
}

/* Estimates the ground and marks both feet; height: [frame] scratch. */
static Status mark_feet(FootContact *out, const ClipView *clip, const Contact *contact, double *height, Error *err)
{
    ContactPoints points = {0};
    Ground ground = {0};
    Status status = contact_points_init(&contact_constants, clip->skeleton, NULL, clip->kinematics, &points, err);
    if (!status && points.count > 0)
        status = find_ground(&points, clip->kinematics, contact, out->frame_time, &ground, err);
    for (int foot = 0; foot < FOOT_COUNT && !status; foot++)
        mark_foot(&(FootMarks){out, &ground, &points, foot, 0, height}, contact);
    out->belt = ground.belt;
    ground_free(&ground);
    contact_points_free(&points);
    return status;
}

Status foot_contact_init(FootContact *out, const ClipView *clip, const Contact *contact, Arena *arena, Error *err)
{
    size_t frames = (size_t)clip->kinematics->frame_count;
    *out = (FootContact){.frame_count = clip->kinematics->frame_count, .frame_time = clip->motion->frame_time,
                         .in_contact = arena_array(arena, frames, FOOT_COUNT, 1),
                         .down = {arena_array(arena, frames, FOOT_COUNT, 1), arena_array(arena, frames, FOOT_COUNT, 1)},
                         .locked = arena_array(arena, frames, FOOT_COUNT, 1),
                         .level = arena_array(arena, frames, FOOT_COUNT, sizeof *out->level),
                         .normal = contact->ground_normal, .height = contact->ground_height * contact->ground_normal.y};
    double *height = arena_array(arena, frames, 1, sizeof *height);
    if (arena->failed)
        return error_no_memory(err);
    return contact->point_count > 0 ? mark_feet(out, clip, contact, height, err) : STATUS_OK;
}
