#include "analysis/retarget/scorecard.h"

#include "analysis/math/elementary.h"

#define ON_GROUND 0.02 /* m: a sole whose lower point is within this of the ground is on it */

/* One foot of the target over the source's contact with the ground. */
typedef struct ScoredFoot {
    const ScoredPose *pose;
    const FootContact *contact;
    double scale;
    int foot;
} ScoredFoot;

static Vec3 point_at(const ScoredFoot *s, int frame, SolePoint point)
{
    const ScoredPose *p = s->pose;
    size_t i = (size_t)frame * (size_t)p->reference->skeleton->joint_count;
    return sole_point(&p->sole[s->foot], point, p->position + i, p->orientation + i);
}

/* Height of a point of the sole above the ground, m. */
static double height_at(const ScoredFoot *s, int frame, SolePoint point)
{
    const FootContact *c = s->contact;
    return vec3_dot(c->normal, point_at(s, frame, point)) -
           s->scale * (c->height + c->level[foot_index(frame, s->foot)]);
}

/* Sums over the contacts of both feet. */
typedef struct SlideSum {
    double way, most, time, contacts;
    double frames, kept, depth;
} SlideSum;

/* How far the sole moves along the ground from a frame to the next: its stillest point that is on the ground in both,
 * as a foot that rolls stands on the point that rests. Negative where no point is. */
static double slide_at(const ScoredFoot *s, int frame)
{
    const FootContact *c = s->contact;
    double least = -1;
    for (int k = SOLE_HEEL; k <= SOLE_BALL; k++) {
        SolePoint point = (SolePoint)k;
        if (fabs(height_at(s, frame, point)) > ON_GROUND || fabs(height_at(s, frame + 1, point)) > ON_GROUND)
            continue;
        Vec3 moved = vec3_sub(point_at(s, frame + 1, point), point_at(s, frame, point));
        moved = vec3_mad(moved, -s->scale * c->frame_time, c->belt);
        double way = vec3_norm(vec3_mad(moved, -vec3_dot(moved, c->normal), c->normal));
        least = least < 0 ? way : fmin(least, way);
    }
    return least;
}

/* One contact, frames [begin, end). */
static void add_contact(const ScoredFoot *s, int begin, int end, SlideSum *sum)
{
    double way = 0;
    for (int f = begin; f < end; f++) {
        double slide = f + 1 < end ? slide_at(s, f) : -1;
        double height = fmin(height_at(s, f, SOLE_HEEL), height_at(s, f, SOLE_BALL));
        sum->frames++;
        sum->kept += fabs(height) < ON_GROUND;
        if (slide < 0)
            continue;
        way += slide;
        sum->time += s->contact->frame_time;
    }
    sum->way += way;
    sum->most = fmax(sum->most, way);
    sum->contacts++;
}

static void add_foot(const ScoredFoot *s, SlideSum *sum)
{
    const FootContact *c = s->contact;
    for (int f = 0, end; f < c->frame_count; f = end + 1) {
        for (end = f; end < c->frame_count && c->in_contact[foot_index(end, s->foot)]; end++)
            ;
        if (end > f)
            add_contact(s, f, end, sum);
    }
    for (int f = 0; f < c->frame_count; f++)
        for (int k = 0; k < SOLE_POINTS; k++)
            sum->depth = fmax(sum->depth, -height_at(s, f, (SolePoint)k));
}

static void measure_feet(const ScoredPose *target, const FootContact *c, RetargetScore *score)
{
    SlideSum sum = {0};
    for (int foot = 0; foot < FOOT_COUNT; foot++)
        if (target->sole[foot].ankle >= 0)
            add_foot(&(ScoredFoot){target, c, score->scale, foot}, &sum);
    score->contact_kept = sum.frames > 0 ? sum.kept / sum.frames : NAN;
    score->slide_cm_s = sum.time > 0 ? 100 * sum.way / sum.time : NAN;
    score->slide_cm = sum.contacts > 0 ? 100 * sum.way / sum.contacts : NAN;
    score->slide_most_cm = sum.contacts > 0 ? 100 * sum.most : NAN;
    score->penetration_cm = sum.contacts > 0 ? 100 * sum.depth : NAN;
}

/* A bone between the joints of two roles; ROLE_NONE at its start: from the middle of the hips to that of the
 * shoulders. */
typedef struct ScoredBone {
    Role from, to;
    int is_leg;
} ScoredBone;

static const ScoredBone bones[] = {
    {ROLE_NONE, ROLE_NONE, 0},
    {ROLE_NECK, ROLE_HEAD, 0},
    {ROLE_LEFT_CLAVICLE, ROLE_LEFT_SHOULDER, 0},
    {ROLE_RIGHT_CLAVICLE, ROLE_RIGHT_SHOULDER, 0},
    {ROLE_LEFT_SHOULDER, ROLE_LEFT_ELBOW, 0},
    {ROLE_RIGHT_SHOULDER, ROLE_RIGHT_ELBOW, 0},
    {ROLE_LEFT_ELBOW, ROLE_LEFT_WRIST, 0},
    {ROLE_RIGHT_ELBOW, ROLE_RIGHT_WRIST, 0},
    {ROLE_LEFT_HIP, ROLE_LEFT_KNEE, 1},
    {ROLE_RIGHT_HIP, ROLE_RIGHT_KNEE, 1},
    {ROLE_LEFT_KNEE, ROLE_LEFT_ANKLE, 1},
    {ROLE_RIGHT_KNEE, ROLE_RIGHT_ANKLE, 1},
};

static Vec3 between(const ScoredPose *p, const Vec3 *position, Role from, Role to)
{
    int a = p->reference->joint[from], b = p->reference->joint[to];
    return a < 0 || b < 0 ? vec3(0, 0, 0) : vec3_sub(position[b], position[a]);
}

static Vec3 bone_vector(const ScoredPose *p, const ScoredBone *bone, int frame)
{
    const Vec3 *position = p->position + (size_t)frame * (size_t)p->reference->skeleton->joint_count;
    if (bone->from != ROLE_NONE)
        return between(p, position, bone->from, bone->to);
    Vec3 left = between(p, position, ROLE_LEFT_HIP, ROLE_LEFT_SHOULDER);
    Vec3 right = between(p, position, ROLE_RIGHT_HIP, ROLE_RIGHT_SHOULDER);
    return vec3_norm(left) > 0 && vec3_norm(right) > 0 ? vec3_scale(vec3_add(left, right), 0.5) : vec3(0, 0, 0);
}

static double angle_between(Vec3 a, Vec3 b)
{
    return elementary_atan2(vec3_norm(vec3_cross(a, b)), vec3_dot(a, b)) * 180 / PI;
}

static void measure_bones(const ScoredPose *target, const ScoredPose *source, int frames, RetargetScore *score)
{
    double sum[2] = {0, 0}, count[2] = {0, 0};
    for (size_t i = 0; i < sizeof bones / sizeof *bones; i++)
        for (int f = 0; f < frames; f++) {
            Vec3 a = bone_vector(target, &bones[i], f), b = bone_vector(source, &bones[i], f);
            if (!(vec3_norm(a) > 0) || !(vec3_norm(b) > 0))
                continue;
            sum[bones[i].is_leg] += angle_between(a, b);
            count[bones[i].is_leg]++;
        }
    score->direction_deg = count[0] > 0 ? sum[0] / count[0] : NAN;
    score->leg_direction_deg = count[1] > 0 ? sum[1] / count[1] : NAN;
}

void scorecard_measure(const ScoredPose *target, const ScoredPose *source, const FootContact *contact,
                       int frame_count, RetargetScore *score)
{
    if (contact)
        measure_feet(target, contact, score);
    measure_bones(target, source, frame_count, score);
}
