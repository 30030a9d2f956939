/* See kinematics.h. */
#include "analysis/motion/kinematics.h"

#include <math.h>

#include "analysis/base/arena.h"
#include "analysis/motion/forward_kinematics.h"
#include "analysis/signal/savgol.h"

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
