#include "analysis/contact/measured.h"

#include "analysis/contact/foot.h"

/* The load as force at the joint centre P and couple about it: M_P = M_O - P x F. */
static void fill_points(const Loads *loads, const Kinematics *kinematics, Contact *out)
{
    for (int f = 0; f < loads->frame_count; f++)
        for (int i = 0; i < loads->load_count; i++) {
            size_t at = (size_t)f * (size_t)loads->load_count + (size_t)i;
            Vec3 centre = kinematics->position[(size_t)f * (size_t)kinematics->joint_count + (size_t)loads->joint[i]];
            out->force[at] = loads->force[at];
            out->moment[at] = vec3_sub(loads->moment[at], vec3_cross(centre, loads->force[at]));
            out->state[at] = vec3_dot(loads->force[at], loads->force[at]) > 0;
        }
}

Status contact_from_external(const ExternalRows *rows, const ClipView *clip, double ground, Contact *out, Error *err)
{
    Loads loads = {0};
    *out = (Contact){0};
    Status status = loads_from_external(rows, clip->motion, &loads, err);
    if (status == STATUS_OK)
        status = contact_init(out, clip->motion->frame_count, loads.load_count, 1, err);
    if (status != STATUS_OK) {
        loads_free(&loads);
        return status;
    }
    out->ground_height = ground;
    for (int i = 0; i < loads.load_count; i++)
        out->point_joint[i] = loads.joint[i];
    fill_points(&loads, clip->kinematics, out);
    foot_summarize(clip->skeleton, clip->kinematics, out);
    loads_free(&loads);
    return STATUS_OK;
}
