#include "pipeline/stages/retarget_residual.h"

#include "analysis/dynamics/inverse_dynamics.h"
#include "analysis/trust/trust_carry.h"
#include "pipeline/stages/stage_chain.h"

Status retarget_run_chain(const Clip *clip, ChainEnd end, Clip *out, Error *err)
{
    StageChain chain = stage_chain_defaults();
    stage_chain_end_with(&chain, end == CHAIN_TO_CONTACT ? &stage_contact : &stage_torque);
    *out = (Clip){0};
    Status status = skeleton_copy(&out->skeleton, &clip->skeleton, err);
    if (!status)
        status = motion_copy(&out->motion, &clip->motion, err);
    if (!status && clip->has_trust)
        status = trust_carry_frames(&clip->trust, &clip->motion, &clip->motion, &out->trust, err);
    out->has_trust = !status && clip->has_trust;
    return status ? status : stage_chain_run(&chain, out, NULL, err);
}

double retarget_residual(const Clip *clip, const Trust *before, double *worst)
{
    double sum = 0, most = -1, weight = clip->has_body ? clip->body.total_mass * GRAVITY : 0;
    int count = 0;
    for (int f = 0; f < clip->motion.frame_count && clip->has_dynamics && weight > 0; f++) {
        double size = vec3_norm(clip->dynamics.residual_force[f]) / weight;
        if (!before->trusted[f] || !clip->kinematics.valid[f])
            continue;
        sum += size * size;
        count++;
        if (size > most && worst)
            *worst = f;
        most = fmax(most, size);
    }
    return count ? sqrt(sum / count) : NAN;
}
