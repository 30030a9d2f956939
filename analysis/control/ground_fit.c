/* See ground_fit.h. */
#include "analysis/control/ground_fit.h"

#include <math.h>
#include <string.h>

#include "analysis/clip/contact.h"
#include "analysis/control/reference_ik.h"

#define MAX_CORRECTION 0.12 /* m, of a foot that supports onto the ground */
#define SMOOTH 0.03      /* s, half window of the mean of corrections */
#define SWAY 0.15        /* s, half window of the height of the body */
#define STRAIGHT 0.999   /* of the length of a leg: its longest reach */
#define MAX_BUMP 0.4     /* m, by which a foot is lifted over an obstacle */
#define MIDDLE 0.15      /* of a swing: obstacles before and after belong to the supports */

/* A plane that a foot stands on. */
typedef struct Facet {
    Vec3 at;
    TerrainSpot spot;
} Facet;

typedef struct FittedFoot {
    int end;          /* its joint */
    Vec3 axis;        /* about which the leg bends */
    double length;    /* m, of the leg */
    char *stands;     /* [step] */
    Vec3 *ankle;      /* [step] m, recorded */
    Quat *orientation; /* [step] recorded */
    Facet *facet;     /* [step] of a foot that stands */
    Quat *tilt;       /* [step] from the recorded ground to this one */
    double *raise;    /* [step] m, of the ground below the ankle */
    double *shift;    /* [step] m, of the foot along the normal */
    Vec3 *goal;       /* [step] m, of the ankle */
} FittedFoot;

typedef struct Fit {
    const GroundFitDef *def;
    ReferencePose pose;
    int steps;
    double dt;
    FittedFoot foot[FOOT_COUNT];
    double *root, *work; /* [step] m, upwards */
    Arena memory;
} Fit;

int ground_fit_foot(const Skeleton *s, int side)
{
    int end = skeleton_find_role(s, side == FOOT_LEFT ? ROLE_LEFT_ANKLE : ROLE_RIGHT_ANKLE);
    int middle = end < 0 ? -1 : s->parent[end], top = middle < 0 ? -1 : s->parent[middle];
    return top >= 0 && s->parent[top] >= 0 ? end : -1;
}

int ground_fit_has_feet(const Skeleton *s)
{
    return ground_fit_foot(s, FOOT_LEFT) >= 0 && ground_fit_foot(s, FOOT_RIGHT) >= 0;
}

static TerrainSpot recorded_at(const Fit *f, double x, double z)
{
    Vec3 n = f->def->recorded.normal;
    return (TerrainSpot){f->def->recorded.height - (n.x * x + n.z * z) / n.y, n};
}

static TerrainSpot ground_at(const Fit *f, double x, double z)
{
    return terrain_at(f->def->terrain, x, z);
}

static double extend(const Facet *facet, Vec3 to) { return terrain_extend(&facet->spot, facet->at, to.x, to.z); }

/* A point of a foot whose ankle is at a position. */
static Vec3 sole_point(const Fit *f, int point, Vec3 ankle, Quat orientation)
{
    return vec3_add(ankle, quat_rotate(orientation, f->def->recorded.point[point]));
}

static int is_of(const Fit *f, const FittedFoot *foot, int point) { return f->def->recorded.joint[point] == foot->end; }

static void read_foot(Fit *f, FittedFoot *foot)
{
    const Skeleton *s = f->def->skeleton;
    int points = f->def->recorded.count;
    foot->axis = reference_bend_axis(&f->pose, foot->end);
    foot->length = vec3_norm(s->offset[foot->end]) + vec3_norm(s->offset[s->parent[foot->end]]);
    for (int i = 0; i < f->steps; i++) {
        reference_pose(&f->pose, i);
        foot->ankle[i] = f->pose.position[foot->end];
        foot->orientation[i] = f->pose.orientation[foot->end];
        for (int p = 0; p < points; p++)
            foot->stands[i] |= is_of(f, foot, p) && f->def->loaded[(size_t)i * (size_t)points + (size_t)p];
    }
}

/* Height of the lowest point of a foot over a facet, along its normal. */
static double lowest_over(const Fit *f, const FittedFoot *foot, const Facet *facet, Vec3 ankle, Quat orientation)
{
    double lowest = INFINITY;
    for (int p = 0; p < f->def->recorded.count; p++) {
        Vec3 at = sole_point(f, p, ankle, orientation);
        if (is_of(f, foot, p))
            lowest = fmin(lowest, (at.y - extend(facet, at)) * facet->spot.normal.y);
    }
    return isfinite(lowest) ? lowest : 0;
}

/* The facet under a foot: of those below its points the highest. */
static Facet find_facet(const Fit *f, const FittedFoot *foot, int step)
{
    Vec3 at = foot->ankle[step];
    Facet best = {at, ground_at(f, at.x, at.z)};
    for (int p = 0; p < f->def->recorded.count; p++) {
        Vec3 place = sole_point(f, p, at, foot->orientation[step]);
        TerrainSpot spot = ground_at(f, place.x, place.z);
        if (is_of(f, foot, p) && spot.height > extend(&best, place) + 1e-9)
            best = (Facet){place, spot};
    }
    return best;
}

/* Next step from `from` on whose standing is `stands`; the number of steps if there is none. */
static int find_change(const Fit *f, const FittedFoot *foot, int from, int stands)
{
    while (from < f->steps && foot->stands[from] != stands)
        from++;
    return from;
}

static Quat tilt_of(const Fit *f, const Facet *facet)
{
    return quat_between(f->def->recorded.normal, facet->spot.normal);
}

/* Ankle over a facet as over the recorded ground. */
static void place_ankle(const Fit *f, FittedFoot *foot, int step, double ground, Quat tilt)
{
    Vec3 ankle = foot->ankle[step];
    double recorded = recorded_at(f, ankle.x, ankle.z).height;
    Vec3 height = quat_rotate(tilt, vec3(0, ankle.y - recorded, 0));
    foot->raise[step] = ground - recorded;
    foot->tilt[step] = tilt;
    foot->goal[step] = vec3_add(vec3(ankle.x, ground, ankle.z), height);
}

static void place_standing(const Fit *f, FittedFoot *foot, int from, int to)
{
    Facet facet = find_facet(f, foot, (from + to - 1) / 2);
    Quat tilt = tilt_of(f, &facet);
    for (int i = from; i < to; i++) {
        foot->facet[i] = facet;
        place_ankle(f, foot, i, extend(&facet, foot->ankle[i]), tilt);
        double gap = lowest_over(f, foot, &facet, foot->goal[i], quat_mul(tilt, foot->orientation[i]));
        foot->shift[i] = fmax(-MAX_CORRECTION, fmin(MAX_CORRECTION, -gap));
    }
}

static double ease(double x) { return x * x * x * (10 - x * (15 - 6 * x)); }

/* A swing from step `from` - 1 to step `to`, which stand if they exist. */
static void place_swinging(const Fit *f, FittedFoot *foot, int from, int to)
{
    int before = from > 0 ? from - 1 : to < f->steps ? to : -1, after = to < f->steps ? to : before;
    Facet none = find_facet(f, foot, from), first = before < 0 ? none : foot->facet[before];
    Facet last = after < 0 ? none : foot->facet[after];
    double shift[2] = {before < 0 ? 0 : foot->shift[before], after < 0 ? 0 : foot->shift[after]};
    for (int i = from; i < to; i++) {
        double part = ease((double)(i - from + 1) / (to - from + 1));
        double ground = lerp(extend(&first, foot->ankle[i]), extend(&last, foot->ankle[i]), part);
        place_ankle(f, foot, i, ground, quat_slerp(tilt_of(f, &first), tilt_of(f, &last), part));
        foot->shift[i] = lerp(shift[0], shift[1], part);
    }
}

/* Lifts a swing over what its points would hit. */
static void clear_obstacles(const Fit *f, FittedFoot *foot, int from, int to)
{
    double bump = 0;
    for (int i = from; i < to; i++) {
        double s = (double)(i - from + 1) / (to - from + 1), deepest = 0;
        if (s < MIDDLE || s > 1 - MIDDLE)
            continue;
        Quat orientation = quat_mul(foot->tilt[i], foot->orientation[i]);
        for (int p = 0; p < f->def->recorded.count; p++) {
            Vec3 at = sole_point(f, p, foot->goal[i], orientation);
            if (is_of(f, foot, p))
                deepest = fmax(deepest, ground_at(f, at.x, at.z).height - at.y);
        }
        bump = fmax(bump, deepest / (16 * s * s * (1 - s) * (1 - s)));
    }
    for (int i = from; i < to; i++) {
        double s = (double)(i - from + 1) / (to - from + 1);
        foot->goal[i].y += fmin(MAX_BUMP, bump) * 16 * s * s * (1 - s) * (1 - s);
    }
}

/* Mean over a window, or its maximum. */
static void filter(const Fit *f, double *value, double half, int is_max)
{
    int wide = (int)lround(half / f->dt);
    for (int i = 0; i < f->steps; i++) {
        double sum = 0, max = -INFINITY;
        for (int k = i - wide; k <= i + wide; k++) {
            double v = value[k < 0 ? 0 : k < f->steps ? k : f->steps - 1];
            sum += v;
            max = fmax(max, v);
        }
        f->work[i] = is_max ? max : sum / (2 * wide + 1);
    }
    memcpy(value, f->work, (size_t)f->steps * sizeof *value);
}

static void place_foot(Fit *f, FittedFoot *foot)
{
    for (int i = 0; i < f->steps;) {
        int from = find_change(f, foot, i, 1), to = find_change(f, foot, from, 0);
        if (from < f->steps)
            place_standing(f, foot, from, to);
        i = to;
    }
    for (int i = 0; i < f->steps;) {
        int from = find_change(f, foot, i, 0), to = find_change(f, foot, from, 1);
        if (from < f->steps)
            place_swinging(f, foot, from, to);
        i = to;
    }
    filter(f, foot->shift, SMOOTH, 0);
    filter(f, foot->shift, SMOOTH, 0);
    for (int i = 0; i < f->steps; i++)
        foot->goal[i] = vec3_mad(foot->goal[i], foot->shift[i],
                                 quat_rotate(foot->tilt[i], f->def->recorded.normal));
    for (int i = 0; i < f->steps;) {
        int from = find_change(f, foot, i, 0), to = find_change(f, foot, from, 1);
        clear_obstacles(f, foot, from, to);
        i = to;
    }
}

/* How far a hip must sink for its leg to reach the goal of its ankle. */
static double find_lack(const FittedFoot *foot, Vec3 hip, Vec3 goal, double recorded)
{
    double reach = fmax(STRAIGHT * foot->length, recorded);
    double flat = (hip.x - goal.x) * (hip.x - goal.x) + (hip.z - goal.z) * (hip.z - goal.z);
    double highest = goal.y + sqrt(fmax(0, reach * reach - flat));
    return fmax(0, hip.y - highest);
}

/* Height of the body: the mean raise of the ground under its feet, less what straight legs lack. */
static void place_root(Fit *f)
{
    const Skeleton *s = f->def->skeleton;
    for (int i = 0; i < f->steps; i++)
        f->root[i] = 0.5 * (f->foot[0].raise[i] + f->foot[1].raise[i]);
    filter(f, f->root, SWAY, 0);
    filter(f, f->root, SWAY, 0);
    double *lack = arena_array(&f->memory, (size_t)f->steps, 1, sizeof *lack);
    for (int i = 0; lack && i < f->steps; i++) {
        reference_pose(&f->pose, i);
        for (int side = 0; side < FOOT_COUNT; side++) {
            FittedFoot *foot = &f->foot[side];
            Vec3 hip = f->pose.position[s->parent[s->parent[foot->end]]];
            double recorded = vec3_distance(hip, foot->ankle[i]);
            hip.y += f->root[i];
            lack[i] = fmax(lack[i], find_lack(foot, hip, foot->goal[i], recorded));
        }
    }
    if (!lack)
        return;
    filter(f, lack, SWAY, 1);
    filter(f, lack, SWAY, 0);
    for (int i = 0; i < f->steps; i++)
        f->root[i] -= lack[i];
}

static void write_motion(Fit *f, GroundMiss *miss)
{
    Motion *motion = f->pose.motion;
    for (int i = 0; i < f->steps; i++) {
        motion->root_position[i].y += f->root[i];
        reference_pose(&f->pose, i);
        for (int side = 0; side < FOOT_COUNT; side++) {
            FittedFoot *foot = &f->foot[side];
            f->pose.orientation[foot->end] = quat_mul(foot->tilt[i], foot->orientation[i]);
            double gap = reference_reach(&f->pose, foot->end, foot->axis, foot->goal[i]);
            if (gap > miss->distance)
                *miss = (GroundMiss){gap, motion->time[i], foot->end};
        }
    }
    motion_make_continuous(motion);
}

static void make_arrays(Fit *f)
{
    size_t steps = (size_t)f->steps, joints = (size_t)f->def->skeleton->joint_count;
    f->pose.position = arena_array(&f->memory, joints, 1, sizeof *f->pose.position);
    f->pose.orientation = arena_array(&f->memory, joints, 1, sizeof *f->pose.orientation);
    f->root = arena_array(&f->memory, steps, 1, sizeof *f->root);
    f->work = arena_array(&f->memory, steps, 1, sizeof *f->work);
    for (int side = 0; side < FOOT_COUNT; side++) {
        FittedFoot *foot = &f->foot[side];
        foot->end = ground_fit_foot(f->def->skeleton, side);
        foot->stands = arena_array(&f->memory, steps, 1, 1);
        foot->ankle = arena_array(&f->memory, steps, 1, sizeof *foot->ankle);
        foot->orientation = arena_array(&f->memory, steps, 1, sizeof *foot->orientation);
        foot->facet = arena_array(&f->memory, steps, 1, sizeof *foot->facet);
        foot->tilt = arena_array(&f->memory, steps, 1, sizeof *foot->tilt);
        foot->raise = arena_array(&f->memory, steps, 1, sizeof *foot->raise);
        foot->shift = arena_array(&f->memory, steps, 1, sizeof *foot->shift);
        foot->goal = arena_array(&f->memory, steps, 1, sizeof *foot->goal);
    }
}

Status ground_fit(const GroundFitDef *def, Motion *motion, GroundMiss *miss, Error *err)
{
    Fit f = {.def = def, .steps = motion->frame_count, .dt = motion->frame_time,
             .pose = {def->skeleton, motion, 0, NULL, NULL}};
    *miss = (GroundMiss){0, 0, -1};
    make_arrays(&f);
    for (int side = 0; !f.memory.failed && side < FOOT_COUNT; side++) {
        read_foot(&f, &f.foot[side]);
        place_foot(&f, &f.foot[side]);
    }
    if (!f.memory.failed)
        place_root(&f);
    int failed = f.memory.failed;
    if (!failed)
        write_motion(&f, miss);
    arena_free(&f.memory);
    return failed ? error_no_memory(err) : STATUS_OK;
}
