/* Findings about a take of any format (take_findings.h). */
#include "analysis/motion/forward_kinematics.h"
#include "analysis/quality/take_findings.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/base/arena.h"
#include "analysis/detect/contradictions.h"
#include "analysis/detect/frame_rate.h"
#include "analysis/detect/position_meaning.h"
#include "analysis/detect/unit.h"
#include "analysis/detect/up_axis.h"
#include "analysis/quality/artifact_search.h"
#include "analysis/quality/artifacts.h"
#include "analysis/repair/channel_rows.h"
#include "analysis/repair/row_steps.h"

static const double unlikely = 0.5; /* confidence below which the frame time is a finding */

static const double max_stretch = 0.05, min_stretch = 0.01;    /* part of a bone's length, m: noise is smaller */
static const double off_ground = 0.1;                          /* part of the body's size */

static const double no_step = 1e-7, longer = 1.15; /* of the mean of the steps beside it */

static const double usual_frame_time = 1.0 / 30; /* s, in place of a wrong one */

/* A take under inspection, and what import makes of it. */
typedef struct Inspection {
    Take *take;
    const ImportGuessDef *def;
    TakeVerdict *verdict;
} Inspection;

static FileLocation locate(const Take *take, int frame, int joint, TakePart part)
{
    return take->where ? take->where(take, frame, joint, part) : (FileLocation){0};
}

static FileLocation joint_location(const Take *take, int joint)
{
    return locate(take, TAKE_NO_FRAME, joint, TAKE_WHOLE);
}

/* ---- Rows ---- */

static Status add_step(Take *take, RowStep step, int frame, int missing, Error *err)
{
    FileLocation at = locate(take, frame, TAKE_ALL_JOINTS, TAKE_WHOLE);
    if (step == ROW_STEP_SURPLUS)
        return findings_add(&take->findings, FINDING_ROW_TWICE, at, err, "frame %d duplicates the previous one", frame);
    if (step == ROW_STEP_HELD)
        return findings_add(&take->findings, FINDING_ROW_FROZEN, at, err,
                            "frame %d duplicates the previous one instead of a lost one", frame);
    if (step == ROW_STEP_DOUBTFUL)
        return findings_add(&take->findings, FINDING_ROW_DOUBTFUL, at, err,
                            "a row may be missing before frame %d; torques near it are not trusted", frame);
    return findings_add(&take->findings, FINDING_ROW_MISSING, at, err,
                        "%d row%s missing before frame %d; import interpolates %s", missing,
                        missing == 1 ? " is" : "s are", frame, missing == 1 ? "it" : "them");
}

/* The length of the step to frame f: all rotations, and the path in body sizes. */
static double step_length(const Motion *m, int f, double size)
{
    const Quat *now = &m->rotation[motion_index(m, f, 0)], *last = &m->rotation[motion_index(m, f - 1, 0)];
    double path = vec3_distance(m->root_position[f], m->root_position[f - 1]) / size, sum = path * path;
    for (int j = 0; j < m->joint_count; j++) {
        Quat a = last[j], b = now[j];
        double sign = a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z < 0 ? -1 : 1;
        double w = b.w - sign * a.w, x = b.x - sign * a.x, y = b.y - sign * a.y, z = b.z - sign * a.z;
        sum += w * w + x * x + y * y + z * z;
    }
    return sqrt(sum);
}

/* Whether any step is clearly longer than those beside it, or none at all, as where rows are lost or repeated. Saves
 * the search in most takes. */
static int has_odd_steps(const Motion *m, double size)
{
    double before = INFINITY, own = INFINITY;
    for (int f = 1; f < m->frame_count; f++) {
        double next = step_length(m, f, size);
        if (own < no_step || own > longer * 0.5 * (before + next))
            return 1;
        before = own;
        own = next;
    }
    return 0;
}

/* Finds the steps, and puts lost rows back. Steps are those of the file's own rows if the reader kept them, since a
 * motion has no unreadable numbers. */
static Status find_steps(Take *take, TakeVerdict *verdict, Error *err)
{
    Motion *m = &take->motion;
    double size = skeleton_longest_chain(&take->skeleton), bone = skeleton_longest_offset(&take->skeleton);
    if (!has_odd_steps(m, size > 0 ? size : 1))
        return STATUS_OK;
    int frames = take->rows.value ? take->rows.frame_count : m->frame_count;
    RowStep *step = array_new((size_t)frames, 1, sizeof *step);
    int *missing = array_new((size_t)frames, 1, sizeof *missing);
    Status status = !step || !missing ? error_no_memory(err) :
                    take->rows.value  ? row_steps_find(&take->rows, bone, m->frame_time, step, missing,
                                                       err) :
                                        motion_steps_find(m, bone, step, missing, err);
    for (int f = 1; f < frames && take->is_timed && !status; f++) {
        missing[f] = 0;
        step[f] = step[f] == ROW_STEP_MISSING ? ROW_STEP_PLAIN : step[f];
    }
    for (int f = 1; f < frames && !status; f++)
        if (step[f] != ROW_STEP_PLAIN)
            status = add_step(take, step[f], f, missing[f], err);
    if (!status && frames == m->frame_count)
        status = motion_fill_lost_rows(m, missing, &verdict->frame, err);
    verdict->step = step;
    verdict->step_count = frames;
    free(missing);
    return status;
}

static Status find_flips(Take *take, Error *err)
{
    Status status = STATUS_OK;
    for (int j = 0; take->rows.value && j < take->rows.joint_count && !status; j++) {
        int first = 0, count = euler_flips_count(&take->rows, j, &first);
        if (count > 0)
            status = findings_add(&take->findings, FINDING_EULER_FLIP, locate(take, first, j, TAKE_ROTATION), err,
                                  "Euler angles of joint \"%.60s\" jump %d time%s, first at frame %d",
                                  take->skeleton.name[j], count, count == 1 ? "" : "s", first);
    }
    return status;
}

static Status find_frame_rate(Take *take, const ImportGuessDef *def, Error *err)
{
    double frame_time = take->motion.frame_time, confidence, rate = frame_rate_from_time(frame_time, &confidence);
    if (findings_have(&take->findings, FINDING_FRAME_TIME) || def->fps > 0 || !(frame_time > 0) ||
        confidence >= unlikely)
        return STATUS_OK;
    return findings_add(&take->findings, FINDING_FRAME_TIME, locate(take, TAKE_NO_FRAME, TAKE_ALL_JOINTS, TAKE_RATE),
                        err, "unusual Frame Time %g s (%g fps)", frame_time, rate);
}

/* ---- Decisions of import ---- */

static Status add_decisions(Inspection *in, Error *err)
{
    Take *take = in->take;
    const ImportGuess *e = &in->verdict->guess;
    Status status = STATUS_OK;
    FileLocation root = joint_location(take, 0);
    const char *unit = unit_name(e->meters_per_unit);
    if (!(in->def->meters_per_unit > 0) && e->unit_confidence < DECISION_UNSURE)
        status = findings_add(&take->findings, FINDING_UNIT, root, err,
                              "unit of length uncertain; most likely %s", unit ? unit : "m");
    if (!status && in->def->up == UP_AUTO && e->up_confidence < DECISION_UNSURE)
        status = findings_add(&take->findings, FINDING_UP, root, err,
                              "up axis uncertain; most likely %s", up_axis_name(e->up));
    if (!status && e->drop_first_frame)
        status = findings_add(&take->findings, FINDING_FIRST_FRAME, locate(take, 0, TAKE_ALL_JOINTS, TAKE_WHOLE), err,
                              "frame 0 is not part of the take: the next displacement is far larger than all others");
    return status;
}

/* A rate that is not stated is a finding of its own. */
static Status add_contradictions(Inspection *in, Error *err)
{
    Findings *findings = &in->take->findings;
    Contradiction found[CONTRADICTIONS_MAX];
    int count = contradictions_list(&in->verdict->guess, found);
    Status status = STATUS_OK;
    for (int i = 0; i < count && !status; i++) {
        int is_rate = found[i].kind == FINDING_RATE;
        FileLocation at = is_rate ? locate(in->take, TAKE_NO_FRAME, TAKE_ALL_JOINTS, TAKE_RATE)
                                  : joint_location(in->take, 0);
        if (!is_rate || !findings_have(findings, FINDING_FRAME_TIME))
            status = findings_add(findings, found[i].kind, at, err, "%s", found[i].text);
    }
    return status;
}

/* The meaning of position channels, and the root's path. */
static Status add_positions(Inspection *in, Error *err)
{
    Findings *findings = &in->take->findings;
    FileLocation root = joint_location(in->take, 0);
    Status status = STATUS_OK;
    if (in->verdict->guess.positions == POSITIONS_WORLD)
        status = findings_add(findings, FINDING_POSITIONS, root, err, "position channels hold places in the world");
    if (in->verdict->guess.positions == POSITIONS_ADDED)
        status = findings_add(findings, FINDING_POSITIONS, root, err,
                              "position channels hold places beyond the offsets");
    if (!status && in->verdict->guess.no_root_path)
        status = findings_add(findings, FINDING_ROOT_PATH, root, err,
                              "the feet move, but joint \"%.60s\" does not translate",
                              in->verdict->clip.skeleton.name[0]);
    return status;
}

/* ---- The motion ---- */

static TakePart artifact_take_part(const Artifact *artifact)
{
    return artifact->kind == TRUST_FLIP ? TAKE_ROTATION : artifact->kind == TRUST_TELEPORT ? TAKE_POSITION : TAKE_WHOLE;
}

/* The row of the take of a frame of the clip. */
static int row_of_frame(const TakeVerdict *verdict, int frame)
{
    int place = frame + verdict->guess.drop_first_frame;
    return verdict->frame ? verdict->frame[place].row : place;
}

static Status add_artifact(Inspection *in, const Artifact *artifact, Error *err)
{
    Findings *findings = &in->take->findings;
    int row = row_of_frame(in->verdict, artifact->first);
    char text[sizeof findings->found->text];
    if (artifact->kind == TRUST_REPEATED) { /* one finding instead of one per row */
        findings_forget(findings, FINDING_ROW_TWICE);
        findings_forget(findings, FINDING_ROW_FROZEN);
        findings_forget(findings, FINDING_MANY);
    }
    artifact_describe(&in->verdict->clip.skeleton, &in->verdict->clip.motion, artifact, row, text, sizeof text);
    return findings_add(findings, finding_of_artifact(artifact->kind),
                        locate(in->take, row, artifact->joint, artifact_take_part(artifact)), err, "%s", text);
}

/* Adds the frames that were put back; their gaps are findings already. */
static Status mark_filled(TakeVerdict *verdict, Error *err)
{
    int dropped = verdict->guess.drop_first_frame, frames = verdict->clip.motion.frame_count;
    Status status = STATUS_OK;
    for (int f = 0; verdict->frame && f < frames && !status; f++) {
        int first = f;
        if (!verdict->frame[f + dropped].is_filled)
            continue;
        while (f + 1 < frames && verdict->frame[f + 1 + dropped].is_filled)
            f++;
        status = artifacts_add(&verdict->artifacts,
                               (Artifact){.kind = TRUST_INTERPOLATED, .joint = ARTIFACT_WHOLE_POSE, .first = first,
                                          .last = f}, err);
    }
    return status;
}

/* Adds the frames on both sides of doubtful steps, which are findings already. */
static Status mark_doubtful(TakeVerdict *verdict, Error *err)
{
    Status status = STATUS_OK;
    for (int f = 1; verdict->step && f < verdict->clip.motion.frame_count && !status; f++) {
        int row = row_of_frame(verdict, f);
        if (row < verdict->step_count && verdict->step[row] == ROW_STEP_DOUBTFUL)
            status = artifacts_add(&verdict->artifacts,
                                   (Artifact){.kind = TRUST_LOST_ROW, .joint = ARTIFACT_WHOLE_POSE, .first = f - 1,
                                              .last = f}, err);
    }
    return status;
}

static Status find_artifacts(Inspection *in, Error *err)
{
    Artifacts *artifacts = &in->verdict->artifacts;
    Status status = artifacts_find(&in->verdict->clip.skeleton, &in->verdict->clip.motion, artifacts, err);
    for (int i = 0; i < artifacts->count && !status; i++)
        status = add_artifact(in, &artifacts->artifact[i], err);
    if (!status)
        status = mark_filled(in->verdict, err);
    return status ? status : mark_doubtful(in->verdict, err);
}

/* Whether a joint carries the whole body from a root on the ground, or is below a root that never moves: it has no
 * bone, its translation is a path. */
static int is_path(const Skeleton *s, int joint)
{
    for (int j = skeleton_find_role(s, ROLE_HIPS); j > 0; j = s->parent[j])
        if (j == joint)
            return 1;
    int siblings = 0, is_below_world = s->channels && s->channels[0] == 0 && s->role[0] == ROLE_NONE;
    for (int j = 1; j < s->joint_count; j++)
        siblings += s->parent[j] == 0;
    return s->parent[joint] == 0 && (siblings == 1 || is_below_world) &&
           (s->role[joint] == ROLE_HIPS || s->role[0] == ROLE_NONE);
}

static Status find_stretched_bones(Inspection *in, Error *err)
{
    const Motion *m = &in->verdict->clip.motion;
    Status status = STATUS_OK;
    for (int j = 1; m->translation && !in->verdict->clip.has_dof && j < m->joint_count && !status; j++) {
        double min = INFINITY, max = 0;
        for (int f = 0; f < m->frame_count; f++) {
            double length = vec3_norm(m->translation[motion_index(m, f, j)]);
            min = fmin(min, length);
            max = fmax(max, length);
        }
        if (!is_path(&in->verdict->clip.skeleton, j) && max - min > fmax(max_stretch * max, min_stretch))
            status = findings_add(&in->take->findings, FINDING_BONE, joint_location(in->take, j), err,
                                  "the bone to joint \"%.60s\" varies from %.3g to %.3g m",
                                  in->verdict->clip.skeleton.name[j], min, max);
    }
    return status;
}

static int is_foot(Role segment)
{
    return segment == ROLE_LEFT_ANKLE || segment == ROLE_LEFT_TOE || segment == ROLE_RIGHT_ANKLE ||
           segment == ROLE_RIGHT_TOE;
}

/* Adds a finding if the lowest joint of the take is far below its feet, which thus never support the body. */
static Status find_idle_feet(Inspection *in, Error *err)
{
    const Skeleton *s = &in->verdict->clip.skeleton;
    size_t frames = (size_t)in->verdict->clip.motion.frame_count, joints = (size_t)s->joint_count;
    double feet = INFINITY, others = INFINITY;
    Arena arena = {0};
    WorldPoses poses = {.position = arena_array(&arena, frames, joints, sizeof(Vec3)),
                        .orientation = arena_array(&arena, frames, joints, sizeof(Quat))};
    ClipView view = clip_view(&in->verdict->clip);
    Status status = arena.failed ? error_no_memory(err) : forward_kinematics(&view, LANES_AUTO, &poses, err);
    for (size_t i = 0; !status && i < frames * joints; i++) {
        double *low = is_foot(s->segment[i % joints]) ? &feet : &others;
        *low = fmin(*low, poses.position[i].y);
    }
    arena_free(&arena);
    if (status || !isfinite(feet) || feet - others <= off_ground * artifact_body_size(s))
        return status;
    return findings_add(&in->take->findings, FINDING_FEET, joint_location(in->take, 0), err,
                        "the feet stay %.2g m above the lowest joint of the take", feet - others);
}

/* ---- The whole take ---- */

void take_verdict_free(TakeVerdict *v)
{
    clip_free(&v->clip);
    artifacts_free(&v->artifacts);
    free(v->frame);
    free(v->step);
    v->frame = NULL;
    v->step = NULL;
}

/* Findings on the rows of the file, then on the decisions of import and the motion that results. */
Status take_judge(Take *take, const ImportGuessDef *def, TakeVerdict *out, Error *err)
{
    Inspection in = {.take = take, .def = def, .verdict = out};
    Status status;
    if ((status = find_steps(take, out, err)) ||
        (status = find_flips(take, err)) ||
        (status = find_frame_rate(take, def, err)) ||
        (status = clip_settle(take, def, &out->clip, &out->guess, err)) ||
        (status = add_decisions(&in, err)) ||
        (status = add_contradictions(&in, err)) ||
        (status = add_positions(&in, err)) ||
        (status = find_artifacts(&in, err)) ||
        (status = find_stretched_bones(&in, err)))
        return status;
    status = find_idle_feet(&in, err);
    findings_sort(&take->findings);
    return status;
}

static Status compare_family(Take *take, const Skeleton *own, const Skeleton *other, Error *err)
{
    Status status = STATUS_OK;
    for (int i = 0; i < other->joint_count && !status; i++)
        if (skeleton_find(own, other->name[i]) < 0)
            status = findings_add(&take->findings, FINDING_FAMILY, joint_location(take, 0), err,
                                  "missing joint \"%.60s\"", other->name[i]);
    return status;
}

Status take_inspect(Take *take, const ImportGuessDef *def, const Skeleton *family, Error *err)
{
    TakeVerdict verdict = {0};
    if (!(take->motion.frame_time > 0) && findings_have(&take->findings, FINDING_FRAME_TIME))
        take->motion.frame_time = usual_frame_time;
    Status status = take_judge(take, def, &verdict, err);
    findings_sort(&take->findings);
    if (!status && family)
        status = compare_family(take, &verdict.clip.skeleton, family, err);
    take_verdict_free(&verdict);
    return status;
}
