/* See bvh_findings.h. */
#include "formats/bvh/bvh_findings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/base/arena.h"
#include "analysis/detect/import_guess.h"
#include "analysis/repair/channel_rows.h"
#include "analysis/motion/differentiate.h"
#include "analysis/quality/artifacts.h"
#include "formats/bvh/bvh.h"
#include "formats/bvh/bvh_clip.h"

/* Findings about the motion that a file makes. */

static const double most_stretch = 0.05, least_stretch = 0.01; /* of a bone's length, m: more is no noise */
static const double off_ground = 0.1;                          /* of the body's size */

static int is_rotation(BvhChannel c) { return c >= BVH_XROTATION; }

/* Columns of a joint at fault: its rotations, its positions or both. */
static int is_at_fault(const Bvh *bvh, const Artifact *fault, int column)
{
    int joint = fault->joint, first = joint >= 0 ? bvh->first_channel[joint] : 0;
    int end = joint >= 0 ? first + bvh->joint_channels[joint] : bvh->channel_count;
    if (column < first || column >= end)
        return 0;
    return fault->kind == TRUST_FLIP ? is_rotation(bvh->channel[column])
           : fault->kind == TRUST_TELEPORT ? !is_rotation(bvh->channel[column]) : 1;
}

static BvhPlace place_of(const Bvh *bvh, const Artifact *fault, int row)
{
    int column = 0;
    while (column + 1 < bvh->channel_count && !is_at_fault(bvh, fault, column))
        column++;
    return bvh_place(bvh, row, column);
}

BvhFault bvh_fault_of(const Artifact *fault)
{
    switch (fault->kind) {
    case TRUST_FLIP: return BVH_FAULT_FLIP;
    case TRUST_TELEPORT: return BVH_FAULT_TELEPORT;
    case TRUST_FLICKER: return BVH_FAULT_FLICKER;
    case TRUST_DRIFT: return BVH_FAULT_DRIFT;
    case TRUST_SLIDING: return BVH_FAULT_SLIDING;
    case TRUST_SWAPPED: return BVH_FAULT_SWAPPED;
    case TRUST_REPEATED: return BVH_FAULT_REPEATED;
    default: return BVH_FAULT_HELD;
    }
}

static Status warn_fault(Bvh *bvh, const Clip *clip, const Artifact *fault, int dropped, Error *err)
{
    char text[sizeof bvh->warning->text];
    int row = fault->first + dropped;
    artifact_describe(&clip->skeleton, &clip->motion, fault, row, text, sizeof text);
    return bvh_warn(bvh, bvh_fault_of(fault), place_of(bvh, fault, row), err, "%s", text);
}

static Status find_faults(Bvh *bvh, const Clip *clip, int dropped, Error *err)
{
    Artifacts faults = {0};
    Status status = artifacts_find(&clip->skeleton, &clip->motion, &faults, err);
    for (int i = 0; i < faults.count && !status; i++) {
        if (faults.fault[i].kind == TRUST_REPEATED) { /* one finding in place of one for each row */
            bvh_forget_findings(bvh, BVH_FAULT_ROW_TWICE);
            bvh_forget_findings(bvh, BVH_FAULT_ROW_HELD);
            bvh_forget_findings(bvh, BVH_FAULT_MANY);
        }
        status = warn_fault(bvh, clip, &faults.fault[i], dropped, err);
    }
    faults_free(&faults);
    return status;
}

/* A joint that carries the whole body from a root on the ground hangs on no bone: it goes where the body goes. */
static int is_path(const Skeleton *s, int joint)
{
    int siblings = 0;
    for (int j = 1; j < s->joint_count; j++)
        siblings += s->parent[j] == 0;
    return s->parent[joint] == 0 && siblings == 1 && (s->role[joint] == ROLE_HIPS || s->role[0] == ROLE_NONE);
}

static Status find_stretched_bones(Bvh *bvh, const Clip *clip, Error *err)
{
    const Motion *m = &clip->motion;
    Status status = STATUS_OK;
    for (int j = 1; m->translation && j < m->joint_count && !status; j++) {
        double least = INFINITY, most = 0;
        for (int f = 0; f < m->frame_count; f++) {
            double length = vec3_norm(m->translation[motion_index(m, f, j)]);
            least = fmin(least, length);
            most = fmax(most, length);
        }
        if (!is_path(&clip->skeleton, j) && most - least > fmax(most_stretch * most, least_stretch))
            status = bvh_warn(bvh, BVH_FAULT_BONE, (BvhPlace){bvh->line[j], 1}, err,
                              "the bone to joint \"%.60s\" is %.3g to %.3g m long", clip->skeleton.name[j], least,
                              most);
    }
    return status;
}

static int is_foot(Role segment)
{
    return segment == ROLE_LEFT_ANKLE || segment == ROLE_LEFT_TOE || segment == ROLE_RIGHT_ANKLE ||
           segment == ROLE_RIGHT_TOE;
}

/* Whether the lowest joint of the take is far below its feet: they never bear it. */
static Status find_idle_feet(Bvh *bvh, const Clip *clip, Error *err)
{
    const Skeleton *s = &clip->skeleton;
    size_t frames = (size_t)clip->motion.frame_count, joints = (size_t)s->joint_count;
    double feet = INFINITY, others = INFINITY;
    Arena arena = {0};
    WorldPoses poses = {.position = arena_array(&arena, frames, joints, sizeof(Vec3)),
                        .orientation = arena_array(&arena, frames, joints, sizeof(Quat))};
    ClipView view = clip_view(clip);
    Status status = arena.failed ? error_no_memory(err) : forward_kinematics(&view, LANES_AUTO, &poses, err);
    for (size_t i = 0; !status && i < frames * joints; i++) {
        double *low = is_foot(s->segment[i % joints]) ? &feet : &others;
        *low = fmin(*low, poses.position[i].y);
    }
    arena_free(&arena);
    if (status || !isfinite(feet) || feet - others <= off_ground * artifact_body_size(s))
        return status;
    return bvh_warn(bvh, BVH_FAULT_FEET, (BvhPlace){bvh->line[0], 1}, err,
                    "the feet stay %.2g m above the lowest joint of the take", feet - others);
}

Status bvh_find_motion_faults(Bvh *bvh, const Clip *clip, int dropped, Error *err)
{
    Status status = find_faults(bvh, clip, dropped, err);
    if (!status)
        status = find_stretched_bones(bvh, clip, err);
    return status ? status : find_idle_feet(bvh, clip, err);
}

/* What lies between sound frames. */
static int can_be_filled(const Artifact *fault)
{
    return !fault->stays && fault->kind & (TRUST_TELEPORT | TRUST_FLIP | TRUST_HELD | TRUST_INTERPOLATED);
}

Status bvh_forget_motion_faults(Bvh *bvh, const Clip *clip, int dropped, Error *err)
{
    Artifacts faults = {0};
    Status status = artifacts_find(&clip->skeleton, &clip->motion, &faults, err);
    for (int i = 0; i < faults.count && !status; i++) {
        const Artifact *fault = &faults.fault[i];
        for (int f = fault->first + dropped; can_be_filled(fault) && f <= fault->last + dropped; f++)
            for (int c = 0; c < bvh->channel_count; c++)
                if (is_at_fault(bvh, fault, c))
                    bvh->value[(size_t)f * (size_t)bvh->channel_count + (size_t)c] = NAN;
    }
    faults_free(&faults);
    return status;
}

static int by_place(const void *a, const void *b)
{
    const BvhPlace *x = a, *y = b;
    return x->line != y->line ? (x->line > y->line) - (x->line < y->line)
                              : (x->column > y->column) - (x->column < y->column);
}

/* The channel whose value a finding names; -1: none that the rows still have. */
static int channel_of(const Bvh *bvh, const BvhWarning *w)
{
    size_t count = (size_t)bvh->frame_count * (size_t)bvh->channel_count;
    const BvhPlace at = {w->line, w->column}, *found = bsearch(&at, bvh->place, count, sizeof at, by_place);
    return found ? (int)((size_t)(found - bvh->place) % (size_t)bvh->channel_count) : -1;
}

/* The finding that a fault of the mended rows is left of: of its kind and channel, at its place or the last before. */
static BvhWarning *finding_of(Bvh *bvh, BvhFault kind, const BvhPlace *at)
{
    BvhWarning *found = NULL;
    int channel = channel_of(bvh, &(BvhWarning){.line = at->line, .column = at->column});
    for (int i = 0; i < bvh->warning_count; i++) {
        BvhWarning *w = &bvh->warning[i];
        if (w->fault == kind && (!found || w->line <= at->line) && channel_of(bvh, w) == channel)
            found = w;
    }
    return found;
}

Status bvh_tell_mended_faults(Bvh *bvh, const Clip *clip, int dropped, Error *err)
{
    Artifacts faults = {0};
    Status status = artifacts_find(&clip->skeleton, &clip->motion, &faults, err);
    for (int i = 0; i < bvh->warning_count && !status; i++) {
        BvhWarning *w = &bvh->warning[i];
        w->mended |= w->fault == BVH_FAULT_TELEPORT || w->fault == BVH_FAULT_FLIP || w->fault == BVH_FAULT_HELD;
    }
    for (int i = 0; i < faults.count && !status; i++) {
        const Artifact *fault = &faults.fault[i];
        BvhPlace at = place_of(bvh, fault, fault->first + dropped);
        BvhWarning *finding = finding_of(bvh, bvh_fault_of(fault), &at);
        if (finding)
            finding->mended = 0;
    }
    faults_free(&faults);
    return status;
}

Status bvh_compare_family(Bvh *bvh, const Bvh *other, Error *err)
{
    Status status = STATUS_OK;
    for (int i = 0; i < other->joint_count && !status; i++) {
        int j = 0;
        while (j < bvh->joint_count && strcmp(bvh->name[j], other->name[i]) != 0)
            j++;
        if (j == bvh->joint_count)
            status = bvh_warn(bvh, BVH_FAULT_FAMILY, (BvhPlace){bvh->line[0], 1}, err, "there is no joint \"%.60s\"",
                              other->name[i]);
    }
    return status;
}

static const double unlikely = 0.5; /* confidence below which the frame time is a finding */

static const BvhFaultInfo info[BVH_FAULT_COUNT] = {
    [BVH_FAULT_UNREADABLE] = {"unreadable", "kane import refuses the file here; what follows was not looked at", NULL,
                              0, 1},
    [BVH_FAULT_MANY] = {"many", "the list of findings is cut", NULL, 0, 0},
    [BVH_FAULT_ENCODING] = {"encoding", "other programs may show another name", "writes the name as UTF-8", 0, 0},
    [BVH_FAULT_NAME] = {"name", "a joint cannot be told from another by its name",
                        "appends a number to the name", 0, 0},
    [BVH_FAULT_OFFSET] = {"offset", "the joint's place in the rest pose is not given", "writes OFFSET 0 0 0", 0, 0},
    [BVH_FAULT_ORIENTATION] = {"orientation", "other programs stop here, or leave the orientation at rest out", NULL,
                               0, 0},
    [BVH_FAULT_CHANNEL] = {"channel", "two turns about one axis; programs differ in what they make of it", NULL, 0, 0},
    [BVH_FAULT_NO_BLANK] = {"no-blank", "other programs may read one number or stop",
                            "writes a blank between them", 0, 0},
    [BVH_FAULT_FRAME_COUNT] = {"frame-count", "programs that trust the header lose rows or stop",
                               "writes the number of rows", 0, 0},
    [BVH_FAULT_FRAME_TIME] = {"frame-time", "velocities and torques depend on it",
                              "writes 1 / N of --fps N", 0, 0},
    [BVH_FAULT_NUMBER] = {"number", "kane import refuses the file here",
                          "interpolates: rotations from pose to pose, positions on a line", 0, 1},
    [BVH_FAULT_ROW] = {"row", "which values are missing or too many is not known; kane import refuses the file",
                       "interpolates the whole row", 0, 1},
    [BVH_FAULT_LAST_ROW] = {"last-row", "the file was cut off; kane import refuses it", "leaves the row out", 0, 1},
    [BVH_FAULT_ROW_TWICE] = {"row-twice", "the recorder wrote a frame twice: the body stops and goes on as before",
                             "leaves the row out, unless more than 5 % are such: then the take was resampled", 0, 0},
    [BVH_FAULT_ROW_HELD] = {"row-held", "the frame before stands in place of a lost one: the body stops, then jumps",
                            "interpolates the row", 0, 0},
    [BVH_FAULT_ROW_MISSING] = {"row-missing", "the body jumps by a multiple of its steps before and after",
                               "inserts interpolated rows", 0, 0},
    [BVH_FAULT_FIRST_FRAME] = {"first-frame", "the first frame is a rest pose put before the take",
                               "leaves it out, unless --keep-first-frame", 0, 0},
    [BVH_FAULT_EULER_FLIP] = {"euler-flip",
                              "angles jump where the pose does not: filters and interpolation of channels go astray",
                              "writes the angles nearest to the frame before; the pose stays", 1, 0},
    [BVH_FAULT_UNIT] = {"unit", "lengths, masses and torques depend on it", "with --unit: writes centimetres", 0, 0},
    [BVH_FAULT_UP] = {"up", "gravity pulls along it", "with --up: turns the motion to +Y up", 0, 0},
    [BVH_FAULT_POSITIONS] = {"positions",
                             "programs that take them as the place in the parent stretch or fold the bones",
                             NULL, 0, 0},
    [BVH_FAULT_ROOT_PATH] = {"root-path", "where the body goes and what bears it is not known", NULL, 0, 0},
    [BVH_FAULT_TELEPORT] = {"teleport", "no body moves so in a frame: velocities and torques around it are none",
                            "interpolates where it comes back", 0, 0},
    [BVH_FAULT_FLIP] = {"flip", "no body turns so in a frame: velocities and torques around it are none",
                        "interpolates where it comes back", 0, 0},
    [BVH_FAULT_HELD] = {"held", "a recording never stands still, or moves evenly, to the last digit",
                        "interpolates", 0, 0},
    [BVH_FAULT_FLICKER] = {"flicker", "a joint shakes from frame to frame, as where a marker is lost: its torques are "
                           "noise", NULL, 0, 0},
    [BVH_FAULT_DRIFT] = {"drift", "the body leaves the ground, or sinks into it, with the feet that stand on it: "
                         "nothing supports it there", NULL, 0, 0},
    [BVH_FAULT_SLIDING] = {"sliding", "the whole body goes on over the ground with feet that stand: the root's path is "
                           "not the body's", NULL, 0, 0},
    [BVH_FAULT_SWAPPED] = {"swapped", "the left limb moves as the right one, and the right as the left", NULL, 0, 0},
    [BVH_FAULT_REPEATED] = {"repeated", "the body stops and goes from frame to frame: velocities and torques are "
                            "wrong; `kane resample --fps` to the rate at which poses change keeps one of "
                            "each", NULL, 0, 0},
    [BVH_FAULT_BONE] = {"bone", "a body's bones keep their length", NULL, 0, 0},
    [BVH_FAULT_FEET] = {"feet", "something else bears the body: its forces are not estimated", NULL, 1, 0},
    [BVH_FAULT_FAMILY] = {"family", "files of one family have the same joints", NULL, 0, 0},
};

const BvhFaultInfo *bvh_fault_info(BvhFault fault)
{
    return &info[fault];
}

static Status warn_step(Bvh *bvh, RowStep step, int frame, int missing, Error *err)
{
    BvhPlace at = bvh_place(bvh, frame, 0);
    if (step == ROW_STEP_SURPLUS)
        return bvh_warn(bvh, BVH_FAULT_ROW_TWICE, at, err, "frame %d repeats the one before", frame);
    if (step == ROW_STEP_HELD)
        return bvh_warn(bvh, BVH_FAULT_ROW_HELD, at, err,
                        "frame %d repeats the one before instead of a lost one", frame);
    return bvh_warn(bvh, BVH_FAULT_ROW_MISSING, at, err, "%d row%s missing before frame %d", missing,
                    missing == 1 ? " is" : "s are", frame);
}

static Status find_steps(Bvh *bvh, const ChannelRows *rows, Error *err)
{
    RowStep *step = array_new((size_t)bvh->frame_count, 1, sizeof *step);
    int *missing = array_new((size_t)bvh->frame_count, 1, sizeof *missing);
    Status status = step && missing ? row_steps_find(rows, bvh_longest_offset(bvh), step, missing, err)
                                    : error_no_memory(err);
    for (int f = 1; f < bvh->frame_count && status == STATUS_OK; f++)
        if (step[f] != ROW_STEP_PLAIN)
            status = warn_step(bvh, step[f], f, missing[f], err);
    free(step);
    free(missing);
    return status;
}

static Status find_flips(Bvh *bvh, const ChannelRows *rows, Error *err)
{
    Status status = STATUS_OK;
    for (int j = 0; j < bvh->joint_count && status == STATUS_OK; j++) {
        int first = 0, count = euler_flips_count(rows, j, &first);
        if (count == 0)
            continue;
        BvhPlace at = bvh_place(bvh, first, rows->turns[j].column[0]);
        status = bvh_warn(bvh, BVH_FAULT_EULER_FLIP, at, err,
                          "the angles of joint \"%.60s\" jump %d time%s, first at frame %d", bvh->name[j], count,
                          count == 1 ? "" : "s", first);
    }
    return status;
}

/* What position channels hold, and where the body goes. */
static Status warn_positions(Bvh *bvh, const ImportGuess *e, Error *err)
{
    BvhPlace root = {bvh->line[0], 1};
    Status status = STATUS_OK;
    if (e->positions == POSITIONS_WORLD)
        status = bvh_warn(bvh, BVH_FAULT_POSITIONS, root, err, "position channels hold places in the world");
    if (e->positions == POSITIONS_ADDED)
        status = bvh_warn(bvh, BVH_FAULT_POSITIONS, root, err, "position channels hold places beyond the offsets");
    if (status == STATUS_OK && e->no_root_path)
        status = bvh_warn(bvh, BVH_FAULT_ROOT_PATH, root, err, "the feet move, but joint \"%.60s\" stays in its place",
                          bvh->name[0]);
    return status;
}

static Status warn_decisions(Bvh *bvh, const ImportGuessDef *def, const ImportGuess *e, Error *err)
{
    Status status = STATUS_OK;
    BvhPlace root = {bvh->line[0], 1}, first = bvh_place(bvh, 0, 0);
    const char *unit = unit_name(e->metres_per_unit);
    if (!(def->metres_per_unit > 0) && e->unit_confidence < DECISION_UNSURE)
        status = bvh_warn(bvh, BVH_FAULT_UNIT, root, err,
                          "the unit of length cannot be told from the skeleton; most likely %s", unit ? unit : "m");
    if (status == STATUS_OK && def->up == UP_AUTO && e->up_confidence < DECISION_UNSURE)
        status = bvh_warn(bvh, BVH_FAULT_UP, root, err,
                          "the up axis cannot be told from the pose; most likely %s", up_axis_name(e->up));
    if (status == STATUS_OK && e->drop_first_frame)
        status = bvh_warn(bvh, BVH_FAULT_FIRST_FRAME, first, err,
                          "frame 0 does not belong to the take: the step behind it is far larger than all others");
    return status;
}

Status bvh_whole_clip(const Bvh *bvh, const ImportGuessDef *def, Clip *out, ImportGuess *decision, Error *err)
{
    size_t count = (size_t)bvh->frame_count * (size_t)bvh->channel_count;
    Bvh whole = *bvh;
    ChannelRows rows;
    EulerTurns *turns = NULL;
    whole.value = array_new(count, 1, sizeof *whole.value);
    if (!whole.value)
        return error_no_memory(err);
    memcpy(whole.value, bvh->value, count * sizeof *whole.value);
    if (!(whole.frame_time > 0))
        whole.frame_time = 1.0 / 30;
    Status status = bvh_channel_rows(&whole, &rows, &turns, err);
    if (status == STATUS_OK)
        status = row_gaps_fill(&rows, err);
    if (status == STATUS_OK)
        status = clip_from_bvh(&whole, def, out, decision, err);
    free(turns);
    free(whole.value);
    return status;
}

/* What import would decide, and what the motion is worth that it would make. */
static Status find_decisions(Bvh *bvh, const ImportGuessDef *def, Error *err)
{
    Clip clip = {0};
    ImportGuess evidence;
    Status status = bvh_whole_clip(bvh, def, &clip, &evidence, err);
    if (status == STATUS_OK)
        status = warn_decisions(bvh, def, &evidence, err);
    if (status == STATUS_OK)
        status = warn_positions(bvh, &evidence, err);
    if (status == STATUS_OK)
        status = bvh_find_motion_faults(bvh, &clip, evidence.drop_first_frame, err);
    clip_free(&clip);
    return status;
}

static Status find_frame_rate(Bvh *bvh, const ImportGuessDef *def, Error *err)
{
    double confidence, rate = frame_rate_from_time(bvh->frame_time, &confidence);
    for (int i = 0; i < bvh->warning_count; i++)
        if (bvh->warning[i].fault == BVH_FAULT_FRAME_TIME)
            return STATUS_OK;
    if (def->fps > 0 || !(bvh->frame_time > 0) || confidence >= unlikely)
        return STATUS_OK;
    return bvh_warn(bvh, BVH_FAULT_FRAME_TIME, bvh->frame_time_place, err,
                    "a Frame Time of %g s, %g frames a second, is no usual rate", bvh->frame_time, rate);
}

Status bvh_inspect(Bvh *bvh, const ImportGuessDef *def, Error *err)
{
    ChannelRows rows;
    EulerTurns *turns;
    Status status = bvh_channel_rows(bvh, &rows, &turns, err);
    if (status == STATUS_OK)
        status = find_steps(bvh, &rows, err);
    if (status == STATUS_OK)
        status = find_flips(bvh, &rows, err);
    if (status == STATUS_OK)
        status = find_frame_rate(bvh, def, err);
    if (status == STATUS_OK)
        status = find_decisions(bvh, def, err);
    bvh_warnings_sort(bvh);
    free(turns);
    return status;
}
