#include "analysis/uncertainty/ground_terms.h"

#include "analysis/dynamics/inverse_dynamics.h"
#include "analysis/uncertainty/spread_terms.h"

#define SHORT_TIME 0.01 /* s */
#define LONG_TIME 0.03

/* Independent errors of one bearer's force in one frame, of one standard deviation each. */
enum { ERRORS_MOST = 16 };
typedef struct BearerErrors {
    int forces, couples;
    Vec3 force[ERRORS_MOST];  /* N, at its place */
    Vec3 couple[ERRORS_MOST]; /* Nm */
} BearerErrors;

static void add_force(BearerErrors *e, double size, Vec3 direction)
{
    e->force[e->forces++] = vec3_scale(direction, size);
}

static void add_couple(BearerErrors *e, double size, Vec3 direction)
{
    e->couple[e->couples++] = vec3_scale(direction, size);
}

static int frames_of(const Motion *motion, double time)
{
    int frames = (int)(time / motion->frame_time + 0.5);
    return frames > 1 ? frames : 1;
}

/* The force comes earlier or later. */
static void add_time(BearerErrors *e, const Motion *motion, const Bearer *bearer, int frame, const double size[2])
{
    const double time[2] = {SHORT_TIME, LONG_TIME};
    for (int i = 0; i < 2; i++) {
        int step = frames_of(motion, time[i]), last = motion->frame_count - 1;
        double part = size[i] * time[i] / (step * motion->frame_time) * sqrt(0.5);
        int before = frame > step ? frame - step : 0, after = frame < last - step ? frame + step : last;
        add_force(e, part, vec3_sub(bearer->force[before], bearer->force[frame]));
        add_force(e, part, vec3_sub(bearer->force[after], bearer->force[frame]));
    }
}

static void estimated_errors(const SpreadCase *c, const Bearers *b, int bearer, int frame, BearerErrors *e)
{
    const double *size = c->size;
    const Bearer *of = &b->bearer[bearer];
    Vec3 force = of->force[frame], up = vec3(0, 1, 0), along = b->forward[frame], side = vec3_cross(along, up);
    double vertical = fmax(0, force.y), share = bearer_share(b, bearer, frame);
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

/* What no limb bears could be borne by those that there are. */
static void residual_errors(const SpreadCase *c, const Bearers *b, int bearer, int frame, BearerErrors *e)
{
    const Dynamics *d = c->dynamics;
    double share = bearer_share(b, bearer, frame);
    add_force(e, c->size[SPREAD_RESIDUAL_FORCE] * share, d->residual_force[frame]);
    add_couple(e, c->size[SPREAD_RESIDUAL_MOMENT] * share, d->residual_torque[frame]);
}

static void measured_errors(const Bearers *b, int bearer, int frame, const double *size, BearerErrors *e)
{
    Vec3 along = b->forward[frame], force = b->bearer[bearer].force[frame];
    add_couple(e, size[SPREAD_PLATE_PRESSURE], vec3_cross(along, force));
    add_couple(e, size[SPREAD_PLATE_PRESSURE], vec3_cross(vec3_cross(along, vec3(0, 1, 0)), force));
}

/* Along the joints from the bearer to below the root. */
static void add_errors(const ClipView *clip, const Bearer *bearer, int frame, const BearerErrors *e, TorqueSpread *out)
{
    for (int j = bearer->joint; j > 0; j = clip->skeleton->parent[j]) {
        size_t at = torque_spread_index(out, frame, j);
        Vec3 arm = vec3_sub(clip->kinematics->position[at], bearer->place[frame]);
        for (int i = 0; i < e->forces; i++)
            torque_spread_add(out, at, vec3_cross(arm, e->force[i]));
        for (int i = 0; i < e->couples; i++)
            torque_spread_add(out, at, e->couple[i]);
    }
}

void ground_terms_add(const SpreadCase *c, const Bearers *bearers, GroundSource source, TorqueSpread *out)
{
    for (int f = 0; f < bearers->frame_count && source != GROUND_NONE; f++)
        for (int b = 0; b < bearers->count; b++) {
            BearerErrors errors = {0};
            if (source == GROUND_MEASURED) {
                measured_errors(bearers, b, f, c->size, &errors);
            } else {
                estimated_errors(c, bearers, b, f, &errors);
                residual_errors(c, bearers, b, f, &errors);
            }
            add_errors(c->clip, &bearers->bearer[b], f, &errors, out);
        }
}

Vec3 bearer_takes(const Bearers *b, int bearer, int frame, Vec3 force, Vec3 joint)
{
    Vec3 arm = vec3_sub(joint, b->bearer[bearer].place[frame]);
    return vec3_cross(arm, vec3_scale(force, bearer_share(b, bearer, frame)));
}
