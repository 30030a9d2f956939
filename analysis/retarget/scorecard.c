#include "analysis/retarget/scorecard.h"

#include "analysis/retarget/score_hands.h"
#include "analysis/retarget/score_motion.h"

#define ON_GROUND 0.02 /* m: a sole whose lower point is within this of the ground is on it */

/* ---- Feet ---- */

/* One foot of one body over the source's contact with the ground. */
typedef struct ScoredFoot {
    const ScoredPose *body;
    const FootContact *contact;
    double scale; /* of the ground */
    int foot;
} ScoredFoot;

static Vec3 point_at(const ScoredFoot *s, int frame, SolePoint point)
{
    return sole_point(&s->body->pose.sole[s->foot], point, scored_places(s->body, frame), scored_turns(s->body, frame));
}

/* Height of a point of the sole above the ground, m. */
static double height_at(const ScoredFoot *s, int frame, SolePoint point)
{
    const FootContact *c = s->contact;
    return vec3_dot(c->normal, point_at(s, frame, point)) -
           s->scale * (c->height + c->level[foot_index(frame, s->foot)]);
}

/* How far a point of the sole moves along the ground from a frame to the next, m. */
static double way_of(const ScoredFoot *s, int frame, SolePoint point)
{
    const FootContact *c = s->contact;
    Vec3 moved = vec3_sub(point_at(s, frame + 1, point), point_at(s, frame, point));
    moved = vec3_mad(moved, -s->scale * c->frame_time, c->belt);
    return vec3_norm(vec3_mad(moved, -vec3_dot(moved, c->normal), c->normal));
}

/* How far the sole moves along the ground from a frame to the next: its stillest point of those that bear, as a foot
 * that rolls stands on the point that rests; over the ball it rolls on to the tip. */
static double slide_at(const ScoredFoot *s, int frame)
{
    const FootContact *c = s->contact;
    double least = INFINITY;
    for (int k = SOLE_HEEL; k < SOLE_POINTS; k++)
        if (c->down[k == SOLE_HEEL ? 0 : 1][foot_index(frame, s->foot)])
            least = fmin(least, way_of(s, frame, (SolePoint)k));
    return least;
}

/* Sums over the contacts of both feet. */
typedef struct FootSum {
    double way, most, time, contacts;
    double frames, kept;
    ScoreMean added, depth, source_depth, strike;
} FootSum;

/* One contact, frames [begin, end). */
static void add_contact(const ScoredFoot *s, const ScoredFoot *source, int begin, int end, FootSum *sum)
{
    double way = 0;
    for (int f = begin; f < end; f++) {
        double height = fmin(height_at(s, f, SOLE_HEEL), height_at(s, f, SOLE_BALL));
        double wanted = s->scale * fmin(height_at(source, f, SOLE_HEEL), height_at(source, f, SOLE_BALL));
        sum->frames++;
        sum->kept += fabs(height - wanted) < ON_GROUND;
        if (f + 1 >= end)
            continue;
        double slide = slide_at(s, f);
        way += slide;
        sum->time += s->contact->frame_time;
        score_add(&sum->added, (slide - s->scale * slide_at(source, f)) / s->contact->frame_time, f);
    }
    Vec3 sole = vec3_sub(point_at(s, begin, SOLE_BALL), point_at(s, begin, SOLE_HEEL));
    Vec3 other = vec3_sub(point_at(source, begin, SOLE_BALL), point_at(source, begin, SOLE_HEEL));
    score_add(&sum->strike, scored_angle(sole, other), begin);
    sum->way += way;
    sum->most = fmax(sum->most, way);
    sum->contacts++;
}

static void add_foot(const ScoredFoot *s, const ScoredFoot *source, FootSum *sum)
{
    const FootContact *c = s->contact;
    for (int f = 0, end; f < c->frame_count; f = end + 1) {
        for (end = f; end < c->frame_count && c->in_contact[foot_index(end, s->foot)]; end++)
            ;
        if (end > f)
            add_contact(s, source, f, end, sum);
    }
    for (int f = 0; f < c->frame_count; f++)
        for (int k = 0; k < SOLE_POINTS; k++) {
            score_add(&sum->depth, -height_at(s, f, (SolePoint)k), f);
            score_add(&sum->source_depth, -height_at(source, f, (SolePoint)k), f);
        }
}

static void measure_feet(const ScoredPair *pair, RetargetScore *score)
{
    FootSum sum = {0};
    for (int foot = 0; foot < FOOT_COUNT; foot++)
        if (pair->target.pose.sole[foot].ankle >= 0 && pair->source.pose.sole[foot].ankle >= 0)
            add_foot(&(ScoredFoot){&pair->target, pair->contact, pair->scale, foot},
                     &(ScoredFoot){&pair->source, pair->contact, 1, foot}, &sum);
    score->contact_kept = sum.frames > 0 ? sum.kept / sum.frames : NAN;
    score->slide_cm_s = sum.time > 0 ? 100 * sum.way / sum.time : NAN;
    score->slide_cm = sum.contacts > 0 ? 100 * sum.way / sum.contacts : NAN;
    score->slide_most_cm = sum.contacts > 0 ? 100 * sum.most : NAN;
    score->slide_added_cm_s = 100 * score_mean(&sum.added);
    score->slide_frame = score_worst(&sum.added);
    score->strike_deg = score_mean(&sum.strike);
    score->strike_frame = score_worst(&sum.strike);
    if (sum.contacts == 0)
        return;
    score->penetration_cm = 100 * fmax(sum.depth.most, 0);
    score->penetration_added_cm = 100 * (fmax(sum.depth.most, 0) - pair->scale * fmax(sum.source_depth.most, 0));
    score->penetration_frame = score_worst(&sum.depth);
}

/* ---- Bones ---- */

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

static Vec3 bone_vector(const ScoredPose *p, const ScoredBone *bone, int frame)
{
    if (bone->from != ROLE_NONE)
        return scored_between(p, frame, bone->from, bone->to);
    Vec3 left = scored_between(p, frame, ROLE_LEFT_HIP, ROLE_LEFT_SHOULDER);
    Vec3 right = scored_between(p, frame, ROLE_RIGHT_HIP, ROLE_RIGHT_SHOULDER);
    return vec3_norm(left) > 0 && vec3_norm(right) > 0 ? vec3_scale(vec3_add(left, right), 0.5) : vec3(0, 0, 0);
}

static void measure_bones(const ScoredPair *pair, RetargetScore *score)
{
    ScoreMean mean[2] = {0};
    for (size_t i = 0; i < sizeof bones / sizeof *bones; i++)
        for (int f = 0; f < pair->frame_count; f++) {
            Vec3 a = bone_vector(&pair->target, &bones[i], f), b = bone_vector(&pair->source, &bones[i], f);
            if (vec3_norm(a) > 0 && vec3_norm(b) > 0)
                score_add(&mean[bones[i].is_leg], scored_angle(a, b), f);
        }
    score->direction_deg = score_mean(&mean[0]);
    score->direction_frame = score_worst(&mean[0]);
    score->leg_direction_deg = score_mean(&mean[1]);
    score->leg_direction_frame = score_worst(&mean[1]);
}

Status scorecard_measure(const ScoredPair *pair, RetargetScore *score, Error *err)
{
    if (pair->contact) {
        measure_feet(pair, score);
        score_hands(pair, score);
    }
    measure_bones(pair, score);
    score_overlap(pair, score);
    score_hand_body(pair, score);
    return score_motion(pair, score, err);
}
