#include "analysis/retarget/foot_contact.h"

#include "analysis/base/memory.h"
#include "analysis/contact/ground.h"
#include "analysis/contact/ground_track.h"
#include "analysis/retarget/sole.h"

#define CLEARANCE_ON 0.010  /* leg lengths: a point this near the ground is down */
#define CLEARANCE_OFF 0.020 /* leg lengths: one that was down is up from here on */
#define LEAST_CONTACT 0.06  /* s: shorter contacts, and shorter breaks of one, are noise */
#define LEAST_GAP 0.07      /* s: a point that is up for less stays down */
#define LEAST_DOWN 0.05     /* s: a point that is down for less counts only where the other one is up */
#define FOOT_POINTS 5         /* heel inner and outer, ball inner and outer, toe */
#define OVERLAP 2           /* frames in which both are down when one takes over from the other */

static size_t at(int frame, int foot) { return (size_t)frame * FOOT_COUNT + (size_t)foot; }

/* Runs of value shorter than `frames` inside [begin, end) become the other value, those at its ends stay. */
static void drop_short_runs(uint8_t *mark, int foot, int begin, int end, int value, double frames)
{
    for (int f = begin, next; f < end; f = next) {
        for (next = f; next < end && mark[at(next, foot)] == mark[at(f, foot)]; next++)
            ;
        if (mark[at(f, foot)] == value && next - f < frames && f > begin && next < end)
            for (int i = f; i < next; i++)
                mark[at(i, foot)] = (uint8_t)!value;
    }
}

/* What a group of points stands on in a frame, m above the common ground. */
static double group_level(const Ground *g, int group, int frame)
{
    size_t k = (size_t)frame * (size_t)g->group_count + (size_t)group;
    return g->raised[k] ? g->level[k] - g->height : g->lift[frame];
}

/* The lowest of what the points of a foot stand on: a heel that is held still in the air over toes on the ground stands
 * on nothing. */
static double foot_level(const Ground *g, const ContactPoints *p, int first, int frame)
{
    double least = INFINITY;
    for (int i = first; i < first + FOOT_POINTS; i++)
        least = fmin(least, group_level(g, p->point[i].group, frame));
    return least;
}

/* Clearance of heel (0) or ball (1) above what the foot stands on: of the lower one of its two points. */
static double clearance(const Ground *g, const ContactPoints *p, int first, int point, int frame)
{
    size_t i = (size_t)(first + 2 * point);
    const double *c = g->clearance + (size_t)frame * (size_t)p->count + i;
    return fmin(c[0], c[1]) + group_level(g, p->point[i].group, frame) - foot_level(g, p, first, frame);
}

/* How high the foot stays above the ground that was found, in the middle of a contact's frames ordered by it: a suit
 * that drifts, uneven ground. 0 where the foot is on it. */
static double hover(const Ground *g, const ContactPoints *p, int first, int begin, int end, double *height)
{
    for (int f = begin; f < end; f++)
        height[f - begin] = fmin(clearance(g, p, first, 0, f), clearance(g, p, first, 1, f));
    double middle = track_percentile(height, end - begin, 0.5);
    return middle > CLEARANCE_OFF * p->leg_length ? middle : 0;
}

/* Marks heel and ball in one contact, frames [begin, end), of a foot that hovers. */
static void mark_contact(FootContact *out, const Ground *g, const ContactPoints *p, int first, int foot, int begin,
                         int end, double above)
{
    for (int point = 0; point < 2; point++) {
        int is_down = 0;
        for (int f = begin; f < end; f++) {
            double c = (clearance(g, p, first, point, f) - above) / p->leg_length;
            is_down = c < (is_down ? CLEARANCE_OFF : CLEARANCE_ON);
            out->down[point][at(f, foot)] = (uint8_t)is_down;
        }
        drop_short_runs(out->down[point], foot, begin, end, 0, LEAST_GAP / out->frame_time);
        drop_short_runs(out->down[point], foot, begin, end, 1, LEAST_DOWN / out->frame_time);
    }
    for (int f = begin; f < end; f++)
        if (!out->down[0][at(f, foot)] && !out->down[1][at(f, foot)])
            out->down[clearance(g, p, first, 1, f) <= clearance(g, p, first, 0, f)][at(f, foot)] = 1;
    for (int f = begin + 1; f < end; f++)
        for (int point = 0; point < 2; point++)
            if (out->down[point][at(f, foot)] && !out->down[point][at(f - 1, foot)] && !out->down[!point][at(f, foot)])
                for (int i = f - 1; i >= begin && i >= f - OVERLAP; i--)
                    out->down[point][at(i, foot)] = 1;
}

static void mark_foot(FootContact *out, const Ground *g, const ContactPoints *p, const Contact *contact, int foot,
                      double *height)
{
    int first = 0;
    while (first < p->count && p->point[first].foot != foot)
        first++;
    if (first + FOOT_POINTS > p->count)
        return;
    double least = LEAST_CONTACT / out->frame_time;
    for (int f = 0; f < out->frame_count; f++)
        out->in_contact[at(f, foot)] = vec3_norm(contact->foot_force[at(f, foot)]) > 0;
    drop_short_runs(out->in_contact, foot, 0, out->frame_count, 0, least);
    drop_short_runs(out->in_contact, foot, 0, out->frame_count, 1, least);
    for (int f = 0, end; f < out->frame_count; f = end + 1) {
        for (end = f; end < out->frame_count && out->in_contact[at(end, foot)]; end++)
            ;
        if (end == f)
            continue;
        double above = hover(g, p, first, f, end, height);
        double level = foot_level(g, p, first, f + (end - f) / 2) + above; /* one height for all of the contact */
        mark_contact(out, g, p, first, foot, f, end, above);
        for (int i = f; i < end; i++)
            out->level[at(i, foot)] = level;
    }
}

/* The ground that the contact stage saw: its own where it found the height itself, else one of the height it was
 * given. */
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

Status foot_contact_init(FootContact *out, const Skeleton *skeleton, const Kinematics *kinematics,
                         const Contact *contact, double frame_time, Error *err)
{
    size_t frames = (size_t)kinematics->frame_count;
    ContactPoints points = {0};
    Ground ground = {0};
    Status status = STATUS_OK;
    *out = (FootContact){.frame_count = kinematics->frame_count, .frame_time = frame_time,
                         .normal = contact->ground_normal, .height = contact->ground_height * contact->ground_normal.y};
    out->in_contact = array_new(frames, FOOT_COUNT, 1);
    out->down[0] = array_new(frames, FOOT_COUNT, 1);
    out->down[1] = array_new(frames, FOOT_COUNT, 1);
    out->level = array_new(frames, FOOT_COUNT, sizeof *out->level);
    double *height = array_new(frames, 1, sizeof *height);
    if (!height || !out->in_contact || !out->down[0] || !out->down[1] || !out->level)
        status = error_no_memory(err);
    else if (contact->point_count > 0) {
        status = contact_points_init(skeleton, NULL, kinematics, &points, err);
        if (!status && points.count > 0)
            status = find_ground(&points, kinematics, contact, frame_time, &ground, err);
        for (int foot = 0; foot < FOOT_COUNT && !status; foot++)
            mark_foot(out, &ground, &points, contact, foot, height);
        out->belt = ground.belt;
    }
    free(height);
    ground_free(&ground);
    contact_points_free(&points);
    if (status)
        foot_contact_free(out);
    return status;
}

void foot_contact_free(FootContact *c)
{
    if (!c)
        return;
    free(c->in_contact);
    free(c->down[0]);
    free(c->down[1]);
    free(c->level);
    *c = (FootContact){0};
}
