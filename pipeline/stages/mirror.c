/* kane mirror: swaps left and right. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"
#include "analysis/clip/dofs.h"
#include "analysis/math/elementary.h"
#include "analysis/motion/dof_motion.h"
#include "analysis/motion/mirror.h"
#include "pipeline/stages/notes.h"
#include "pipeline/stages/option.h"
#include "pipeline/stages/stage.h"
#include "pipeline/stages/stage_list.h"

#define MIRROR_BEFORE ": mirror the motion before it is put on the model"
#define LOOSE 0.01 /* fraction of the range; a simulated limit is exceeded by as much */

/* Moves the flags of a joint to its counterpart on the other side. */
static void mirror_trust(const Mirror *m, Trust *t)
{
    for (int f = 0; t->joint_reason && f < t->frame_count; f++) {
        uint32_t *row = t->joint_reason + (size_t)f * (size_t)t->joint_count;
        for (int j = 0; j < t->joint_count; j++)
            if (m->pair[j] > j) {
                uint32_t kept = row[j];
                row[j] = row[m->pair[j]];
                row[m->pair[j]] = kept;
            }
    }
}

static Status note_asymmetry(const Mirror *m, Clip *clip, Notes *notes, Error *err)
{
    char text[192];
    clip_drop_warnings(clip, "asymmetric");
    if (m->asymmetry <= 0)
        return STATUS_OK;
    snprintf(text, sizeof text,
             "the skeleton is asymmetric by up to %.3g cm below \"%.60s\" and is mirrored as well",
             100 * m->asymmetry, clip->skeleton.name[m->asymmetric_joint]);
    return notes_warn(notes, clip, "asymmetric", text, err);
}

/* Rejects rotations of joints without degrees of freedom in a model that has some. */
static Status check_fixed(const Clip *clip, const Motion *image, Error *err)
{
    const double same = 1e-8; /* half the squared half angle, rad^2 */
    for (int j = 0; clip->has_dof && j < image->joint_count; j++) {
        int rows = 0;
        for (int i = 0; i < clip->dof.count; i++)
            rows += clip->dof.joint[i] == j;
        for (int f = 0; f < image->frame_count && rows == 0; f++) {
            size_t at = motion_index(image, f, j);
            if (!(fabs(quat_dot(image->rotation[at], clip->motion.rotation[at])) >= 1 - same))
                return error_set(err, STATUS_BAD_INPUT, "its model cannot move as its mirror image: joint \"%.60s\", "
                                 "which is fixed, would be turned" MIRROR_BEFORE,
                                 clip->skeleton.name[j]);
        }
    }
    return STATUS_OK;
}

/* Rejects positions beyond the stored ranges. */
static Status check_ranges(const Clip *clip, Error *err)
{
    const Dofs *d = &clip->dof;
    for (int f = 0; f < d->frame_count; f++)
        for (int i = 0; i < d->count; i++) {
            double x = d->position[dofs_index(d, f, i)];
            const double *range = d->range + (size_t)DOF_BOUNDS * (size_t)i;
            double beyond = fmax(isnan(range[0]) ? 0 : range[0] - x, isnan(range[1]) ? 0 : x - range[1]);
            if (beyond > fmax(fabs(range[0]), fabs(range[1])) * LOOSE)
                return error_set(err, STATUS_BAD_INPUT, "its model cannot move as its mirror image: \"%.60s\" would be "
                                 "at %.4g, out of its range of %.4g to %.4g (frame %d)" MIRROR_BEFORE, d->name[i], x,
                                 range[0], range[1], f);
        }
    return STATUS_OK;
}

/* Checks that the mirrored motion is one of the model, whose axes do not change. */
static Status check_image(const Mirror *m, Clip *clip, Error *err)
{
    DofMisfit misfit;
    Error cause = {0};
    if (!clip->has_dof)
        return STATUS_OK;
    if (clip->dof.moving_axis)
        return error_set(err, STATUS_BAD_INPUT, "has axes that move (/dof/moving_axis): their image is not known");
    if (m->asymmetry > 0)
        return error_set(err, STATUS_BAD_INPUT, "its model is not symmetric, by up to %.3g cm below \"%.60s\": it "
                         "cannot move as its mirror image", 100 * m->asymmetry,
                         clip->skeleton.name[m->asymmetric_joint]);
    Status status = dofs_follow(clip, &misfit, err);
    if (status || !stage_check_axes(clip, &misfit, &cause))
        return status ? status : check_ranges(clip, err);
    return error_set(err, STATUS_BAD_INPUT, "its model cannot move as its mirror image: joint \"%.60s\" would be %.3g "
                     "degrees and %.3g cm off its axes" MIRROR_BEFORE, clip->skeleton.name[clip->dof.joint[misfit.row]],
                     misfit.angle * 180 / PI, 100 * misfit.distance);
}

static Status mirror_apply(OptionValues *values, Clip *clip, Notes *notes, Error *err)
{
    Mirror mirror;
    Motion motion = {0};
    (void)values;
    Status status = mirror_init(&mirror, &clip->skeleton, &clip->motion, err);
    if (status)
        return status;
    status = mirror_motion(&mirror, &clip->skeleton, &clip->motion, &motion, err);
    if (!status)
        status = check_fixed(clip, &motion, err);
    if (!status)
        status = note_asymmetry(&mirror, clip, notes, err);
    if (!status)
        status = mirror_skeleton(&mirror, &clip->skeleton, err);
    if (!status)
        status = mirror_computed(&mirror, clip, err);
    if (!status) {
        motion_free(&clip->motion);
        clip->motion = motion;
        motion = (Motion){0};
        if (clip->has_trust)
            mirror_trust(&mirror, &clip->trust);
        status = check_image(&mirror, clip, err);
    }
    motion_free(&motion);
    mirror_free(&mirror);
    return status;
}

const Stage stage_mirror = {
    .command = {
        .name = "mirror",
        .group = COMMANDS_EDIT,
        .summary = "Swap left and right",
        .arguments = "[FILE.h5|{motion-files}...]",
        .description = "Reflects the motion with its forces, torques and angles. Joints are paired by role and name. "
                       "A symmetric skeleton is unchanged, any other is reflected as well.",
        .example = "kane mirror walk.h5 -o mirrored.h5",
    },
    .fills = CLIP_SKELETON | CLIP_MOTION,
    .reads_motion = 1,
    .adapts = CLIP_BODY | CLIP_KINEMATICS | CLIP_CONTACT | CLIP_DYNAMICS | CLIP_ANGLES,
    .apply = mirror_apply,
};
