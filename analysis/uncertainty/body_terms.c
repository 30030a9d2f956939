/* Effects of errors of the body on torques (body_terms.h). */
#include "analysis/uncertainty/body_terms.h"

#include <stdlib.h>

#include "analysis/base/arena.h"
#include "analysis/body/body_parts.h"
#include "analysis/contact/mass_fit.h"
#include "analysis/uncertainty/body_terms_internal.h"
#include "analysis/uncertainty/spread_terms.h"

static const BodyPart mass_groups[MASS_GROUPS][2] = {
    {PART_THIGH, PART_HAND}, {PART_SHANK, PART_FOREARM}, {PART_FOOT, PART_UPPER_ARM}, {PART_HEAD, PART_HEAD}};

static double mass_spread(BodyPart part, const double *size)
{
    for (int i = 0; i < part_spreads_count; i++)
        if (part_spreads[i].part == part)
            return part_spreads[i].spread * size[part == PART_FOOT ? SPREAD_FOOT_MASS : SPREAD_SEGMENT_MASS];
    return 0;
}

void body_masses_change(const Skeleton *skeleton, int group, double deviations, const double *size, Body *body)
{
    double added = 0, trunk = 0;
    MassFit change = {0};
    for (int i = 0; i < 2; i++)
        change.change[mass_groups[group][i]] = deviations * mass_spread(mass_groups[group][i], size);
    for (int j = 0; j < body->joint_count; j++) {
        BodyPart part = segment_body_part(skeleton->segment[j]);
        added += part == PART_NONE ? 0 : change.change[part] * body->mass[j];
        trunk += part == PART_TRUNK ? body->mass[j] : 0;
    }
    if (trunk > 0)
        change.change[PART_TRUNK] = -added / trunk;
    body_parts_scale(skeleton, change.change, body);
}

static Status mass_group_init(const SpreadCase *c, int number, MassGroup *out, Arena *arena, Error *err)
{
    const Body *body = c->clip->body;
    const Skeleton *s = c->clip->skeleton;
    Body changed = {0};
    *out = (MassGroup){arena_array(arena, (size_t)body->joint_count, 1, sizeof *out->part),
                       arena_array(arena, (size_t)body->joint_count, 1, sizeof *out->carries)};
    Status status = arena->failed ? error_no_memory(err) : body_copy(&changed, body, err);
    if (status)
        return status;
    body_masses_change(s, number, 1, c->size, &changed);
    for (int j = body->joint_count - 1; j >= 0; j--) {
        out->part[j] = body->mass[j] > 0 ? changed.mass[j] / body->mass[j] - 1 : 0;
        out->carries[j] |= out->part[j] != 0;
        if (j > 0)
            out->carries[s->parent[j]] |= out->carries[j];
    }
    body_free(&changed);
    return STATUS_OK;
}

/* Variances of the segments' centres of mass, m2. */
static void segment_variances(const SpreadCase *c, double *variance)
{
    const Skeleton *s = c->clip->skeleton;
    for (int j = 0; j < s->joint_count; j++) {
        int is_foot = segment_body_part(s->segment[j]) == PART_FOOT;
        double off = c->size[is_foot ? SPREAD_FOOT_CENTRE : SPREAD_SEGMENT_CENTRE];
        variance[j] = off * off;
    }
}

Status body_terms_add(const SpreadCase *c, TorqueCovariance *out, Error *err)
{
    size_t joints = (size_t)out->joint_count;
    int has_masses = c->size[SPREAD_SEGMENT_MASS] > 0 || c->size[SPREAD_FOOT_MASS] > 0;
    LaneWidth width = lane_width_choose(c->filter.difference.lanes);
    Arena arena = {0};
    MassGroup group[MASS_GROUPS];
    double *variance = arena_array(&arena, joints, 1, sizeof *variance);
    double *scratch = array_new_aligned(joints, BODY_SPREAD_VALUES * (size_t)width, sizeof *scratch);
    Status status = arena.failed || !scratch ? error_no_memory(err) : STATUS_OK;
    for (int i = 0; i < MASS_GROUPS && has_masses && !status; i++)
        status = mass_group_init(c, i, &group[i], &arena, err);
    if (!status) {
        double off = c->size[SPREAD_JOINT_CENTRE];
        BodySpreadView view = {(size_t)out->frame_count, joints, c->clip->skeleton->parent,
                               c->clip->kinematics->position, c->dynamics->force, c->dynamics->torque, c->loads,
                               off * off, variance, group, has_masses ? MASS_GROUPS : 0, scratch, out->covariance};
        segment_variances(c, variance);
        body_spread_frames_scalar(&view, LANE_TWIN(body_spread_frames, width)(&view, 0));
    }
    free(scratch);
    arena_free(&arena);
    return status;
}
