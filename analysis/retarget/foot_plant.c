#include "analysis/retarget/foot_plant.h"

#include "analysis/contact/ground_track.h"
#include "analysis/math/elementary.h"
#include "analysis/retarget/two_bone.h"

#define STRAIGHTEST 0.9995 /* of the leg's length: straighter than this no leg is held */
#define MOST_BEND 1.8      /* rad: toes bend no further */
#define USUAL 0.9          /* of all frames: a faster one may be a glitch of the recording */
#define MOST_DROP 0.25     /* leg lengths: a foot that needs more is given up */

typedef struct Plant {
    const TargetFeet *feet;
    const Sole *sole; /* the feet's, as are the next two */
    const FootContact *contact;
    const Kinematics *copied;
    const FootPlantDef *def;
    double knee;       /* m/s2 */
    FootPath path;
    double *straight;  /* [frame][foot] ratio of distance to length that a standing leg may have */
    double *near;      /* [frame][foot] 1: stands */
    double *drop;      /* [frame] m */
    double *bend[FOOT_COUNT]; /* [frame] rad, of the toes, upwards */
    double *scratch;   /* [frame] */
} Plant;

FootPlantDef foot_plant_default_def(void)
{
    return (FootPlantDef){.path = foot_path_default_def(), .straight = 0.96, .straighten = 0.15, .knee = 0.45,
                          .room = 0.01, .settle = 0.1, .bend_time = 0.1, .near = 0.08};
}

static size_t joint_at(const Plant *p, int frame, int joint)
{
    return (size_t)frame * (size_t)p->copied->joint_count + (size_t)joint;
}

static double leg_length(const Plant *p, int foot, int f)
{
    const Sole *sole = &p->sole[foot];
    const Vec3 *x = p->copied->position + joint_at(p, f, 0);
    return vec3_distance(x[sole->hip], x[sole->knee]) + vec3_distance(x[sole->knee], x[sole->ankle]);
}

/* How far the hips must come down for a standing foot: |h - d n - a| = r has d = n.(h - a) - sqrt(r^2 - |across|^2). */
static double needed_drop(const Plant *p, int foot, int f)
{
    const Sole *sole = &p->sole[foot];
    const Vec3 *x = p->copied->position + joint_at(p, f, 0);
    Vec3 n = p->contact->normal, hip = vec3_mad(x[sole->hip], p->path.rise, n);
    Vec3 way = vec3_sub(hip, p->path.pose[foot_index(f, foot)].ankle);
    double reach = p->straight[foot_index(f, foot)] * leg_length(p, foot, f), height = vec3_dot(way, n);
    double across = vec3_dot(way, way) - height * height, room = reach * reach - across;
    return room > 0 ? fmin(fmax(height - sqrt(room), 0), MOST_DROP * p->feet->leg) : MOST_DROP * p->feet->leg;
}

/* Smooth curve that nowhere lies below value: the largest value within `width` frames, averaged with the weights
 * (1 - (i / (width + 1))^2)^3, which vanish smoothly. */
static void smooth_envelope(double *value, int frames, int width, double *largest)
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

/* How near each frame is to one in which the foot stands: 1 there, falling smoothly to 0 within def->near. */
static void find_nearness(Plant *p, int foot)
{
    int frames = p->copied->frame_count;
    double each = p->contact->frame_time / p->def->near, left = 0, right = 0;
    for (int f = 0; f < frames; f++)
        p->near[foot_index(f, foot)] = left = p->path.held[foot_index(f, foot)] ? 1 : fmax(left - each, 0);
    for (int f = frames - 1; f >= 0; f--) {
        right = p->path.held[foot_index(f, foot)] ? 1 : fmax(right - each, 0);
        double x = fmax(right, p->near[foot_index(f, foot)]);
        p->near[foot_index(f, foot)] = x * x * (3 - 2 * x);
    }
}

/* Distance from hip to ankle over the length of the leg, before the hips come down. */
static double planted_ratio(const Plant *p, int foot, int f)
{
    Vec3 hip = p->copied->position[joint_at(p, f, p->sole[foot].hip)];
    return vec3_distance(vec3_mad(hip, p->path.rise, p->contact->normal), p->path.pose[foot_index(f, foot)].ankle) /
           leg_length(p, foot, f);
}

/* How straight the leg may be. The knee lies off the line from hip to ankle by about (L/2) sqrt(1 - r^2), r the ratio
 * of distance to length, so a ratio that changes at the rate r' accelerates it by (L/2) r'^2 / (1 - r^2)^(3/2): the
 * limit keeps that below a share of what the copied body's joints have. Between stances it is that of the copied leg;
 * it grows no faster than def->straighten. */
static void find_limits(Plant *p, int foot)
{
    int frames = p->copied->frame_count;
    double dt = p->contact->frame_time;
    for (int f = 0; f < frames; f++) {
        int before = f > 0 ? f - 1 : 0, after = f + 1 < frames ? f + 1 : f;
        double length = leg_length(p, foot, f), limit = STRAIGHTEST;
        if (p->path.held[foot_index(f, foot)]) {
            double rate = (planted_ratio(p, foot, after) - planted_ratio(p, foot, before)) /
                          (dt * (after - before + (after == before)));
            limit = sqrt(fmax(1 - elementary_pow(length * rate * rate / (2 * p->knee), 2.0 / 3), 0));
        }
        p->straight[foot_index(f, foot)] = fmin(fmax(limit, p->def->straight), STRAIGHTEST);
    }
    for (int f = 1; f < frames; f++)
        p->straight[foot_index(f, foot)] =
            fmin(p->straight[foot_index(f, foot)], p->straight[foot_index(f - 1, foot)] + p->def->straighten * dt);
    for (int f = frames - 2; f >= 0; f--)
        p->straight[foot_index(f, foot)] =
            fmin(p->straight[foot_index(f, foot)], p->straight[foot_index(f + 1, foot)] + p->def->straighten * dt);
}

/* How far from the hip the ankle is held that should be `distance` away: a foot in the air is slowed below the limit of
 * its leg, the nearer to a stance the closer to it; one that stands lies within the limit and is where it should be. */
static double leg_reach(const Plant *p, int foot, int f, double distance)
{
    double length = leg_length(p, foot, f), ratio = distance / length, limit = p->straight[foot_index(f, foot)];
    double room = p->def->room;
    return length * two_bone_soft_ratio(ratio, limit - room * (1 - p->near[foot_index(f, foot)]), room);
}

/* What the copied motion accelerates its joints by, m/s2: the largest of a frame, that most frames keep below. scratch:
 * [frame]. */
static double usual_acceleration(const Kinematics *k, double *scratch)
{
    int count = 0;
    for (int f = 0; f < k->frame_count; f++) {
        const Vec3 *row = k->acceleration + (size_t)f * (size_t)k->joint_count;
        if (!k->valid[f])
            continue;
        scratch[count] = 0;
        for (int j = 0; j < k->joint_count; j++)
            scratch[count] = fmax(scratch[count], vec3_norm(row[j]));
        count++;
    }
    return count ? track_percentile(scratch, count, USUAL) : 0;
}

static void find_drop(Plant *p)
{
    for (int f = 0; f < p->copied->frame_count; f++)
        for (int foot = 0; foot < FOOT_COUNT; foot++) {
            if (p->path.held[foot_index(f, foot)])
                p->drop[f] = fmax(p->drop[f], needed_drop(p, foot, f));
        }
}

/* The turn that the foot takes from the copied motion's to its own. */
static Quat foot_turn(const Plant *p, int foot, int f)
{
    return quat_mul(p->path.pose[foot_index(f, foot)].orientation,
                    quat_conjugate(p->copied->orientation[joint_at(p, f, p->sole[foot].ankle)]));
}

/* Orientation of the toes before they bend, to world. */
static Quat straight_toe(const Plant *p, int foot, int f)
{
    return quat_mul(foot_turn(p, foot, f), p->copied->orientation[joint_at(p, f, p->sole[foot].toe)]);
}

/* How far the toes must bend up (rad) so that the tip stays above the ground. The tip u turns about the axis a: its
 * height is (u.a)(a.n) + A cos(b) + B sin(b) = (u.a)(a.n) + R cos(b - top), highest at b = top. */
static double needed_bend(const Plant *p, int foot, int f)
{
    const Sole *sole = &p->sole[foot];
    const Vec3 *x = p->copied->position + joint_at(p, f, 0);
    Vec3 n = p->contact->normal, arm = quat_rotate(foot_turn(p, foot, f), vec3_sub(x[sole->toe], x[sole->ankle]));
    Quat toe = straight_toe(p, foot, f);
    Vec3 tip = quat_rotate(toe, sole->local[SOLE_TIP]), axis = quat_rotate(toe, sole->toe_hinge);
    size_t i = foot_index(f, foot);
    double height = vec3_dot(vec3_add(p->path.pose[i].ankle, arm), n) - p->path.ground[i];
    double level = vec3_dot(tip, axis) * vec3_dot(axis, n), a = vec3_dot(tip, n) - level;
    double b = vec3_dot(vec3_cross(axis, tip), n), r = sqrt(a * a + b * b), top = elementary_atan2(b, a);
    top += top < -PI / 2 ? 2 * PI : 0;
    double wanted = -height - level;
    if (!(fabs(wanted) < r)) /* above the ground anyhow, or out of the toes' reach */
        return 0;
    return fmax(fmin(top - elementary_acos(wanted / r), MOST_BEND), 0);
}

/* Toes bend by a smooth envelope of what the ground asks of them. */
static void find_bends(Plant *p, int foot, double *scratch)
{
    int frames = p->copied->frame_count;
    for (int f = 0; f < frames; f++)
        p->bend[foot][f] = needed_bend(p, foot, f);
    smooth_envelope(p->bend[foot], frames, (int)(p->def->bend_time / p->contact->frame_time), scratch);
}

/* Writes the local rotation of a joint from its new world orientation and its parent's. */
static Quat local_of(Quat parent, Quat joint) { return quat_normalize(quat_mul(quat_conjugate(parent), joint)); }

/* World orientation of the parent of `joint` when `turned`, which lies above, has turned by `turn`. */
static Quat turned_parent(const Plant *p, int f, int joint, Quat turn)
{
    return quat_mul(turn, p->copied->orientation[joint_at(p, f, p->feet->skeleton->parent[joint])]);
}

static void place_leg(const Plant *p, int foot, int f, Vec3 shift, Motion *motion)
{
    const Sole *sole = &p->sole[foot];
    const Vec3 *x = p->copied->position + joint_at(p, f, 0);
    const Quat *q = p->copied->orientation + joint_at(p, f, 0);
    Quat *local = motion->rotation + motion_index(motion, f, 0);
    FootPose pose = p->path.pose[foot_index(f, foot)];
    Vec3 left = quat_rotate(q[sole->hip], sole->hinge);
    TwoBone leg = {vec3_add(x[sole->hip], shift), vec3_add(x[sole->knee], shift), vec3_add(x[sole->ankle], shift),
                   left};
    TwoBoneTurn turn = two_bone_solve(&leg, pose.ankle, leg_reach(p, foot, f, vec3_distance(pose.ankle, leg.root)));
    local[sole->hip] = local_of(turned_parent(p, f, sole->hip, QUAT_IDENTITY), quat_mul(turn.root, q[sole->hip]));
    local[sole->knee] = local_of(turned_parent(p, f, sole->knee, turn.root), quat_mul(turn.middle, q[sole->knee]));
    local[sole->ankle] = local_of(turned_parent(p, f, sole->ankle, turn.middle), pose.orientation);
    if (sole->toe == sole->ankle)
        return;
    Quat moved = foot_turn(p, foot, f);
    local[sole->toe] = local_of(turned_parent(p, f, sole->toe, moved),
                                quat_mul(straight_toe(p, foot, f),
                                         quat_from_axis_angle(sole->toe_hinge, p->bend[foot][f])));
}

static void place_legs(const Plant *p, Motion *motion)
{
    for (int f = 0; f < p->copied->frame_count; f++) {
        Vec3 shift = vec3_scale(p->contact->normal, p->path.rise - p->drop[f]);
        motion->root_position[f] = vec3_add(motion->root_position[f], shift);
        for (int foot = 0; foot < FOOT_COUNT; foot++)
            if (p->sole[foot].ankle >= 0)
                place_leg(p, foot, f, shift, motion);
    }
    motion_make_continuous(motion);
}

/* How straight the legs may be, how far toes bend and the hips come down. */
static void plan_feet(Plant *p)
{
    p->knee = p->def->knee * usual_acceleration(p->copied, p->scratch);
    for (int foot = 0; foot < FOOT_COUNT; foot++) {
        if (p->sole[foot].ankle < 0)
            continue;
        find_nearness(p, foot);
        find_limits(p, foot);
        if (p->sole[foot].toe != p->sole[foot].ankle)
            find_bends(p, foot, p->scratch);
    }
    find_drop(p);
    smooth_envelope(p->drop, p->copied->frame_count, (int)(p->def->settle / p->contact->frame_time), p->scratch);
}

Status foot_plant(const TargetFeet *feet, const FootPlantDef *def, Motion *motion, Error *err)
{
    size_t frames = (size_t)feet->pose->frame_count;
    Arena arena = {0};
    Plant p = {.feet = feet, .sole = feet->sole, .contact = feet->contact, .copied = feet->pose, .def = def,
               .straight = arena_array(&arena, frames, FOOT_COUNT, sizeof *p.straight),
               .near = arena_array(&arena, frames, FOOT_COUNT, sizeof *p.near),
               .drop = arena_array(&arena, frames, 1, sizeof *p.drop),
               .scratch = arena_array(&arena, frames, 1, sizeof *p.scratch)};
    for (int foot = 0; foot < FOOT_COUNT; foot++)
        p.bend[foot] = arena_array(&arena, frames, 1, sizeof *p.bend[foot]);
    Status status = foot_path_init(&p.path, feet, &def->path, &arena, err);
    if (!status) {
        plan_feet(&p);
        place_legs(&p, motion);
    }
    arena_free(&arena);
    return status;
}

/* How far the lowest point of both soles lies below what its foot stands on, 0 where none does. */
static double depth_below(const TargetFeet *feet, int f)
{
    const FootContact *c = feet->contact;
    size_t i = (size_t)f * (size_t)feet->pose->joint_count;
    double deepest = 0;
    for (int foot = 0; foot < FOOT_COUNT; foot++)
        for (int k = 0; k < SOLE_POINTS && feet->sole[foot].ankle >= 0; k++) {
            Vec3 point = sole_point(&feet->sole[foot], (SolePoint)k, feet->pose->position + i,
                                    feet->pose->orientation + i);
            double ground = feet->scale * (c->height + c->level[foot_index(f, foot)]);
            deepest = fmax(deepest, ground - vec3_dot(c->normal, point));
        }
    return deepest;
}

Status foot_plant_raise(const TargetFeet *feet, const FootPlantDef *def, Motion *motion, Error *err)
{
    int frames = feet->pose->frame_count;
    Arena arena = {0};
    double *rise = arena_array(&arena, (size_t)frames, 1, sizeof *rise);
    double *scratch = arena_array(&arena, (size_t)frames, 1, sizeof *scratch);
    if (!arena.failed) {
        for (int f = 0; f < frames; f++)
            rise[f] = depth_below(feet, f);
        smooth_envelope(rise, frames, (int)(def->settle / feet->contact->frame_time), scratch);
        for (int f = 0; f < frames; f++)
            motion->root_position[f] = vec3_mad(motion->root_position[f], rise[f], feet->contact->normal);
    }
    Status status = arena.failed ? error_no_memory(err) : STATUS_OK;
    arena_free(&arena);
    return status;
}
