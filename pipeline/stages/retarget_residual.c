/* See retarget_residual.h. */
#include "pipeline/stages/retarget_residual.h"

#include <math.h>

#include "analysis/base/standard_gravity.h"
#include "analysis/quality/trust_carry.h"
#include "pipeline/stages/notes.h"
#include "pipeline/stages/option.h"
#include "pipeline/stages/stage.h"
#include "pipeline/stages/stage_list.h"

enum { FIRST_TO_CONTACT = 4 };

/* The stages from the motion to the torques. */
static const Stage *const computing[] = {
    &stage_body, &stage_smooth, &stage_kinematics, &stage_contact, &stage_torque,
};

/* Runs a stage with its defaults; messages name options as in `kane run`. */
static Status run_stage(const Stage *stage, Clip *clip, Error *err)
{
    OptionValues values;
    stage_defaults(stage, &values);
    Status status = stage_apply(stage, &values, clip, NULL, err);
    notes_prefix_options(&stage->command, NULL, 0, status ? err : NULL);
    return status;
}

Status retarget_run_pipeline(const Clip *clip, PipelineEnd end, Clip *out, Error *err)
{
    int count = FIRST_TO_CONTACT + (end == PIPELINE_TO_TORQUE);
    unsigned own = clip->has_dof ? CLIP_BODY : 0; /* masses of a model are kept */
    Status status = clip_copy(clip, CLIP_ALWAYS | own, out, err);
    if (!status)
        status = trust_follow(out, &out->motion, err);
    for (int i = 0; i < count && !status; i++)
        status = run_stage(computing[i], out, err);
    return status;
}

double retarget_residual(const Clip *clip, const Trust *before, double *worst)
{
    double sum = 0, max = -1, weight = clip->has_body ? clip->body.total_mass * GRAVITY : 0;
    int count = 0;
    for (int f = 0; f < clip->motion.frame_count && clip->has_dynamics && weight > 0; f++) {
        double size = vec3_norm(clip->dynamics.residual_force[f]) / weight;
        if (!before->trusted[f] || !clip->kinematics.valid[f])
            continue;
        sum += size * size;
        count++;
        if (size > max && worst)
            *worst = f;
        max = fmax(max, size);
    }
    return count ? sqrt(sum / count) : NAN;
}
