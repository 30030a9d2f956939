/* See angles_compute.h. */
#include "analysis/angles/angles_compute.h"

#include <stdio.h>

#include "analysis/angles/coordinates.h"
#include "analysis/angles/knee_axis.h"
#include "analysis/angles/neutral_pose.h"
#include "analysis/body/human_rest.h"
#include "analysis/evidence/judgement.h"

enum { LEFT_KNEE = 1, RIGHT_KNEE = 2, BOTH_KNEES = 3 };

const char *const knee_axis_names[] = {"auto", "geometry", "functional", NULL};

AnglesDef angles_default_def(void)
{
    return (AnglesDef){.has_strength = 1, .strength = strength_default_def(), .lanes = LANES_AUTO};
}

/* Replaces the axis of each knee that flexes enough by its functional axis; KNEE_AUTO does so for both knees or for
 * neither, so that sides can be compared. *chosen: the choice in words. */
static Status choose_knees(KneeAxis choice, const Kinematics *k, JointAxesSet *axes, const char **chosen, Error *err)
{
    const JointAxesSet geometry = *axes;
    static const char *const names[] = {"geometry", "functional, left", "functional, right", "functional"};
    double fraction = choice == KNEE_AUTO ? KNEE_HINGE_FRACTION : KNEE_MIN_FRACTION;
    int which = 0;
    Status status = STATUS_OK;
    for (int i = 0; choice != KNEE_GEOMETRY && !status && i < axes->count; i++) {
        Role role = coordinate_role(axes->joint[i].first);
        int found = 0;
        if (role == ROLE_LEFT_KNEE || role == ROLE_RIGHT_KNEE)
            status = knee_axis_find(k, fraction, &axes->joint[i], &found, err);
        which |= found ? (role == ROLE_LEFT_KNEE ? LEFT_KNEE : RIGHT_KNEE) : 0;
    }
    if (choice == KNEE_AUTO && which < BOTH_KNEES) {
        *axes = geometry;
        which = 0;
    }
    *chosen = which || choice != KNEE_FUNCTIONAL ? names[which] : "geometry: insufficient knee flexion";
    return status;
}

/* Axes that rest on improbable roles, or on left and right that may be exchanged, would reverse the angles. */
static int are_roles_improbable(const Clip *clip, Judgement *roles)
{
    return judgement_recall(&clip->provenance, JUDGED_ROLES, roles) && roles->confidence < DECISION_GUESS;
}

static Status find_coordinates(const AnglesDef *def, const Clip *clip, JointAngles *out, AnglesRemark *remark,
                               Error *err)
{
    Arena arena = {0};
    NeutralPose neutral;
    JointAxesSet axes = {.keep_axes = def->keep_axes, .lanes = def->lanes};
    ClipView view = clip_view(clip);
    Judgement roles;
    const char *knees = "";
    int is_improbable = are_roles_improbable(clip, &roles);
    Status status = neutral_pose_init(&neutral, &view, &arena, err);
    if (!status) {
        axes.count = is_improbable ? 0 : joint_axes_find(&neutral, axes.joint);
        status = choose_knees(def->knee_axis, &clip->kinematics, &axes, &knees, err);
    }
    if (!status)
        status = coordinates_compute(&axes, &clip->kinematics, &clip->dynamics, out, err);
    if (!status && axes.count > 0) {
        snprintf(out->knee_axis, sizeof out->knee_axis, "%s", knees);
        neutral_pose_describe(&neutral, out->neutral, sizeof out->neutral);
        remark->is_pose_built = neutral.from.frame >= 0 || neutral.off > NEUTRAL_NEAR;
    }
    remark->roles = is_improbable ? roles.confidence : 0;
    arena_free(&arena);
    return status;
}

Status angles_compute(const AnglesDef *def, const Clip *clip, JointAngles *out, AnglesRemark *remark, Error *err)
{
    double stature = clip_stature(clip), mass = clip->body.total_mass;
    *remark = (AnglesRemark){0};
    Status status = find_coordinates(def, clip, out, remark, err);
    if (status || out->coordinate_count == 0 || !def->has_strength || !(stature > 0) || !(mass > 0))
        return status;
    return strength_compute(&def->strength, mass, stature, out, err);
}
