/* See reaction.h. */
#include "analysis/control/reaction.h"

#include <math.h>

#include "analysis/base/standard_gravity.h"
#include "analysis/math/elementary.h"
#include "analysis/math/vec.h"

#define PATIENCE 0.05      /* s out of reach before the balance counts as lost */
#define SUNK 0.25          /* of the height of the reference's centre of mass */
#define TILTED (PI / 4)    /* rad, of the trunk against the reference */
#define REACH 0.6          /* of the height of the centre of mass: how far a step carries a capture point */
#define CALM_SPEED 0.1     /* m/s, of the motion's energy per mass, at which a body rests */
#define CALM_TIME 0.2      /* s */
#define LYING 0.35         /* of the height of the centre of mass at the loss of balance: a body as low lies */

Status reaction_init(Reaction *r, FallRule rule, const AnatomicalFrames *frames, int joint_count, Error *err)
{
    *r = (Reaction){.rule = rule, .lost = NAN, .rest = NAN};
    Status status = fall_init(&r->fall, frames, joint_count, err);
    r->fall.is_limp = rule == FALL_LIMP;
    return status;
}

void reaction_free(Reaction *r) { fall_free(&r->fall); }

int reaction_falls(const Reaction *r) { return !isnan(r->lost) && r->rule != FALL_TRACK; }

int reaction_ends(const Reaction *r, double now)
{
    return reaction_falls(r) && (r->rule == FALL_STOP || !isnan(r->rest) || now - r->lost > REACTION_MAX_FALL);
}

/* Distance along the ground from a place to the nearest body that can support, m. */
static double distance_to_support(const ControlPlant *plant, Vec3 place)
{
    const Footing *ground = plant->ground;
    double nearest = INFINITY;
    for (int i = 0; i < ground->count; i++) {
        Vec3 off = vec3_sub(footing_position(ground, &plant->kinematics, 0, i), place);
        nearest = fmin(nearest, vec3_norm(vec3_mad(off, -vec3_dot(off, ground->normal), ground->normal)));
    }
    return nearest;
}

/* Whether a state is one from which no step brings the body back: it has sunk, its trunk has tilted, or its capture
 * point is further from its feet than a step reaches. */
static int is_out_of_reach(const ControlPlant *plant, const Kinematics *reference, int frame)
{
    const Kinematics *k = &plant->kinematics;
    WholeState now = whole_state(plant->body, k, 0), wanted = whole_state(plant->body, reference, frame);
    size_t row = (size_t)frame * (size_t)k->joint_count;
    double height = footing_height(plant->ground, now.com), goal = footing_height(plant->ground, wanted.com);
    Quat turn = quat_mul(k->orientation[0], quat_conjugate(reference->orientation[row]));
    Vec3 up = plant->ground->normal;
    double tilt = elementary_acos(fmax(-1, fmin(1, vec3_dot(quat_rotate(turn, up), up))));
    double time = sqrt(fmax(goal, 0.1) / GRAVITY);
    Vec3 capture = vec3_mad(now.com, time, now.velocity), planned = vec3_mad(wanted.com, time, wanted.velocity);
    double far = distance_to_support(plant, capture), error = vec3_distance(capture, planned);
    return height < (1 - SUNK) * goal || tilt > TILTED || fmin(far, error) > REACH * goal;
}

static void watch_rest(Reaction *r, const ControlPlant *plant, double now)
{
    WholeState state = whole_state(plant->body, &plant->kinematics, 0);
    int is_calm = 2 * state.kinetic < CALM_SPEED * CALM_SPEED * state.mass;
    r->calm = is_calm ? r->calm + plant->dt : 0;
    if (isnan(r->rest) && r->calm >= CALM_TIME)
        r->rest = now - CALM_TIME;
}

void reaction_lose(Reaction *r, const ControlPlant *plant, double now, const Vec3 *torque)
{
    WholeState state = whole_state(plant->body, &plant->kinematics, 0);
    r->lost = now;
    r->height = footing_height(plant->ground, state.com);
    fall_begin(&r->fall, plant, state.velocity, torque);
}

void reaction_watch(Reaction *r, const ControlPlant *plant, const Kinematics *reference, int frame, double now,
                    const Vec3 *torque)
{
    if (reaction_falls(r)) {
        watch_rest(r, plant, now);
        return;
    }
    r->doubt = is_out_of_reach(plant, reference, frame) ? r->doubt + plant->dt : 0;
    if (!isnan(r->lost) || r->doubt < PATIENCE)
        return;
    reaction_lose(r, plant, now, torque);
}

Status reaction_torques(Reaction *r, const ControlPlant *plant, Vec3 *torque, Error *err)
{
    WholeState state = whole_state(plant->body, &plant->kinematics, 0);
    return fall_torques(&r->fall, plant, footing_height(plant->ground, state.com) < LYING * r->height, torque, err);
}
