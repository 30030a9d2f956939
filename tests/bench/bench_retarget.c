/* Retargeting of a clip of 31 joints to a character with planting and given contacts: a row `name value unit`, the
 * median CPU time over the rounds. */
#include <stdio.h>
#include <stdlib.h>

#include "analysis/base/arena.h"
#include "analysis/body/body_model.h"
#include "analysis/body/roles.h"
#include "analysis/contact/contact_estimate.h"
#include "analysis/motion/kinematics.h"
#include "analysis/retarget/retarget.h"
#include "formats/bvh/bvh.h"
#include "formats/bvh/bvh_clip.h"
#include "tests/bench/stopwatch.h"
#include "tests/support/read_bvh.h"

enum { JOINTS = 31, REPEATS = 20, ROUNDS = 9 };

/* The project's walk, repeated, with fingers and other joints without a role up to 31 joints. */
static Status make_clip(Clip *out)
{
    Bvh bvh;
    Clip walk = {0};
    ImportGuessDef def = import_guess_default_def();
    SourceDef limits = source_default_def();
    Status status = read_bvh("data/walk.bvh", &limits, &bvh, NULL);
    if (status)
        return status;
    status = clip_from_bvh(&bvh, &def, &walk, NULL, NULL);
    bvh_free(&bvh);
    int joints = walk.skeleton.joint_count, frames = walk.motion.frame_count,
        more = joints < JOINTS ? JOINTS - joints : 0;
    if (!status)
        status = skeleton_init(&out->skeleton, joints + more, walk.skeleton.end_count, NULL);
    if (!status)
        status = motion_init(&out->motion, REPEATS * frames, joints + more, walk.motion.frame_time, 0, NULL);
    for (int j = 0; j < joints + more && !status; j++) {
        char name[32];
        snprintf(name, sizeof name, "extra_%d", j);
        status = skeleton_set_name(&out->skeleton, j, j < joints ? walk.skeleton.name[j] : name, NULL);
        out->skeleton.parent[j] = j < joints ? walk.skeleton.parent[j] : 0;
        out->skeleton.offset[j] = j < joints ? walk.skeleton.offset[j] : vec3(0, 0.01, 0);
    }
    for (int e = 0; e < walk.skeleton.end_count && !status; e++) {
        out->skeleton.end_parent[e] = walk.skeleton.end_parent[e];
        out->skeleton.end_offset[e] = walk.skeleton.end_offset[e];
    }
    Vec3 step = frames ? vec3_sub(walk.motion.root_position[frames - 1], walk.motion.root_position[0]) : vec3(0, 0, 0);
    for (int f = 0; f < REPEATS * frames && !status; f++) {
        out->motion.root_position[f] =
            vec3_mad(walk.motion.root_position[f % frames], f / frames, vec3(step.x, 0, step.z));
        for (int j = 0; j < joints + more; j++)
            out->motion.rotation[motion_index(&out->motion, f, j)] =
                j < joints ? walk.motion.rotation[motion_index(&walk.motion, f % frames, j)] : QUAT_IDENTITY;
    }
    clip_free(&walk);
    return status ? status : roles_assign(&out->skeleton, &(RoleSigns){0}, NULL);
}

static Status find_contacts(Clip *c)
{
    BodyDef body = body_default_def();
    DifferenceDef difference = difference_default_def();
    ContactEstimateDef contact = contact_estimate_default_def();
    Status status = body_from_skeleton(&c->skeleton, &body, &c->body, NULL);
    if (!status)
        status = differentiate(&(ClipView){&c->skeleton, &c->body, &c->motion, &c->kinematics}, &difference,
                               &c->kinematics, NULL);
    c->has_body = c->has_kinematics = c->has_contact = !status;
    ClipView view = {&c->skeleton, &c->body, &c->motion, &c->kinematics};
    return status ? status
                  : contact_estimate(&view, &contact, &c->contact, NULL);
}

/* All work of the mode, including metrics; mirrored: also the second run of mirror_cm. */
static Status run(const Clip *clip, const Skeleton *giant, PlantMode plant, int mirrored, const char *name)
{
    double time[ROUNDS];
    Status status = STATUS_OK;
    for (int i = 0; i < ROUNDS && !status; i++) {
        RetargetDef def = retarget_default_def();
        RetargetJob job = {.target = {.skeleton = giant}, .source = clip_view(clip), .contact = &clip->contact};
        Motion out;
        RetargetScore score;
        def.plant = plant;
        def.score_mirror = mirrored;
        double start = processor_seconds();
        status = retarget_motion(&job, &def, &out, &score, NULL);
        time[i] = processor_seconds() - start;
        if (!status)
            motion_free(&out);
    }
    if (!status)
        printf("%s %.0f 1/s\n", name, clip->motion.frame_count / median(time, ROUNDS));
    return status;
}

int main(void)
{
    Clip clip = {0};
    Skeleton giant = {0};
    Status status = make_clip(&clip);
    if (!status)
        status = find_contacts(&clip);
    if (!status)
        status = skeleton_copy(&giant, &clip.skeleton, NULL);
    for (int j = 1; j < giant.joint_count; j++)
        giant.offset[j] = vec3_scale(giant.offset[j], j % 3 ? 1.2 : 1.1);
    if (!status)
        status = run(&clip, &giant, PLANT_KEEP, 1, "retarget_mirror_frames_per_s");
    if (!status)
        status = run(&clip, &giant, PLANT_KEEP, 0, "retarget_frames_per_s");
    if (!status)
        status = run(&clip, &giant, PLANT_NONE, 0, "retarget_plain_frames_per_s");
    skeleton_free(&giant);
    clip_free(&clip);
    return status ? 1 : 0;
}
