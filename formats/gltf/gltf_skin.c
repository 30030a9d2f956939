/* See gltf_skin.h. Khronos, glTF 2.0 specification, 3.5.3 (transformations), 3.11 (animations), 4.4 (GLB layout). */
#include "formats/gltf/gltf_skin.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/base/arena.h"
#include "formats/gltf/gltf_patch.h"
#include "formats/scene_file/gltf_scene.h"
#include "formats/scene_file/scene_pose.h"

static const double rest_tolerance = 0.05; /* of the sum of the bones */
static const double same_place = 1e-5;       /* m: a node that stays where it rests needs no keys of translation */

typedef struct Skin {
    const Clip *clip;
    Scene scene;
    ScenePose pose;     /* at rest */
    int *joint;         /* [node] of the scene; -1: none */
    int *node;          /* [joint]; -1: none */
    ScenePlace *place;  /* [node] in one frame */
    Vec3 *position;     /* [joint] world */
    Quat *orientation;  /* [joint] world, since the rest pose */
    float *rotation;    /* [joint][frame][4] */
    float *translation; /* [joint][frame][3] */
} Skin;

/* ---- Joints and nodes ---- */

/* Adds the length of a bone of the model at rest, and how far that of the clip is from it. */
static void compare_rest(const Skin *s, int joint, double *length, double *apart)
{
    int parent = s->clip->skeleton.parent[joint];
    if (parent < 0 || s->node[joint] < 0 || s->node[parent] < 0)
        return;
    Vec3 bone = vec3_sub(s->pose.place[s->node[joint]].position, s->pose.place[s->node[parent]].position);
    *length += vec3_norm(bone);
    *apart += vec3_distance(bone, s->clip->skeleton.offset[joint]);
}

static Status match(Skin *s, Error *err)
{
    const Skeleton *skeleton = &s->clip->skeleton;
    double length = 0, apart = 0;
    int missing = -1, found = 0;
    for (int j = 0; j < skeleton->joint_count; j++) {
        s->node[j] = -1;
        for (int i = 0; i < s->scene.node_count && s->node[j] < 0; i++)
            if (s->joint[i] < 0 && strcmp(s->scene.node[i].name, skeleton->name[j]) == 0)
                s->joint[s->node[j] = i] = j;
        found += s->node[j] >= 0;
        missing = missing < 0 && s->node[j] < 0 ? j : missing;
        compare_rest(s, j, &length, &apart);
    }
    if (s->node[0] < 0 || 2 * found < skeleton->joint_count)
        return error_set(err, STATUS_BAD_INPUT, "the model has no node \"%.60s\": move the clip to it first, with kane "
                         "retarget --to the model", skeleton->name[missing < 0 ? 0 : missing]);
    if (apart > rest_tolerance * length)
        return error_set(err, STATUS_BAD_INPUT, "the clip has another skeleton than the model (bones at rest differ by "
                         "%.0f %%): move it to the model first, with kane retarget --to the model",
                         100 * apart / length);
    return STATUS_OK;
}

/* ---- Frames ---- */

static void place_joints(Skin *s, int frame)
{
    const Skeleton *skeleton = &s->clip->skeleton;
    const Motion *m = &s->clip->motion;
    for (int j = 0; j < skeleton->joint_count; j++) {
        size_t at = motion_index(m, frame, j);
        int parent = skeleton->parent[j];
        Vec3 offset = m->translation && j > 0 ? m->translation[at] : skeleton->offset[j];
        s->orientation[j] = parent < 0 ? m->rotation[at] : quat_mul(s->orientation[parent], m->rotation[at]);
        s->position[j] = parent < 0 ? m->root_position[frame]
                                    : vec3_add(s->position[parent], quat_rotate(s->orientation[parent], offset));
    }
}

static Vec3 solve(Mat3 m, Vec3 v)
{
    Vec3 a = vec3_cross(m.r[1], m.r[2]), b = vec3_cross(m.r[2], m.r[0]), c = vec3_cross(m.r[0], m.r[1]);
    double determinant = vec3_dot(m.r[0], a);
    if (!(fabs(determinant) > 0))
        return v;
    return vec3_scale(vec3_add(vec3_add(vec3_scale(a, v.x), vec3_scale(b, v.y)), vec3_scale(c, v.z)), 1 / determinant);
}

static int is_mirrored(Mat3 m)
{
    return vec3_dot(m.r[0], vec3_cross(m.r[1], m.r[2])) < 0;
}

/* The local transform that puts a node where its joint is, under its parent's place. scene_rotation leaves the mirror
 * of a matrix as a factor F = diag(1, 1, -1) on its right: F R = (F R F) F. */
static SceneLocal local_of_joint(const Skin *s, int node)
{
    const SceneNode *n = &s->scene.node[node];
    const ScenePlace root = {.linear = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}};
    const ScenePlace *parent = n->parent < 0 ? &root : &s->place[n->parent];
    int joint = s->joint[node];
    Quat at_rest = scene_rotation(s->pose.place[node].linear, QUAT_IDENTITY);
    Quat above = scene_rotation(parent->linear, QUAT_IDENTITY);
    Mat3 stretch = mat3_product(mat3_transpose(quat_to_mat3(n->rest.rotation)), n->rest.linear);
    Mat3 mirrored = {{stretch.r[0], stretch.r[1], vec3_neg(stretch.r[2])}};
    int is_mirror = is_mirrored(parent->linear);
    Quat own = scene_rotation(is_mirror ? mirrored : stretch, QUAT_IDENTITY); /* of negative scales */
    Quat world = quat_mul(s->orientation[joint], at_rest);
    Quat q = quat_mul(quat_mul(quat_conjugate(above), world), quat_conjugate(own));
    SceneLocal local = {.rotation = is_mirror ? (Quat){q.w, -q.x, -q.y, q.z} : q};
    local.linear = mat3_product(quat_to_mat3(local.rotation), stretch);
    local.shift = solve(parent->linear, vec3_sub(s->position[joint], parent->position));
    return local;
}

static void store_keys(Skin *s, int node, int frame, const SceneLocal *local)
{
    size_t frames = (size_t)s->clip->motion.frame_count, at = (size_t)s->joint[node] * frames + (size_t)frame;
    float *q = s->rotation + 4 * at, *t = s->translation + 3 * at;
    Quat r = quat_normalize(local->rotation);
    if (frame > 0 && r.x * (double)q[-4] + r.y * (double)q[-3] + r.z * (double)q[-2] + r.w * (double)q[-1] < 0)
        r = quat_neg(r);
    q[0] = (float)r.x, q[1] = (float)r.y, q[2] = (float)r.z, q[3] = (float)r.w;
    t[0] = (float)local->shift.x, t[1] = (float)local->shift.y, t[2] = (float)local->shift.z;
}

static void make_frame(Skin *s, int frame)
{
    place_joints(s, frame);
    for (int i = 0; i < s->scene.node_count; i++) {
        const SceneNode *n = &s->scene.node[i];
        SceneLocal local = s->joint[i] >= 0 ? local_of_joint(s, i) : n->rest;
        ScenePlace *to = &s->place[i];
        *to = (ScenePlace){.linear = local.linear, .position = local.shift};
        if (n->parent >= 0) {
            const ScenePlace *parent = &s->place[n->parent];
            to->position = vec3_add(parent->position, mat3_mul(parent->linear, local.shift));
            to->linear = mat3_product(parent->linear, local.linear);
        }
        if (s->joint[i] >= 0)
            store_keys(s, i, frame, &local);
    }
}

/* Whether a node leaves the position where it rests. */
static int is_moved(const Skin *s, int node)
{
    size_t frames = (size_t)s->clip->motion.frame_count;
    const float *t = s->translation + 3 * (size_t)s->joint[node] * frames;
    for (size_t f = 0; f < frames; f++)
        if (vec3_distance(vec3((double)t[3 * f], (double)t[3 * f + 1], (double)t[3 * f + 2]),
                          s->scene.node[node].rest.shift) > same_place)
            return 1;
    return 0;
}

/* ---- The file ---- */

static Status add_channels(Skin *s, const int *order, GltfPatch *patch, Error *err)
{
    size_t frames = (size_t)s->clip->motion.frame_count;
    Status status = gltf_patch_times(patch, s->clip->motion.time, (int)frames, err);
    for (int i = 0; !status && i < s->scene.node_count; i++) {
        if (s->joint[i] < 0)
            continue;
        size_t at = (size_t)s->joint[i] * frames;
        status = gltf_patch_channel(patch, order[i], "rotation", s->rotation + 4 * at, 4, err);
        if (!status && is_moved(s, i))
            status = gltf_patch_channel(patch, order[i], "translation", s->translation + 3 * at, 3, err);
    }
    return status;
}

static Status skin_init(Skin *s, const GltfFile *gltf, const Clip *clip, Arena *arena, Error *err)
{
    Status status = gltf_scene_read(gltf, 0, &s->scene, err);
    if (status)
        return status;
    size_t nodes = (size_t)s->scene.node_count, joints = (size_t)clip->skeleton.joint_count;
    size_t frames = (size_t)clip->motion.frame_count;
    char *needed = arena_array(arena, nodes, 1, 1);
    s->clip = clip;
    s->pose = scene_pose_new(&s->scene, needed, 0, arena);
    s->joint = arena_array(arena, nodes, 1, sizeof *s->joint);
    s->node = arena_array(arena, joints, 1, sizeof *s->node);
    s->place = arena_array(arena, nodes, 1, sizeof *s->place);
    s->position = arena_array(arena, joints, 1, sizeof *s->position);
    s->orientation = arena_array(arena, joints, 1, sizeof *s->orientation);
    s->rotation = arena_array(arena, joints * frames, 4, sizeof *s->rotation);
    s->translation = arena_array(arena, joints * frames, 3, sizeof *s->translation);
    if (arena->failed)
        return error_no_memory(err);
    memset(needed, 1, nodes);
    for (size_t i = 0; i < nodes; i++)
        s->joint[i] = -1;
    scene_pose_at_rest(&s->pose);
    return match(s, err);
}

static Status write_model(const Clip *clip, const GltfFile *gltf, FILE *stream, Error *err)
{
    Arena arena = {0};
    Skin s = {0};
    GltfPatch patch = {.name = clip->provenance.title};
    int *order = arena_array(&arena, (size_t)gltf->node_count, 2, sizeof *order);
    Status status = order ? gltf_node_order(gltf, order, order + gltf->node_count, err) : error_no_memory(err);
    if (!status)
        status = skin_init(&s, gltf, clip, &arena, err);
    for (int f = 0; !status && f < clip->motion.frame_count; f++)
        make_frame(&s, f);
    if (!status)
        status = gltf_patch_begin(&patch, gltf, err);
    if (!status)
        status = add_channels(&s, order, &patch, err);
    if (!status)
        status = gltf_patch_write(&patch, stream, err);
    gltf_patch_free(&patch);
    scene_free(&s.scene);
    arena_free(&arena);
    return status;
}

Status gltf_skin_write(const Clip *clip, const SourceFile *model, FILE *stream, Error *err)
{
    GltfFile gltf;
    Status status = gltf_file_open(model, &gltf, err);
    if (!status && !gltf.binary)
        status = error_set(err, STATUS_BAD_INPUT, "the model is no GLB file: export it as GLB");
    if (!status)
        status = write_model(clip, &gltf, stream, err);
    gltf_file_free(&gltf);
    if (!status && fflush(stream))
        status = error_set(err, STATUS_IO, "cannot write: %s", strerror(errno));
    return status;
}
