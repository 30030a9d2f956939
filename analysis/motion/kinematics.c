/* From a motion to its kinematics (kinematics.h): smoothing, world poses, differences. */
#include "analysis/motion/kinematics.h"

#include <math.h>

#include "analysis/base/arena.h"
#include "analysis/signal/smoothing.h"

/* Smoothing of a motion. */

/* The filtered quantities, one row per frame. */
enum { TRACK_ROTATION, TRACK_ROOT, TRACK_TRANSLATION, TRACK_COUNT };

static void tracks_of(const Motion *motion, Samples *track)
{
    size_t joints = (size_t)motion->joint_count, frames = (size_t)motion->frame_count;
    track[TRACK_ROTATION] = (Samples){&motion->rotation->w, frames, 4 * joints};
    track[TRACK_ROOT] = (Samples){&motion->root_position->x, frames, 3};
    track[TRACK_TRANSLATION] = (Samples){NULL, frames, 0};
    if (motion->translation)
        track[TRACK_TRANSLATION] = (Samples){&motion->translation->x, frames, 3 * joints};
}

static Status check(const Motion *motion, const SmoothDef *def, const Smoother *smoother, Error *err)
{
    if (!(motion->frame_time > 0) || !isfinite(motion->frame_time))
        return error_set(err, STATUS_BAD_INPUT, "frame time out of range: %g s", motion->frame_time);
    return smoother->check(def, err);
}

/* Replaces a cutoff of 0 by that from the noise. */
static Status resolve_cutoff(const Samples *track, double rate, double *cutoff, Error *err)
{
    if (!(*cutoff > 0))
        return cutoff_by_noise(&track[TRACK_ROTATION], &track[TRACK_ROOT], rate, cutoff, err);
    *cutoff = cutoff_limit(*cutoff, rate);
    return STATUS_OK;
}

static void normalize_rotations(Motion *motion)
{
    QuatsNormalize *normalize = LANE_TWIN(quats_normalize, lane_width_choose(LANES_AUTO));
    normalize(motion->rotation, (size_t)motion->frame_count * (size_t)motion->joint_count);
}

Status smooth_motion(Motion *motion, const SmoothDef *def, double *resolved_cutoff, Error *err)
{
    const Smoother *smoother = smoother_of(def->method);
    SmoothDef resolved = *def;
    Samples track[TRACK_COUNT];
    if (resolved_cutoff)
        *resolved_cutoff = 0;
    if (!smoother)
        return error_set(err, STATUS_USAGE, "no smoothing method %d", (int)def->method);
    if (!smoother->filter)
        return STATUS_OK;
    Status status = check(motion, def, smoother, err);
    if (status || motion->frame_count < smoother->least_rows(def) || motion->joint_count < 1)
        return status;
    motion_make_continuous(motion);
    tracks_of(motion, track);
    if (smoother->has_cutoff)
        status = resolve_cutoff(track, 1 / motion->frame_time, &resolved.cutoff, err);
    if (!status)
        status = smoother->filter(track, TRACK_COUNT, &resolved, 1 / motion->frame_time, err);
    if (status)
        return status;
    normalize_rotations(motion);
    if (resolved_cutoff && smoother->has_cutoff)
        *resolved_cutoff = resolved.cutoff;
    return STATUS_OK;
}

/* The world pose of every joint. */

Status forward_kinematics_check(const ClipView *clip, Error *err)
{
    const Skeleton *skeleton = clip->skeleton;
    const Motion *motion = clip->motion;
    const Body *body = clip->body;
    int joints = skeleton->joint_count;
    if (motion->joint_count != joints || (body && body->joint_count != joints))
        return error_set(err, STATUS_USAGE, "skeleton has %d joints, motion %d, body %d", joints, motion->joint_count,
                         body ? body->joint_count : joints);
    for (int j = 1; j < joints; j++)
        if (skeleton->parent[j] < 0 || skeleton->parent[j] >= j)
            return error_set(err, STATUS_USAGE, "joint %d has parent %d: the tree is not in order", j,
                             skeleton->parent[j]);
    return STATUS_OK;
}

void forward_kinematics_mass_fractions(const Body *body, double *mass_fraction)
{
    double total = 0;
    for (int j = 0; j < body->joint_count; j++)
        total += body->mass[j];
    for (int j = 0; j < body->joint_count; j++)
        mass_fraction[j] = total > 0 ? body->mass[j] / total : j == 0;
}

Status forward_kinematics(const ClipView *clip, LaneWidth lanes, const WorldPoses *out, Error *err)
{
    const Motion *motion = clip->motion;
    const Body *body = out->com ? clip->body : NULL;
    Status status = forward_kinematics_check(clip, err);
    if (status || motion->frame_count <= 0 || motion->joint_count <= 0)
        return status;
    size_t joints = (size_t)motion->joint_count;
    LaneWidth width = lane_width_for_frames(lanes, motion->frame_count);
    Arena arena = {0};
    double *scratch = arena_array(&arena, joints * FORWARD_KINEMATICS_SCRATCH, (size_t)width, sizeof *scratch);
    double *mass_fraction = arena_array(&arena, joints, 1, sizeof *mass_fraction);
    if (arena.failed) {
        status = error_no_memory(err);
        goto done;
    }
    if (body)
        forward_kinematics_mass_fractions(body, mass_fraction);
    ForwardKinematicsView view = {
        .frame_count = (size_t)motion->frame_count, .joint_count = joints, .parent = clip->skeleton->parent,
        .offset = clip->skeleton->offset, .rotation = motion->rotation, .translation = motion->translation,
        .root_position = motion->root_position, .mass_fraction = body ? mass_fraction : NULL,
        .mass_centre = body ? body->com : NULL, .position = out->position, .orientation = out->orientation,
        .com = out->com, .scratch = scratch};
    LANE_TWIN(forward_kinematics_frames, width)(&view, 0, view.frame_count);
done:
    arena_free(&arena);
    return status;
}

void joint_path(const ClipView *clip, int joint, int first, int count, LaneWidth lanes, const WorldPoses *out)
{
    const Motion *m = clip->motion;
    size_t row = motion_index(m, first, 0);
    JointPathView view = {
        .frame_count = (size_t)count, .joint_count = (size_t)m->joint_count, .joint = joint,
        .parent = clip->skeleton->parent, .offset = clip->skeleton->offset, .rotation = m->rotation + row,
        .translation = m->translation ? m->translation + row : NULL, .root_position = m->root_position + first,
        .position = out->position, .orientation = out->orientation};
    LANE_TWIN(joint_path_frames, lane_width_for_frames(lanes, count))(&view);
}

DifferenceDef difference_default_def(void)
{
    return (DifferenceDef){.scheme = DIFFERENCE_CENTRAL, .lanes = LANES_AUTO};
}

const char *const difference_scheme_names[] = {"central", "backward", "fivepoint", NULL};

/* Per scheme, in the order of DifferenceScheme: the number of frames at head and tail of a clip without all neighbours.
 * The differences are in kinematics_kernel.c. */
static const struct Scheme {
    int head, tail;
} schemes[] = {{1, 1}, {2, 0}, {DIFFERENCE_REACH, DIFFERENCE_REACH}};

_Static_assert(sizeof difference_scheme_names / sizeof *difference_scheme_names == DIFFERENCE_SCHEME_COUNT + 1,
               "a name for every DifferenceScheme");
_Static_assert(sizeof schemes / sizeof *schemes == DIFFERENCE_SCHEME_COUNT, "a row for every DifferenceScheme");

static Status check_input(const ClipView *clip, Error *err)
{
    const Motion *motion = clip->motion;
    Status status = forward_kinematics_check(clip, err);
    if (status)
        return status;
    if (motion->frame_count < 1 || motion->joint_count < 1)
        return error_set(err, STATUS_BAD_INPUT, "velocities require two frames and a joint, found %d frames and %d "
                                                "joints",
                         motion->frame_count, motion->joint_count);
    if (!(motion->frame_time > 0) || !isfinite(motion->frame_time))
        return error_set(err, STATUS_BAD_INPUT, "frame time out of range: %g s", motion->frame_time);
    return STATUS_OK;
}

static Status size_output(const Motion *motion, const Body *body, Kinematics *out, Error *err)
{
    if (out->position && out->frame_count == motion->frame_count && out->joint_count == motion->joint_count &&
        !out->com == !body)
        return STATUS_OK;
    kinematics_free(out);
    return kinematics_space(out, motion->frame_count, motion->joint_count, body != NULL, err);
}

/* Working memory of one clip in a single array, lane-aligned parts first. */
typedef struct DifferenceScratch {
    double *step, *pose, *joint, *mass_fraction;
} DifferenceScratch;

static Status scratch_init(DifferenceScratch *s, const Motion *motion, LaneWidth width, Error *err)
{
    size_t joints = (size_t)motion->joint_count, channels = motion->translation ? 2 * joints : joints + 1;
    size_t steps = channels * 3 * DIFFERENCE_STEPS, poses = joints * FORWARD_KINEMATICS_SCRATCH * (size_t)width;
    size_t rates = joints * DIFFERENCE_SCRATCH * (size_t)width;
    s->step = array_new_aligned(steps + poses + rates + joints, 1, sizeof(double));
    if (!s->step)
        return error_no_memory(err);
    s->pose = s->step + steps;
    s->joint = s->pose + poses;
    s->mass_fraction = s->joint + rates;
    return STATUS_OK;
}

static ForwardKinematicsView pose_view(const ClipView *clip, const Kinematics *out, const DifferenceScratch *scratch)
{
    const Skeleton *skeleton = clip->skeleton;
    const Motion *motion = clip->motion;
    const Body *body = clip->body;
    if (body)
        forward_kinematics_mass_fractions(body, scratch->mass_fraction);
    return (ForwardKinematicsView){
        .frame_count = (size_t)motion->frame_count, .joint_count = (size_t)motion->joint_count,
        .parent = skeleton->parent, .offset = skeleton->offset, .rotation = motion->rotation,
        .translation = motion->translation, .root_position = motion->root_position,
        .mass_fraction = body ? scratch->mass_fraction : NULL, .mass_centre = body ? body->com : NULL,
        .position = out->position, .orientation = out->orientation, .com = out->com, .scratch = scratch->pose};
}

/* Weights of the polynomial through five points for its derivatives at the middle one, 1/s and 1/s2. */
static void five_point_weights(DifferenceView *view)
{
    enum { POINTS = 2 * DIFFERENCE_REACH + 1 };
    savgol_weights(POINTS, POINTS - 1, 1, DIFFERENCE_REACH, view->weight[0]);
    savgol_weights(POINTS, POINTS - 1, 2, DIFFERENCE_REACH, view->weight[1]);
    for (int i = 0; i < POINTS; i++) {
        view->weight[0][i] *= view->rate;
        view->weight[1][i] *= view->rate * view->rate;
    }
}

static DifferenceView difference_view(const ClipView *clip, const DifferenceDef *def, const Kinematics *out,
                                      const DifferenceScratch *scratch)
{
    const Motion *motion = clip->motion;
    DifferenceView view = {
        .frame_count = (size_t)motion->frame_count, .joint_count = (size_t)motion->joint_count,
        .rate = 1 / motion->frame_time, .scheme = def->scheme, .parent = clip->skeleton->parent,
        .translation = motion->translation, .root_position = motion->root_position, .orientation = out->orientation,
        .position = out->position, .angular_velocity = out->angular_velocity,
        .angular_acceleration = out->angular_acceleration, .velocity = out->velocity,
        .acceleration = out->acceleration, .step = scratch->step, .scratch = scratch->joint};
    if (def->scheme == DIFFERENCE_FIVE_POINT)
        five_point_weights(&view);
    return view;
}

/* Poses run ahead of the differences by the frames that a tile looks ahead, so that they are still in cache. The last
 * tile is a full one if the clip has enough frames: it recomputes some frames with the same result. */
static void run_tiles(const ForwardKinematicsView *pose, const DifferenceView *view, LaneWidth width)
{
    ForwardKinematicsFrames *find_poses = LANE_TWIN(forward_kinematics_frames, width);
    DifferentiateTile *find_rates = LANE_TWIN(differentiate_tile, width);
    size_t frames = view->frame_count, ahead = DIFFERENCE_REACH + 1, posed = 0;
    for (size_t f = 0; f < frames; f += DIFFERENCE_TILE) {
        size_t end = f + DIFFERENCE_TILE < frames ? f + DIFFERENCE_TILE : frames;
        size_t reach = end + ahead < frames ? end + ahead : frames;
        find_poses(pose, posed, reach);
        posed = reach;
        find_rates(view, end > DIFFERENCE_TILE ? end - DIFFERENCE_TILE : 0, end);
    }
}

static void mark_valid(const Motion *motion, struct Scheme scheme, uint8_t *valid)
{
    int frames = motion->frame_count, edge = (int)fmin(ceil(DIFFERENCE_EDGE / motion->frame_time - 1e-6), frames);
    for (int f = 0; f < frames; f++) {
        int before = f, after = frames - 1 - f;
        valid[f] = before >= scheme.head && after >= scheme.tail && before >= edge && after >= edge;
    }
}

Status differentiate(const ClipView *clip, const DifferenceDef *def, Kinematics *out, Error *err)
{
    if ((unsigned)def->scheme >= DIFFERENCE_SCHEME_COUNT)
        return error_set(err, STATUS_USAGE, "no difference scheme %d", (int)def->scheme);
    const Motion *motion = clip->motion;
    Status status = check_input(clip, err);
    if (status || (status = size_output(motion, clip->body, out, err)))
        return status;
    LaneWidth width = lane_width_for_frames(def->lanes, motion->frame_count - 1);
    DifferenceScratch scratch;
    status = scratch_init(&scratch, motion, width, err);
    if (status) {
        kinematics_free(out);
        return status;
    }
    ForwardKinematicsView pose = pose_view(clip, out, &scratch);
    DifferenceView view = difference_view(clip, def, out, &scratch);
    run_tiles(&pose, &view, width);
    mark_valid(motion, schemes[def->scheme], out->valid);
    free(scratch.step);
    return STATUS_OK;
}
