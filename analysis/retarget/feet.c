/* See feet.h. */
#include "analysis/retarget/feet.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/base/arena.h"
#include "analysis/contact/contact_constants.h"
#include "analysis/contact/ground.h"
#include "analysis/contact/ground_track.h"
#include "analysis/math/elementary.h"
#include "analysis/motion/mirror.h"

/* A smooth upper envelope. */

void smooth_envelope(double *value, int frames, int width, double *largest)
{
    for (int f = 0; f < frames; f++) {
        largest[f] = value[f];
        for (int i = f > width ? f - width : 0; i <= f + width && i < frames; i++)
            largest[f] = fmax(largest[f], value[i]);
    }
    for (int f = 0; f < frames; f++) {
        double sum = 0, weights = 0;
        for (int i = -width; i <= width; i++) {
            int k = f + i < 0 ? 0 : f + i >= frames ? frames - 1 : f + i;
            double x = (double)i / (width + 1), w = (1 - x * x) * (1 - x * x) * (1 - x * x);
            sum += w * largest[k];
            weights += w;
        }
        value[f] = sum / weights;
    }
}

/* Leveling of the target's feet and toes to the slope of the source's soles. */

#define MOST_TILT 0.6 /* rad: largest correction; a larger difference is not one of soles */

/* A part of the sole that is fixed to one joint. */
typedef struct SolePart {
    SolePoint from, to;
    int joint; /* of the target */
} SolePart;

static Vec3 part_line(const SoledPose *p, int foot, const SolePart *s, int frame)
{
    size_t row = (size_t)frame * (size_t)p->joint_count;
    const Vec3 *x = p->position + row;
    const Quat *q = p->orientation + row;
    return vec3_normalize(vec3_sub(sole_point(&p->sole[foot], s->to, x, q), sole_point(&p->sole[foot], s->from, x, q)));
}

static double slope(Vec3 line, Vec3 normal) { return elementary_asin(fmax(-1, fmin(1, vec3_dot(line, normal)))); }

/* The rotation in the joint's axes that makes the mean slopes of both soles equal. */
static Quat tilt_of(const FootPair *pair, int foot, const SolePart *s)
{
    const FootContact *c = pair->contact;
    Vec3 axis = {0, 0, 0};
    double sum = 0;
    int count = 0;
    for (int f = 0; f < c->frame_count; f++) {
        if (!c->down[0][foot_index(f, foot)] || !c->down[1][foot_index(f, foot)])
            continue;
        Vec3 line = part_line(&pair->target, foot, s, f), other = part_line(&pair->source, foot, s, f);
        Quat q = pair->target.orientation[(size_t)f * (size_t)pair->target.joint_count + (size_t)s->joint];
        sum += slope(other, c->normal) - slope(line, c->normal);
        axis = vec3_add(axis, quat_rotate_inverse(q, vec3_normalize(vec3_cross(line, c->normal))));
        count++;
    }
    if (count == 0 || !(vec3_norm(axis) > 0))
        return QUAT_IDENTITY;
    return quat_from_axis_angle(vec3_normalize(axis), fmax(-MOST_TILT, fmin(MOST_TILT, sum / count)));
}

/* Rotates the ankle by the tilt in every frame; the toe joint follows. */
static void rotate_ankle(const FootPair *pair, const Sole *sole, Quat tilt, Vec3 *position, Quat *orientation)
{
    for (int f = 0; f < pair->contact->frame_count; f++) {
        Vec3 *x = position + (size_t)f * (size_t)pair->target.joint_count;
        Quat *q = orientation + (size_t)f * (size_t)pair->target.joint_count;
        Quat turned = quat_mul(q[sole->ankle], tilt), moved = quat_mul(turned, quat_conjugate(q[sole->ankle]));
        if (sole->toe != sole->ankle) {
            x[sole->toe] = vec3_add(x[sole->ankle], quat_rotate(moved, vec3_sub(x[sole->toe], x[sole->ankle])));
            q[sole->toe] = quat_mul(moved, q[sole->toe]);
        }
        q[sole->ankle] = turned;
    }
}

void sole_level(const FootPair *pair, int foot, Vec3 *position, Quat *orientation)
{
    const Sole *sole = &pair->target.sole[foot], *source = &pair->source.sole[foot];
    SolePart flat = {SOLE_HEEL, SOLE_BALL, sole->ankle}, toes = {SOLE_BALL, SOLE_TIP, sole->toe};
    rotate_ankle(pair, sole, tilt_of(pair, foot, &flat), position, orientation);
    if (sole->toe == sole->ankle || source->toe == source->ankle)
        return;
    Quat tilt = tilt_of(pair, foot, &toes);
    for (int f = 0; f < pair->contact->frame_count; f++) {
        Quat *q = orientation + (size_t)f * (size_t)pair->target.joint_count + (size_t)sole->toe;
        *q = quat_mul(*q, tilt);
    }
}

/* Soles of a skeleton's feet, and the contact of heel and ball with the ground. */

#define CLEARANCE_ON 0.010  /* leg lengths: a point closer to the ground is in contact */
#define CLEARANCE_OFF 0.020 /* leg lengths: a point in contact leaves it above this height */
#define LEAST_CONTACT 0.06  /* s: shorter contacts, and shorter gaps between contacts, are noise */
#define LEAST_GAP 0.07      /* s: shorter gaps in the contact of heel or ball are closed */
#define LEAST_DOWN 0.05     /* s: shorter contacts of heel or ball count only where the other point is up */
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

Status sole_even(Sole sole[FOOT_COUNT], const Skeleton *skeleton, Error *err)
{
    Mirror mirror;
    Error none = {0};
    Status status = mirror_init(&mirror, skeleton, &none);
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
    double least = INFINITY;
    for (int i = m->first; i < m->first + FOOT_POINTS; i++)
        least = fmin(least, group_level(m->ground, m->points->point[i].group, frame));
    return least;
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
    drop_short_runs(down, m->foot, begin, end, 0, LEAST_GAP / m->out->frame_time);
    drop_short_runs(down, m->foot, begin, end, 1, LEAST_DOWN / m->out->frame_time);
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
    double least = LEAST_CONTACT / out->frame_time;
    for (int f = 0; f < out->frame_count; f++)
        out->in_contact[foot_index(f, m->foot)] = vec3_norm(contact->foot_force[foot_index(f, m->foot)]) > 0;
    drop_short_runs(out->in_contact, m->foot, 0, out->frame_count, 0, least);
    drop_short_runs(out->in_contact, m->foot, 0, out->frame_count, 1, least);
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

/* Foot contacts as rows of a table that users can edit. */

#define HALF_FRAME 0.5 /* frames: tolerance, because times are written with few digits */

void contact_edits_free(ContactEdits *rows)
{
    if (!rows)
        return;
    free(rows->row);
    *rows = (ContactEdits){0};
}

static int is_down(const FootContact *c, int foot, int part, int frame)
{
    return frame >= 0 && frame < c->frame_count && c->down[part][foot_index(frame, foot)];
}

/* A row begins where a part touches down or its mode changes. */
static int begins(const FootContact *c, int foot, int part, int f)
{
    return is_down(c, foot, part, f) &&
           (!is_down(c, foot, part, f - 1) ||
            c->locked[foot_index(f, foot)] != c->locked[foot_index(f - 1, foot)]);
}

Status contact_edits_from(const FootContact *contact, const Motion *motion, ContactEdits *out, Error *err)
{
    const int tracks = FOOT_COUNT * 2;
    int count = 0;
    for (int i = 0; i < tracks; i++)
        for (int f = 0; f < contact->frame_count; f++)
            count += begins(contact, i / 2, i % 2, f);
    *out = (ContactEdits){.row = array_new((size_t)count, 1, sizeof *out->row)};
    if (!out->row)
        return error_no_memory(err);
    for (int i = 0; i < tracks; i++)
        for (int f = 0; f < contact->frame_count; f++) {
            if (!begins(contact, i / 2, i % 2, f))
                continue;
            int end = f + 1;
            while (is_down(contact, i / 2, i % 2, end) && !begins(contact, i / 2, i % 2, end))
                end++;
            out->row[out->count++] = (ContactRow){i / 2, i % 2, motion->time[f],
                                                  motion->time[end - 1] + motion->frame_time,
                                                  contact->locked[foot_index(f, i / 2)] ? PLANT_LOCK : PLANT_KEEP};
        }
    return STATUS_OK;
}

void contact_edits_apply(const ContactEdits *rows, const Motion *motion, FootContact *contact)
{
    size_t cells = (size_t)contact->frame_count * FOOT_COUNT;
    memset(contact->down[SOLE_HEEL], 0, cells);
    memset(contact->down[SOLE_BALL], 0, cells);
    memset(contact->locked, 0, cells);
    for (int i = 0; i < rows->count; i++) {
        const ContactRow *row = &rows->row[i];
        double slack = HALF_FRAME * motion->frame_time;
        for (int f = 0; f < contact->frame_count; f++) {
            if (motion->time[f] < row->from - slack || motion->time[f] > row->to - slack)
                continue;
            size_t at = foot_index(f, row->foot);
            contact->down[row->part][at] = row->mode != PLANT_NONE;
            if (row->mode != PLANT_NONE)
                contact->locked[at] = row->mode == PLANT_LOCK;
        }
    }
    for (size_t i = 0; i < cells; i++)
        contact->in_contact[i] = contact->down[SOLE_HEEL][i] || contact->down[SOLE_BALL][i];
}

/* Toe flexion that keeps the tip from sinking deeper than the source's. */

#define MOST_BEND 1.8 /* rad: largest toe bend */
#define SUNK 0.004    /* leg lengths by which a tip may lie deeper than the source's */
#define STEEPEST 4.0  /* rad per depth over toe length: toes that point straight down gain no height by bending */

static size_t joint_at(const FootPair *pair, int frame, int joint)
{
    return (size_t)frame * (size_t)pair->target.joint_count + (size_t)joint;
}

/* The upward bend of the toes, rad, that keeps the tip above the floor. Rotated by b about the axis a, the tip u has
 * the height (u.a)(a.n) + A cos(b) + B sin(b) = (u.a)(a.n) + R cos(b - top), largest at b = top. */
static double needed_bend(const FootPair *pair, int foot, int frame, Vec3 ankle)
{
    const Sole *sole = &pair->target.sole[foot];
    const Vec3 *x = pair->target.position;
    Vec3 n = pair->contact->normal;
    Vec3 arm = vec3_sub(x[joint_at(pair, frame, sole->toe)], x[joint_at(pair, frame, sole->ankle)]);
    Vec3 base = vec3_add(ankle, arm);
    Quat toe = pair->target.orientation[joint_at(pair, frame, sole->toe)];
    Vec3 tip = quat_rotate(toe, sole->local[SOLE_TIP]), axis = quat_rotate(toe, sole->toe_hinge);
    double height = vec3_dot(base, n) - foot_goal_floor(pair, foot, frame) + SUNK * pair->leg;
    double level = vec3_dot(tip, axis) * vec3_dot(axis, n), a = vec3_dot(tip, n) - level;
    double b = vec3_dot(vec3_cross(axis, tip), n), r = sqrt(a * a + b * b), top = elementary_atan2(b, a);
    top += top < -PI / 2 ? 2 * PI : 0;
    double wanted = -height - level;
    if (!(fabs(wanted) < r)) /* always above the ground, or out of reach of the toes */
        return 0;
    double depth = wanted - a; /* depth below the floor without bend */
    return fmax(fmin(fmin(top - elementary_acos(wanted / r), MOST_BEND), STEEPEST * depth / r), 0);
}

void toe_bend_fill(const FootPair *pair, int foot, const Vec3 *ankle, double bend_time, double *bend, double *scratch)
{
    const FootContact *c = pair->contact;
    const Sole *sole = &pair->target.sole[foot];
    for (int f = 0; f < c->frame_count; f++)
        bend[f] = sole->toe == sole->ankle ? 0 : needed_bend(pair, foot, f, ankle[f]);
    smooth_envelope(bend, c->frame_count, (int)(bend_time / c->frame_time), scratch);
}

/* Goals of the target's feet: their soles move as the source's do, scaled. */

#define STILL 0.05    /* leg lengths per second: the slowest point supports the foot; speeds well below this count as
                         equal */
#define SPREAD 0.02   /* leg lengths: a point this much higher than the lowest has half its weight for the height */
#define LOW 0.02      /* leg lengths: below this height a sole in the air has the full weight SWING for the source's
                         height */
#define HIGH 0.12     /* leg lengths: above this height it follows the copied motion */
#define SWING 0.15    /* fraction of a supporting foot's weight that a low swinging foot gets for its height */

static Vec3 point_of(const SoledPose *p, int foot, SolePoint point, int frame)
{
    size_t row = (size_t)frame * (size_t)p->joint_count;
    return sole_point(&p->sole[foot], point, p->position + row, p->orientation + row);
}

/* Weight of heel or ball: 1 in contact, falling smoothly to def->in_air within def->near before and after it. */
static void find_weight(const FootContact *c, const FootGoalDef *def, int foot, const uint8_t *down, double *weight)
{
    double each = c->frame_time / def->near, left = 0, right = 0;
    for (int f = 0; f < c->frame_count; f++)
        weight[f] = left = down[foot_index(f, foot)] ? 1 : fmax(left - each, 0);
    for (int f = c->frame_count - 1; f >= 0; f--) {
        right = down[foot_index(f, foot)] ? 1 : fmax(right - each, 0);
        double x = fmax(right, weight[f]);
        weight[f] = def->in_air + (1 - def->in_air) * x * x * (3 - 2 * x);
    }
}

/* One foot while its goals are computed. */
typedef struct FootWork {
    const FootPair *pair;
    int foot;
    double *const *weight;
    double leg, in_air; /* m, leg of the target; least weight of heel or ball */
} FootWork;

/* Vector from the ankle to a point of the sole, m. */
static Vec3 arm_of(const FootWork *w, SolePoint point, int frame)
{
    const SoledPose *p = &w->pair->target;
    Vec3 ankle = p->position[(size_t)frame * (size_t)p->joint_count + (size_t)p->sole[w->foot].ankle];
    return vec3_sub(point_of(p, w->foot, point, frame), ankle);
}

/* Displacement of the source's sole to the next frame, scaled, m; of a locked one, that of the ground. */
static Vec3 path_of(const FootWork *w, SolePoint point, int frame)
{
    const FootContact *c = w->pair->contact;
    if (c->locked[foot_index(frame, w->foot)])
        return vec3_scale(c->belt, w->pair->scale * c->frame_time);
    return vec3_scale(vec3_sub(point_of(&w->pair->source, w->foot, point, frame + 1),
                               point_of(&w->pair->source, w->foot, point, frame)), w->pair->scale);
}

/* Weight of a point for the foot's velocity: it falls with the sixth power of the point's speed in the source, because
 * a rolling foot pivots about the point at rest. A locked foot pivots about the ball while that is down, otherwise
 * about the heel. */
static double say_of(const FootWork *w, SolePoint point, int frame, Vec3 path)
{
    const FootContact *c = w->pair->contact;
    double say = w->weight[point == SOLE_TIP ? SOLE_BALL : point][frame];
    if (c->locked[foot_index(frame, w->foot)])
        return point == SOLE_HEEL ? say * (1 - w->weight[SOLE_BALL][frame]) + 1e-6 : point == SOLE_BALL ? say : 0;
    Vec3 moved = vec3_mad(path, -w->pair->scale * c->frame_time, c->belt);
    double unit = c->frame_time * w->leg * STILL;
    double speed = vec3_norm(vec3_mad(moved, -vec3_dot(moved, c->normal), c->normal)) / unit;
    double still = 1 / (1 + speed * speed);
    return say * say * still * still * still;
}

/* Mean velocity of the ankle, m/s, at which the supporting points move as in the source until the next frame. */
static Vec3 velocity_at(const FootWork *w, int frame)
{
    Vec3 sum = {0, 0, 0};
    double says = 0;
    for (int k = 0; k < SOLE_POINTS; k++) {
        Vec3 path = path_of(w, (SolePoint)k, frame);
        Vec3 swing = vec3_sub(arm_of(w, (SolePoint)k, frame + 1), arm_of(w, (SolePoint)k, frame));
        double say = say_of(w, (SolePoint)k, frame, path);
        sum = vec3_mad(sum, say, vec3_sub(path, swing));
        says += say;
    }
    return vec3_scale(sum, 1 / (says * w->pair->contact->frame_time));
}

/* Height of a point of the source's sole above the ground, in leg lengths. */
static double source_height(const FootWork *w, SolePoint point, int frame)
{
    const FootContact *c = w->pair->contact;
    Vec3 position = point_of(&w->pair->source, w->foot, point, frame);
    return w->pair->scale * (vec3_dot(position, c->normal) - c->height - c->level[foot_index(frame, w->foot)]) / w->leg;
}

/* Sets the height of the ankle at which the lowest points of the sole are as high as the source's, scaled, and the
 * floor. */
static void set_height(const FootWork *w, int frame, LimbGoal *goal)
{
    const FootContact *c = w->pair->contact;
    double height[SOLE_POINTS], least = INFINITY, says = 0, floor = foot_goal_floor(w->pair, w->foot, frame);
    for (int k = 0; k < SOLE_POINTS; k++)
        least = fmin(least, height[k] = source_height(w, (SolePoint)k, frame));
    for (int k = 0; k < SOLE_POINTS; k++) {
        double above = (height[k] - least) / SPREAD, say = 1 / (1 + above * above);
        double arm = vec3_dot(arm_of(w, (SolePoint)k, frame), c->normal);
        double ground = w->pair->scale * (c->height + c->level[foot_index(frame, w->foot)]);
        goal->height += say * (height[k] * w->leg + ground - arm);
        says += say;
        if (k != SOLE_TIP) /* toes bend instead */
            goal->floor = fmax(goal->floor, floor - arm);
    }
    double x = fmax(0, fmin(1, (HIGH - least) / (HIGH - LOW)));
    goal->height /= says;
    goal->height_weight = fmax(goal->velocity_weight - w->in_air, SWING * x * x * (3 - 2 * x));
}

static LimbGoal goal_at(const FootWork *w, int frame, int is_last)
{
    LimbGoal goal = {.floor = -INFINITY,
                     .velocity_weight = fmax(w->weight[SOLE_HEEL][frame], w->weight[SOLE_BALL][frame])};
    set_height(w, frame, &goal);
    if (!is_last)
        goal.velocity = velocity_at(w, frame);
    return goal;
}

double foot_goal_floor(const FootPair *pair, int foot, int frame)
{
    const FootContact *c = pair->contact;
    double least = c->height + c->level[foot_index(frame, foot)];
    for (int k = 0; k < SOLE_POINTS; k++)
        least = fmin(least, vec3_dot(point_of(&pair->source, foot, (SolePoint)k, frame), c->normal));
    return pair->scale * least;
}

void foot_goal_fill(const FootPair *pair, const FootGoalDef *def, int foot, LimbGoal *goal, double *const weight[2])
{
    int frames = pair->contact->frame_count;
    FootWork w = {pair, foot, weight, pair->leg, def->in_air};
    for (int k = 0; k < 2; k++)
        find_weight(pair->contact, def, foot, pair->contact->down[k], weight[k]);
    for (int f = 0; f < frames; f++)
        goal[f] = goal_at(&w, f, f + 1 == frames);
}
