/* See torque_parts.h. */
#include "formats/report/torque_parts.h"

#include <stdlib.h>

#include "analysis/base/arena.h"
#include "analysis/contact/foot_load.h"
#include "analysis/dynamics/torque_terms.h"

enum { PART_WEIGHT, PART_INERTIA, PART_GROUND, PART_REST };

static const int part_of[TERM_COUNT] = {
    [TERM_GRAVITY] = PART_WEIGHT, [TERM_LINEAR_INERTIA] = PART_INERTIA, [TERM_ANGULAR_INERTIA] = PART_INERTIA,
    [TERM_GYROSCOPIC] = PART_INERTIA, [TERM_GROUND_LEFT] = PART_GROUND, [TERM_GROUND_RIGHT] = PART_GROUND,
    [TERM_CONTACT] = PART_GROUND, [TERM_EXTERNAL] = PART_REST, [TERM_SPRINGS] = PART_REST,
};

static void put_parts(const TermLoad *term, Vec3 torque, double part[TORQUE_PARTS])
{
    double size = vec3_norm(torque), sum = 0;
    for (int i = 0; i < TERM_COUNT && size > 0; i++)
        part[part_of[i]] += vec3_dot(term[i].moment, torque) / size;
    for (int k = 0; k < PART_REST; k++)
        sum += part[k];
    part[PART_REST] = size - sum;
}

Status torque_parts(const Clip *clip, double **out, Error *err)
{
    size_t joints = (size_t)clip->skeleton.joint_count;
    Arena arena = {0};
    Loads loads = {0};
    TorqueTerms terms = {0};
    ClipView view = clip_view(clip);
    Status status = STATUS_OK;
    *out = array_new((size_t)clip->motion.frame_count, joints * TORQUE_PARTS, sizeof **out);
    if (!*out)
        return error_no_memory(err);
    if (clip->has_contact && clip->contact.point_count > 0)
        status = loads_from_contact(&clip->contact, &clip->kinematics, &loads, err);
    TorqueTerm *ground = arena_array(&arena, (size_t)loads.load_count, 1, sizeof *ground);
    for (int l = 0; ground && l < loads.load_count; l++)
        ground[l] = TERM_CONTACT; /* one group for all contacts */
    if (!status && arena.failed)
        status = error_no_memory(err);
    if (!status)
        status = torque_terms_init(&terms, &view, &(TermSource){&loads, ground}, loads.load_count > 0, err);
    for (int f = 0; f < clip->motion.frame_count && !status; f++) {
        torque_terms_at(&terms, f);
        for (size_t j = 0; j < joints; j++) {
            size_t at = (size_t)f * joints + j;
            put_parts(joint_torque_terms(&terms, (int)j), clip->dynamics.torque[at], *out + at * TORQUE_PARTS);
        }
    }
    torque_terms_free(&terms);
    loads_free(&loads);
    arena_free(&arena);
    if (status) {
        free(*out);
        *out = NULL;
    }
    return status;
}
