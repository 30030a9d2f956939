/* See scene_take.h. */
#include "formats/scene_file/scene_take.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/base/arena.h"
#include "formats/base/text.h"
#include "formats/scene_file/scene_bones.h"
#include "formats/scene_file/scene_findings.h"
#include "formats/scene_file/scene_pose.h"
#include "formats/scene_file/scene_rate.h"

/* Of the longest bone: translations closer to the offset are rounding of float32 matrices in a chain. */
static const double digits_of_lengths = 1e-5;
static const double size_max = 1e9;           /* file units */
static const double joint_frames_max = 5e7;   /* joints times frames */

typedef struct Work {
    const Scene *scene;
    const SceneBones *bones;
    ScenePose pose;
    Quat *rest;        /* [joint] world rotation of the node at rest */
    Quat *world;       /* [joint] rotation since the rest pose, world axes */
    Vec3 *position;    /* [joint] */
    Vec3 *translation; /* [frame][joint] in axes of the parent joint */
    int ends_change;   /* 1: an end bone is not at one place of its joint */
} Work;

/* Copies a name with '_' for control characters and bytes that are not UTF-8. */
static Status set_name(Skeleton *skeleton, int joint, const char *name, Error *err)
{
    char clean[256];
    size_t used = 0, length = strlen(name);
    for (size_t at = 0; at < length;) {
        int n = utf8_length((const unsigned char *)name + at, length - at);
        size_t bytes = n ? (size_t)n : 1;
        if (used + bytes >= sizeof clean)
            break;
        memcpy(clean + used, name + at, bytes);
        if (n == 0 || (unsigned char)name[at] < ' ' || name[at] == 0x7F)
            clean[used] = '_';
        used += bytes;
        at += bytes;
    }
    clean[used] = 0;
    return skeleton_set_name(skeleton, joint, used ? clean : "_", err);
}

static Status make_skeleton(const Work *w, Skeleton *out, Error *err)
{
    const SceneBones *bones = w->bones;
    Status status = skeleton_init(out, bones->joint_count, bones->end_count, err);
    for (int j = 0; !status && j < bones->joint_count; j++) {
        out->parent[j] = bones->parent[j];
        status = set_name(out, j, bones->joint[j] < 0 ? "World" : w->scene->node[bones->joint[j]].name, err);
    }
    for (int e = 0; !status && e < bones->end_count; e++)
        out->end_parent[e] = bones->end_parent[e];
    return status;
}

/* ---- Poses ---- */

/* STATUS_BAD_INPUT if an end is beyond size_max. */
static Status check_ends(const Work *w, Error *err)
{
    for (int e = 0; e < w->bones->end_count; e++) {
        const ScenePlace *place = &w->pose.place[w->bones->end[e]];
        if (!(vec3_norm(place->position) < size_max))
            return error_set(err, STATUS_BAD_INPUT, "end bone \"%.60s\" is at %g, beyond %g",
                             w->scene->node[w->bones->end[e]].name, vec3_norm(place->position), size_max);
    }
    return STATUS_OK;
}

/* Reads positions and rotations of the joints from the placed pose. STATUS_BAD_INPUT beyond size_max. */
static Status read_pose(Work *w, int is_rest, Error *err)
{
    for (int j = 0; j < w->bones->joint_count; j++) {
        int node = w->bones->joint[j];
        if (node < 0)
            continue;
        const ScenePlace *place = &w->pose.place[node];
        Quat before = is_rest ? QUAT_IDENTITY : quat_mul(w->world[j], w->rest[j]);
        Quat now = scene_rotation(place->linear, before);
        if (!(vec3_norm(place->position) < size_max))
            return error_set(err, STATUS_BAD_INPUT, "joint \"%.60s\" is at %g, beyond %g",
                             w->scene->node[node].name, vec3_norm(place->position), size_max);
        if (is_rest)
            w->rest[j] = now;
        else
            w->world[j] = quat_nearest(quat_normalize(quat_mul(now, quat_conjugate(w->rest[j]))), w->world[j]);
        w->position[j] = place->position;
    }
    return check_ends(w, err);
}

static void read_rest(Work *w, Skeleton *skeleton)
{
    for (int j = 0; j < skeleton->joint_count; j++) {
        int parent = skeleton->parent[j];
        skeleton->offset[j] = parent < 0 ? w->position[j] : vec3_sub(w->position[j], w->position[parent]);
        w->world[j] = QUAT_IDENTITY;
    }
    for (int e = 0; e < skeleton->end_count; e++)
        skeleton->end_offset[e] = vec3_sub(w->pose.place[w->bones->end[e]].position,
                                           w->position[skeleton->end_parent[e]]);
}

static void store_frame(const Work *w, const Skeleton *skeleton, int frame, Motion *out)
{
    size_t row = motion_index(out, frame, 0);
    out->root_position[frame] = w->position[0];
    for (int j = 0; j < skeleton->joint_count; j++) {
        int parent = skeleton->parent[j];
        out->rotation[row + (size_t)j] =
            parent < 0 ? w->world[j] : quat_mul(quat_conjugate(w->world[parent]), w->world[j]);
        if (parent >= 0)
            w->translation[row + (size_t)j] =
                quat_rotate_inverse(w->world[parent], vec3_sub(w->position[j], w->position[parent]));
    }
}

/* Ends are as long as in the first frame, in which a scale may differ from that at rest; *change: the largest change
 * since then. */
static void store_ends(const Work *w, Skeleton *skeleton, int is_first, double *change)
{
    for (int e = 0; e < skeleton->end_count; e++) {
        int parent = skeleton->end_parent[e];
        Vec3 offset = quat_rotate_inverse(
            w->world[parent], vec3_sub(w->pose.place[w->bones->end[e]].position, w->position[parent]));
        if (is_first)
            skeleton->end_offset[e] = offset;
        *change = fmax(*change, vec3_distance(offset, skeleton->end_offset[e]));
    }
}

/* Joints that stay at one place of their parents get it as their offset; the translations are kept if others do not. */
static void settle_offsets(Work *w, Skeleton *skeleton, const Motion *m, double digits, int *is_translated)
{
    *is_translated = 0;
    for (int j = 1; j < skeleton->joint_count; j++) {
        double change = 0;
        for (int f = 1; f < m->frame_count; f++)
            change = fmax(change, vec3_distance(w->translation[motion_index(m, f, j)], w->translation[j]));
        if (change <= digits)
            skeleton->offset[j] = w->translation[j];
        else
            *is_translated = 1;
    }
}

static Status keep_translation(const Work *w, const Skeleton *skeleton, double digits, Motion *m, Error *err)
{
    m->translation = array_new((size_t)m->frame_count, (size_t)m->joint_count, sizeof *m->translation);
    if (!m->translation)
        return error_no_memory(err);
    for (int f = 0; f < m->frame_count; f++)
        for (int j = 1; j < m->joint_count; j++) {
            size_t at = motion_index(m, f, j);
            int is_offset = vec3_distance(w->translation[at], skeleton->offset[j]) <= digits;
            m->translation[at] = is_offset ? skeleton->offset[j] : w->translation[at];
        }
    return STATUS_OK;
}

/* ---- Take ---- */

static Status sample(Work *w, const SceneFrames *frames, Take *out, Arena *arena, Error *err)
{
    Skeleton *skeleton = &out->skeleton;
    int is_translated;
    double end_change = 0;
    if ((double)frames->count * skeleton->joint_count > joint_frames_max)
        return error_set(err, STATUS_LIMIT, "%d frames of %d joints are too many for one take", frames->count,
                         skeleton->joint_count);
    w->translation = arena_array(arena, (size_t)frames->count, (size_t)skeleton->joint_count, sizeof(Vec3));
    if (!w->translation)
        return error_no_memory(err);
    Status status = motion_init(&out->motion, frames->count, skeleton->joint_count, frames->step, 0, err);
    for (int f = 0; !status && f < frames->count; f++) {
        scene_pose_at(&w->pose, frames->begin + f * frames->step);
        status = read_pose(w, 0, err);
        store_frame(w, skeleton, f, &out->motion);
        if (!status)
            store_ends(w, skeleton, f == 0, &end_change);
    }
    if (status)
        return status;
    motion_make_continuous(&out->motion);
    out->digits = digits_of_lengths * skeleton_longest_offset(skeleton);
    w->ends_change = end_change > out->digits;
    settle_offsets(w, skeleton, &out->motion, out->digits, &is_translated);
    return is_translated ? keep_translation(w, skeleton, out->digits, &out->motion, err) : STATUS_OK;
}

/* The rest pose as one frame, for targets. */
static SceneFrames rest_frame(void)
{
    return (SceneFrames){.step = 1. / 30, .count = 1, .is_regular = 1};
}

static Status find_frames(const Scene *scene, const SceneBones *bones, const SourceDef *def, Take *out,
                          SceneFrames *frames, Error *err)
{
    if (scene->channel_count == 0 && def->still) {
        *frames = rest_frame();
        return STATUS_OK;
    }
    Status status = scene_frames(scene, bones->needed, def->max_frames, frames, err);
    if (!status && !frames->is_regular)
        status = findings_add(&out->findings, SCENE_FINDING_KEYS, (FileLocation){0}, err,
                              "keys are not at regular frames: sampled at %.4g frames per second", 1 / frames->step);
    return status;
}

static Status fill_take(const Scene *scene, const SceneBones *bones, const SourceDef *def, Take *out,
                        int *ends_change, Error *err)
{
    Arena arena = {0};
    SceneFrames frames;
    size_t joints = (size_t)bones->joint_count;
    Work w = {.scene = scene, .bones = bones};
    Status status = find_frames(scene, bones, def, out, &frames, err);
    w.pose = scene_pose_new(scene, bones->needed, 1e-3 * frames.step, &arena);
    w.rest = arena_array(&arena, joints, 1, sizeof *w.rest);
    w.world = arena_array(&arena, joints, 1, sizeof *w.world);
    w.position = arena_array(&arena, joints, 1, sizeof *w.position);
    if (!status && arena.failed)
        status = error_no_memory(err);
    if (!status)
        status = make_skeleton(&w, &out->skeleton, err);
    if (!status) {
        scene_pose_at_rest(&w.pose);
        status = read_pose(&w, 1, err);
    }
    if (!status) {
        read_rest(&w, &out->skeleton);
        status = sample(&w, &frames, out, &arena, err);
    }
    *ends_change = w.ends_change;
    arena_free(&arena);
    return status;
}

/* Makes the take; *again: with end bones as joints, because they move. */
static Status make_take(const Scene *scene, const SourceDef *def, Take *out, int *again, Error *err)
{
    SceneBones bones = {0};
    Status status = scene_choose_bones(scene, def, *again, &bones, &out->findings, err);
    if (!status)
        status = fill_take(scene, &bones, def, out, again, err);
    scene_bones_free(&bones);
    return status;
}

Status scene_take(Scene *scene, const char *format, const SourceDef *def, Take *out, Error *err)
{
    int again = 0;
    if (scene->channel_count == 0 && !def->still)
        return scene_no_motion(format, err);
    Status status = scene_check(scene, err);
    if (!status)
        status = make_take(scene, def, out, &again, err);
    if (!status && again) {
        take_free(out);
        status = make_take(scene, def, out, &again, err);
    }
    if (status)
        return status;
    out->name = scene->name;
    scene->name = NULL;
    for (int axis = 0; axis < 3; axis++)
        out->root_given[axis] = 1;
    out->meters_per_unit = scene->meters_per_unit;
    out->up = scene->up;
    return STATUS_OK;
}
