/* See foot_goal.h. */
#include "analysis/retarget/foot_goal.h"

#include <math.h>

#include "analysis/retarget/foot_contact.h"
#include "analysis/retarget/limb_solve.h"

#define STILL 0.05    /* leg lengths per second: the slowest point supports the foot; speeds well below this count as
                         equal */
#define SPREAD 0.02   /* leg lengths: a point this much higher than the lowest has half its weight for the height */
#define LOW 0.02      /* leg lengths: below this height a sole in the air has the full weight SWING for the source's
                         height */
#define HIGH 0.12     /* leg lengths: above this height it follows the copied motion */
#define SWING 0.15    /* fraction of a supporting foot's weight that a low swinging foot gets for its height */

static Vec3 sole_point_position(const SoledPose *p, int foot, SolePoint point, int frame)
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
static Vec3 sole_arm(const FootWork *w, SolePoint point, int frame)
{
    const SoledPose *p = &w->pair->target;
    Vec3 ankle = p->position[(size_t)frame * (size_t)p->joint_count + (size_t)p->sole[w->foot].ankle];
    return vec3_sub(sole_point_position(p, w->foot, point, frame), ankle);
}

/* Displacement of the source's sole to the next frame, scaled, m; of a locked one, that of the ground. */
static Vec3 sole_path(const FootWork *w, SolePoint point, int frame)
{
    const FootContact *c = w->pair->contact;
    if (c->locked[foot_index(frame, w->foot)])
        return vec3_scale(c->belt, w->pair->scale * c->frame_time);
    return vec3_scale(vec3_sub(sole_point_position(&w->pair->source, w->foot, point, frame + 1),
                               sole_point_position(&w->pair->source, w->foot, point, frame)), w->pair->scale);
}

/* Weight of a point for the foot's velocity: it falls with the 18th power of the point's speed in the source, because
 * a rolling foot pivots about the point at rest; a mean of points slides at the speed of none. A locked foot pivots
 * about the ball while that is down, otherwise about the heel. */
static double sole_weight(const FootWork *w, SolePoint point, int frame, Vec3 path)
{
    const FootContact *c = w->pair->contact;
    double say = w->weight[point == SOLE_TIP ? SOLE_BALL : point][frame];
    if (c->locked[foot_index(frame, w->foot)])
        return point == SOLE_HEEL ? say * (1 - w->weight[SOLE_BALL][frame]) + 1e-6 : point == SOLE_BALL ? say : 0;
    Vec3 moved = vec3_mad(path, -w->pair->scale * c->frame_time, c->belt);
    double unit = c->frame_time * w->leg * STILL;
    double speed = vec3_norm(vec3_mad(moved, -vec3_dot(moved, c->normal), c->normal)) / unit;
    double still = 1 / (1 + speed * speed), part = say * say * still * still * still;
    return part * part * part;
}

/* Mean velocity of the ankle, m/s, at which the supporting points move as in the source until the next frame. */
static Vec3 velocity_at(const FootWork *w, int frame)
{
    Vec3 sum = {0, 0, 0};
    double says = 0;
    for (int k = 0; k < SOLE_POINTS; k++) {
        Vec3 path = sole_path(w, (SolePoint)k, frame);
        Vec3 swing = vec3_sub(sole_arm(w, (SolePoint)k, frame + 1), sole_arm(w, (SolePoint)k, frame));
        double say = sole_weight(w, (SolePoint)k, frame, path);
        sum = vec3_mad(sum, say, vec3_sub(path, swing));
        says += say;
    }
    return vec3_scale(sum, 1 / (says * w->pair->contact->frame_time));
}

/* Height of a point of the source's sole above the ground, in leg lengths. */
static double source_height(const FootWork *w, SolePoint point, int frame)
{
    const FootContact *c = w->pair->contact;
    Vec3 position = sole_point_position(&w->pair->source, w->foot, point, frame);
    return w->pair->scale * (vec3_dot(position, c->normal) - c->height - c->level[foot_index(frame, w->foot)]) / w->leg;
}

/* Sets the height of the ankle at which the lowest points of the sole are as high as the source's, scaled, and the
 * floor. */
static void set_height(const FootWork *w, int frame, LimbGoal *goal)
{
    const FootContact *c = w->pair->contact;
    double height[SOLE_POINTS], min = INFINITY, says = 0;
    for (int k = 0; k < SOLE_POINTS; k++)
        min = fmin(min, height[k] = source_height(w, (SolePoint)k, frame));
    for (int k = 0; k < SOLE_POINTS; k++) {
        double above = (height[k] - min) / SPREAD, say = 1 / (1 + above * above);
        double arm = vec3_dot(sole_arm(w, (SolePoint)k, frame), c->normal);
        double ground = w->pair->scale * (c->height + c->level[foot_index(frame, w->foot)]);
        goal->height += say * (height[k] * w->leg + ground - arm);
        says += say;
    }
    double x = fmax(0, fmin(1, (HIGH - min) / (HIGH - LOW)));
    goal->height /= says;
    goal->height_weight = fmax(goal->velocity_weight - w->in_air, SWING * x * x * (3 - 2 * x));
}

/* Sets the height of the ankle below which heel, ball or a joint of the foot is deeper than the source's; toes bend. */
static void set_floor(const FootWork *w, int frame, LimbGoal *goal)
{
    const SoledPose *p = &w->pair->target;
    Vec3 n = w->pair->contact->normal;
    double floor = foot_goal_sole_floor(w->pair, w->foot, frame);
    for (int k = SOLE_HEEL; k <= SOLE_BALL; k++)
        goal->floor = fmax(goal->floor, floor - vec3_dot(sole_arm(w, (SolePoint)k, frame), n));
    floor = foot_goal_floor(w->pair, w->foot, frame);
    if (p->outline)
        goal->floor = fmax(goal->floor, floor + foot_goal_drop(w->pair, w->foot, frame));
    goal->height = fmax(goal->height, goal->floor);
}

static LimbGoal goal_at(const FootWork *w, int frame, int is_last)
{
    LimbGoal goal = {.floor = -INFINITY,
                     .velocity_weight = fmax(w->weight[SOLE_HEEL][frame], w->weight[SOLE_BALL][frame])};
    set_height(w, frame, &goal);
    set_floor(w, frame, &goal);
    if (!is_last)
        goal.velocity = velocity_at(w, frame);
    return goal;
}

double foot_goal_floor(const FootPair *pair, int foot, int frame)
{
    const FootContact *c = pair->contact;
    const SoledPose *p = &pair->source;
    double ground = c->height + c->level[foot_index(frame, foot)];
    if (!p->outline)
        return foot_goal_sole_floor(pair, foot, frame);
    return pair->scale * fmin(ground, foot_outline_height(&p->outline[foot], soled_pose_positions(p, frame),
                                                          soled_pose_orientations(p, frame), c->normal));
}

double foot_goal_sole_floor(const FootPair *pair, int foot, int frame)
{
    const FootContact *c = pair->contact;
    double min = c->height + c->level[foot_index(frame, foot)];
    for (int k = 0; k < SOLE_POINTS; k++)
        min = fmin(min, vec3_dot(sole_point_position(&pair->source, foot, (SolePoint)k, frame), c->normal));
    return pair->scale * min;
}

double foot_goal_drop(const FootPair *pair, int foot, int frame)
{
    const SoledPose *p = &pair->target;
    const Vec3 *x = soled_pose_positions(p, frame);
    const Quat *q = soled_pose_orientations(p, frame);
    const FootOutline *outline = &p->outline[foot];
    double min = INFINITY, ankle = vec3_dot(x[p->sole[foot].ankle], pair->contact->normal);
    int bends = p->sole[foot].toe != p->sole[foot].ankle;
    for (int i = 0; i < outline->count; i++)
        if (!bends || !outline->point[i].is_toe)
            min = fmin(min, vec3_dot(outline_position(&outline->point[i], x, q), pair->contact->normal));
    return ankle - min;
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
