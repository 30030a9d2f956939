/* See stage.h. */
#include "analysis/clip/dofs.h"
#include "pipeline/stages/stage.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/math/elementary.h"
#include "analysis/math/passes.h"
#include "analysis/quality/trust_marks.h"
#include "formats/container/container_check.h"
#include "pipeline/stages/history.h"

#define LENGTH_ERROR 1e-9 /* unit-length error of a rotation that a stage may add */
#define OFF_AXIS 1e-4     /* rad and m, above 32-bit and rounding errors */

/* Returns the stage that fills a group. */
static const char *group_stage(unsigned group)
{
    for (const ComputedGroup *c = computed_groups; c->stage; c++)
        if (c->group & group)
            return c->stage;
    return "import";
}

/* Reports the first missing group in the order of computation, because that stage must run first. */
static Status check_needs(const Stage *stage, const OptionValues *values, const Clip *clip, Error *err)
{
    unsigned needs = stage->needs | (stage->needs_with ? stage->needs_with(values) : 0);
    unsigned missing = needs & ~clip_groups(clip), group = missing & -missing;
    if (!missing)
        return STATUS_OK;
    return error_set(err, STATUS_BAD_INPUT, "has no /%s: run kane %s first", clip_group_name((ClipGroup)group),
                     group_stage(group));
}

static size_t rotation_count(const Motion *m)
{
    return (size_t)m->frame_count * (size_t)m->joint_count;
}

static Status check_lengths(const Clip *clip, const Quat *rotation, double max, Error *err)
{
    size_t at = 0, joints = (size_t)clip->skeleton.joint_count;
    size_t count = rotation_count(&clip->motion);
    double error = rotations_length_error(rotation, count);
    if (error <= max)
        return STATUS_OK;
    while (at + 1 < count && rotations_length_error(rotation + at, 1) < error)
        at++;
    return error_set(err, STATUS_BAD_INPUT, "rotation of joint \"%.60s\" in frame %zu: length differs from 1 by %.3g",
                     clip->skeleton.name[at % joints], at / joints, error);
}

/* Fails a stage that produced invalid data. Rotations must keep the unit length they had, `given` off 1 (more after
 * 32-bit storage); in orientations that error accumulates along a chain of joints. */
static Status check_result(const Stage *stage, const Clip *clip, double given, Error *err)
{
    Error cause = {0};
    double max = LENGTH_ERROR + given * clip->skeleton.joint_count;
    Status status = container_check_values(clip, stage->fills, &cause);
    if (!status && stage->fills & CLIP_MOTION)
        status = check_lengths(clip, clip->motion.rotation, max, &cause);
    if (!status && stage->fills & CLIP_KINEMATICS)
        status = check_lengths(clip, clip->kinematics.orientation, max, &cause);
    return status ? error_set(err, status, "kane %s failed: %s", stage->command.name, cause.text) : STATUS_OK;
}

Status stage_check_axes(const Clip *clip, const DofMisfit *misfit, Error *err)
{
    const Dofs *d = &clip->dof;
    if (misfit->angle <= OFF_AXIS && misfit->distance <= OFF_AXIS)
        return STATUS_OK;
    return error_set(err, STATUS_BAD_INPUT,
                     "joint \"%.60s\" is up to %.3g degrees and %.3g cm off the axes of its degrees of freedom (frame "
                     "%d): /dof has what comes nearest", clip->skeleton.name[d->joint[misfit->row]],
                     misfit->angle * 180 / PI, 100 * misfit->distance, misfit->frame);
}

/* Recomputes positions, rates and efforts of the degrees of freedom for the changed clip. */
static Status follow_dofs(const Stage *stage, Clip *clip, Notes *notes, Error *err)
{
    const unsigned read = CLIP_ALWAYS | CLIP_BODY | CLIP_KINEMATICS | CLIP_CONTACT | CLIP_DYNAMICS;
    DofMisfit misfit;
    Error cause = {0};
    if (!clip->has_dof || !(stage->fills & read) || stage->adapts & CLIP_SIMULATION)
        return STATUS_OK;
    Status status = dofs_follow(clip, &misfit, err);
    if (status)
        return status;
    if (stage->fills & CLIP_ALWAYS)
        clip_drop_warnings(clip, "off-axis");
    int is_off = clip->has_dof && stage->fills & CLIP_ALWAYS && stage_check_axes(clip, &misfit, &cause);
    return is_off ? notes_warn(notes, clip, "off-axis", cause.text, err) : STATUS_OK;
}

Status stage_apply(const Stage *stage, const OptionValues *values, Clip *clip, Notes *notes, Error *err)
{
    OptionValues resolved = *values;
    Status status = STATUS_OK;
    double given = stage->fills & (CLIP_MOTION | CLIP_KINEMATICS)
                       ? rotations_length_error(clip->motion.rotation, rotation_count(&clip->motion)) : 0;
    notes_begin(notes, stage->command.name);
    if (stage->check)
        status = stage->check(&resolved, clip, err);
    if (!status)
        status = check_needs(stage, &resolved, clip, err);
    if (status)
        return status;
    char why[ERROR_TEXT_SIZE];
    if (stage->keeps && stage->keeps(&resolved, clip, why, sizeof why))
        return notes_add(notes, (Note){NOTE_DECISION, 0, 0, why}, err);
    clip_drop(clip, stage->fills & ~(unsigned)CLIP_ALWAYS);
    if ((status = stage->apply(&resolved, clip, notes, err)) || (status = check_result(stage, clip, given, err)))
        return status;
    clip_drop(clip, clip_computed_from(stage->fills & CLIP_ALWAYS) & ~stage->fills & ~stage->adapts);
    clip_hold(clip, stage->fills);
    status = trust_judge(clip, stage->fills, err);
    if (!status)
        status = follow_dofs(stage, clip, notes, err);
    history_drop_stale(clip, stage->fills);
    char note[ERROR_TEXT_SIZE] = "";
    if (stage->remark)
        stage->remark(&resolved, note, sizeof note);
    return status ? status : history_add(clip, &stage->command, &resolved, *note ? note : NULL, err);
}

Status stage_lanes(LaneWidth *lanes, Error *err)
{
    static const struct {
        const char *text;
        LaneWidth lanes;
    } width[] = {{"", LANES_AUTO}, {"1", LANES_SCALAR}, {"2", LANES_PAIR}, {"4", LANES_AVX2}, {"8", LANES_AVX512}};
    const char *text = getenv("KANE_LANES");
    *lanes = LANES_AUTO;
    for (size_t i = 0; text && i < sizeof width / sizeof *width; i++)
        if (!strcmp(text, width[i].text)) {
            *lanes = width[i].lanes;
            return STATUS_OK;
        }
    return text ? error_set(err, STATUS_USAGE, "KANE_LANES is 1, 2, 4 or 8, not \"%s\"", text) : STATUS_OK;
}
