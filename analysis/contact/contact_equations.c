/* Equations of a frame that couple all candidates (contact_program_internal.h). */
#include <math.h>

#include "analysis/contact/contact_constants.h"
#include "analysis/contact/contact_program_internal.h"
#include "analysis/contact/required_wrench.h"

#define SMOOTH_TIME 0.01     /* s */
#define NEGLIGIBLE_LOAD 1e-3 /* body weights */

/* Interpolates between the constants of jumps, standing and gait, by the similarity of the motion in a frame. */
static double of_kind(const ContactProblem *p, size_t frame, const double value[3])
{
    return lerp(lerp(value[0], value[1], p->still[frame]), value[2], p->gait[frame]);
}

/* Least torque in the joints that carry the limb of a point, proximal (joint 0) and distal (1). 0: there is none. */
int contact_effort_equation(const ContactProblem *p, size_t frame, const ContactPoint *point, int joint,
                                   MomentEquation *out)
{
    const double length = p->points.leg_length;
    const ContactConstants *c = p->points.constants;
    const double hip[3] = {c->jump_hip_effort, c->stand_hip_effort, c->hip_effort};
    const double ankle[3] = {c->ankle_effort, c->stand_ankle_effort, c->ankle_effort};
    const double ankle_side[3] = {c->ankle_effort, c->stand_ankle_side_effort, c->ankle_effort};
    int of = joint ? point->distal : point->proximal;
    if (of < 0)
        return 0;
    size_t j = frame * (size_t)p->clip->kinematics->joint_count + (size_t)of;
    double effort = of_kind(p, frame, joint ? ankle : hip), side = of_kind(p, frame, joint ? ankle_side : hip);
    *out = (MomentEquation){
        .limb = point->limb,
        .centre = vec3_scale(mat3_mul(p->axes, p->clip->kinematics->position[j]), 1 / length),
        .needed = vec3_scale(mat3_mul(p->axes, p->unloaded.torque[j]), 1 / (p->weight * length)),
        .side = p->wrench.side[frame],
        .weight = vec3(side, effort, effort),
    };
    return 1;
}

/* Weighted by the reliability of the accelerations. Flight shows it, except that of a landing on both feet: its impact
 * shakes the soft tissue. */
WholeEquations contact_whole_equations(const ContactProblem *p, size_t frame)
{
    const ContactConstants *c = p->points.constants;
    const RequiredWrench *n = &p->wrench;
    double noise = lerp(n->noise, 1, contact_jump(p, frame));
    double force = lerp(c->clean_force, c->force_horizontal, noise);
    double gait = lerp(c->moment_horizontal, c->run_moment, p->run[frame]);
    const double ahead[3] = {c->jump_moment, c->stand_moment, gait};
    const double aside[3] = {c->jump_moment, c->stand_side_moment, gait};
    double moment = lerp(c->clean_moment, of_kind(p, frame, ahead), noise);
    double side = lerp(c->clean_moment, of_kind(p, frame, aside), noise);
    return (WholeEquations){
        .force = n->force[frame],
        .force_weight = vec3(force, 1, force),
        .moment = {.limb = -1, .centre = n->com[frame], .needed = n->moment[frame], .side = n->side[frame],
                   .weight = {side, c->moment_vertical, moment}},
    };
}

/* Weights of the change of a force from frame to frame of the span, horizontal and vertical. */
void contact_smoothing(const ContactProblem *p, ContactSpan span, double *horizontal, double *vertical)
{
    double per_frame = SMOOTH_TIME / (span.step * p->frame_time);
    *horizontal = p->points.constants->smooth_horizontal * (per_frame * per_frame);
    *vertical = p->points.constants->smooth_vertical * (per_frame * per_frame);
}

TridiagonalQpDef contact_solver_def(const ContactProgramDef *def)
{
    TridiagonalQpDef out = tridiagonal_qp_default_def();
    out.friction = def->friction;
    out.lanes = def->lanes;
    out.tolerance = fmax(out.tolerance, def->tolerance);
    out.acceptance = NEGLIGIBLE_LOAD;
    return out;
}
