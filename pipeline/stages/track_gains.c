/* See track_gains.h. */
#include "pipeline/stages/track_gains.h"

#include <math.h>

#include "analysis/base/arena.h"
#include "formats/base/text.h"
#include "formats/tables/gain_table.h"
#include "pipeline/stages/track_words.h"

/* Moves gains[joint of the clip] to the first entries, gains[simulated joint]. STATUS_BAD_INPUT for a joint that is
 * rigidly attached. */
static Status move_gains(const TrackOptions *o, const Clip *clip, const Playback *p, JointGains *gains, Error *err)
{
    const LumpedBody *lumped = &p->lumped;
    for (int j = 0; j < lumped->source_count; j++) {
        const JointGains *g = &gains[j];
        int says = !isnan(g->stiffness) || !isnan(g->damping) || !isnan(g->integral) || !isnan(g->torque_max);
        if (says && lumped->carrier[j] != j)
            return error_set(err, STATUS_BAD_INPUT, "%s: \"%s\" is rigidly attached to \"%s\": it has no gains",
                             o->joint_gains, clip->skeleton.name[j], clip->skeleton.name[lumped->carrier[j]]);
    }
    for (int i = 0; i < lumped->body.joint_count; i++)
        gains[i] = gains[lumped->source[i]];
    return STATUS_OK;
}

Status track_read_gains(const TrackOptions *o, const Clip *clip, const Playback *p, JointGains **gains, Error *err)
{
    *gains = array_new((size_t)clip->skeleton.joint_count, 1, sizeof **gains);
    if (!*gains)
        return error_no_memory(err);
    Status status = error_of_file(err, o->joint_gains,
                                  joint_gains_read(o->joint_gains, &clip->skeleton, *gains, err));
    return status ? status : move_gains(o, clip, p, *gains, err);
}

ControllerDef track_controller_def(const TrackOptions *o, ControllerKind kind, const JointGains *gains)
{
    ControllerDef def = controller_default_def();
    def.kind = kind;
    def.zero_velocity = o->zero_velocity;
    def.gains.stiffness = o->stiffness;
    def.gains.damping = o->damping;
    def.gains.damping_ratio = o->damping_ratio;
    def.gains.scale = (GainScale)o->gains;
    def.gains.integral = o->integral;
    def.gains.joint = gains;
    def.hit_stiffness = o->hit_stiffness;
    if (o->balance_weights)
        track_parse_weights(o->balance_weights, &def.balance, NULL); /* already checked */
    if (o->integral_max > 0)
        def.gains.integral_max = o->integral_max;
    if (o->hit_time > 0)
        def.hit_time = o->hit_time;
    return def;
}
