#include "analysis/retarget/mass_path.h"

#include "analysis/body/body_model.h"

/* From the middle of the hips to the centre of mass, m. */
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

/* In the mean nothing changes: the body stands where its feet have it. */
static void add_change(const PlantedBody *body, const Body *target, const Body *source, Vec3 *change, Vec3 *shift)
{
    const FootPair *pair = body->pair;
    int frames = pair->contact->frame_count;
    Vec3 mean = vec3(0, 0, 0);
    for (int f = 0; f < frames; f++) {
        Vec3 wanted = vec3_scale(mass_from_hips(&pair->source, body->source, source, f), pair->scale);
        change[f] = vec3_sub(wanted, mass_from_hips(&pair->target, body->target, target, f));
        mean = vec3_mad(mean, 1.0 / frames, change[f]);
    }
    for (int f = 0; f < frames; f++)
        shift[f] = vec3_add(shift[f], vec3_sub(change[f], mean));
}

Status mass_path_add(const PlantedBody *body, Vec3 *shift, Error *err)
{
    Body target = {0}, source = {0};
    BodyDef def = body_default_def();
    Arena arena = {0};
    Vec3 *change = arena_array(&arena, (size_t)body->pair->contact->frame_count, 1, sizeof *change);
    Status status = change ? body_from_skeleton(body->target->skeleton, &def, &target, err) : error_no_memory(err);
    if (!status)
        status = body_from_skeleton(body->source->skeleton, &def, &source, err);
    if (!status)
        add_change(body, &target, &source, change, shift);
    body_free(&target);
    body_free(&source);
    arena_free(&arena);
    return status == STATUS_BAD_INPUT ? STATUS_OK : status;
}
