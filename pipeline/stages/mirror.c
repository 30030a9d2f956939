/* kane mirror: left and right exchanged. */
#include "analysis/motion/mirror_computed.h"

#include <stdio.h>

#include "pipeline/stages/stage.h"

/* What speaks against a joint goes to the one on the other side. */
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

static Status tell_asymmetry(const Mirror *m, Clip *clip, Notes *notes, Error *err)
{
    char text[192];
    clip_drop_warnings(clip, "asymmetric");
    if (m->asymmetry <= 0)
        return STATUS_OK;
    snprintf(text, sizeof text,
             "the skeleton is not symmetric, by up to %.3g cm below \"%.60s\": it is mirrored with the motion",
             100 * m->asymmetry, clip->skeleton.name[m->asymmetric_joint]);
    return notes_warn(notes, clip, "asymmetric", text, err);
}

static Status apply(OptionValues *values, Clip *clip, Notes *notes, Error *err)
{
    Mirror mirror;
    Motion motion = {0};
    (void)values;
    Status status = mirror_init(&mirror, &clip->skeleton, err);
    if (status)
        return status;
    status = mirror_motion(&mirror, &clip->skeleton, &clip->motion, &motion, err);
    if (!status)
        status = tell_asymmetry(&mirror, clip, notes, err);
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
    }
    motion_free(&motion);
    mirror_free(&mirror);
    return status;
}

const Stage stage_mirror = {
    .command = {
        .name = "mirror",
        .summary = "Exchange left and right",
        .arguments = "[FILE.h5|FILE.bvh...]",
        .description = "Gives the mirror image of the motion: the right side does what the left one did. Joints are "
                       "paired by role and name. Forces, torques and angles are mirrored with the motion. A skeleton "
                       "that is symmetric stays as it is; another one is mirrored with the motion. Mirrored twice, a "
                       "clip is what it was.",
    },
    .fills = CLIP_SKELETON | CLIP_MOTION,
    .adapts = CLIP_BODY | CLIP_KINEMATICS | CLIP_CONTACT | CLIP_DYNAMICS | CLIP_ANATOMY,
    .apply = apply,
};
