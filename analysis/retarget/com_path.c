/* See com_path.h. */
#include "analysis/retarget/com_path.h"

#include "analysis/base/arena.h"
#include "analysis/body/body_model.h"
#include "analysis/retarget/foot_goal.h"
#include "analysis/retarget/reference_pose.h"

/* Vector from the middle of the hips to the centre of mass, m, world. */
static Vec3 mass_from_hips(const SoledPose *pose, const ReferencePose *r, const Body *body, int frame)
{
    const Vec3 *x = pose->position + (size_t)frame * (size_t)pose->joint_count;
    const Quat *q = pose->orientation + (size_t)frame * (size_t)pose->joint_count;
    Vec3 sum = vec3(0, 0, 0);
    for (int j = 0; j < body->joint_count; j++)
        sum = vec3_mad(sum, body->mass[j], vec3_add(x[j], quat_rotate(q[j], body->com[j])));
    Vec3 hips = vec3_scale(vec3_add(x[r->joint[ROLE_LEFT_HIP]], x[r->joint[ROLE_RIGHT_HIP]]), 0.5);
    return vec3_sub(vec3_scale(sum, 1 / body->total_mass), hips);
}

Status com_path_add(const FootPair *pair, const ReferencePose *target, const ReferencePose *source, Vec3 *shift,
                    Error *err)
{
    Body own = {0}, other = {0};
    BodyDef def = body_default_def();
    Arena arena = {0};
    int frames = pair->contact->frame_count;
    Vec3 mean = vec3(0, 0, 0), *change = arena_array(&arena, (size_t)frames, 1, sizeof *change);
    Status status = change ? body_from_skeleton(target->skeleton, &def, &own, err) : error_no_memory(err);
    if (!status)
        status = body_from_skeleton(source->skeleton, &def, &other, err);
    for (int f = 0; !status && f < frames; f++) {
        Vec3 wanted = vec3_scale(mass_from_hips(&pair->source, source, &other, f), pair->scale);
        change[f] = vec3_sub(wanted, mass_from_hips(&pair->target, target, &own, f));
        mean = vec3_mad(mean, 1.0 / frames, change[f]);
    }
    for (int f = 0; !status && f < frames; f++) /* zero mean, so that the feet determine the mean position */
        shift[f] = vec3_add(shift[f], vec3_sub(change[f], mean));
    body_free(&own);
    body_free(&other);
    arena_free(&arena);
    return status == STATUS_BAD_INPUT ? STATUS_OK : status;
}
