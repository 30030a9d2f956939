/* See gltf_vrma.h. */
#include "formats/gltf/gltf_vrma.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/base/arena.h"
#include "analysis/base/version.h"
#include "formats/gltf/gltf_binary.h"

/* Names of human bones; those that VRM requires first. */
static const struct {
    Role role;
    const char *bone;
} human[] = {
    {ROLE_HIPS, "hips"}, {ROLE_SPINE, "spine"}, {ROLE_HEAD, "head"},
    {ROLE_LEFT_SHOULDER, "leftUpperArm"}, {ROLE_LEFT_ELBOW, "leftLowerArm"}, {ROLE_LEFT_WRIST, "leftHand"},
    {ROLE_RIGHT_SHOULDER, "rightUpperArm"}, {ROLE_RIGHT_ELBOW, "rightLowerArm"}, {ROLE_RIGHT_WRIST, "rightHand"},
    {ROLE_LEFT_HIP, "leftUpperLeg"}, {ROLE_LEFT_KNEE, "leftLowerLeg"}, {ROLE_LEFT_ANKLE, "leftFoot"},
    {ROLE_RIGHT_HIP, "rightUpperLeg"}, {ROLE_RIGHT_KNEE, "rightLowerLeg"}, {ROLE_RIGHT_ANKLE, "rightFoot"},
    {ROLE_CHEST, "chest"}, {ROLE_NECK, "neck"}, {ROLE_LEFT_CLAVICLE, "leftShoulder"},
    {ROLE_RIGHT_CLAVICLE, "rightShoulder"}, {ROLE_LEFT_TOE, "leftToes"}, {ROLE_RIGHT_TOE, "rightToes"},
};
enum { HUMAN_BONES = sizeof human / sizeof *human, REQUIRED_BONES = 15 };

static const double straight = 0.87; /* cosine of 30 degrees: arms and legs of a T-pose */

typedef struct Vrma {
    const Clip *clip;
    int hips;
    double height; /* m, of the hips at rest above the lowest point */
    int *node;     /* [joint] -1: not below the hips */
    int *rotation; /* [joint] accessors */
    int time, translation;
    GltfBinary binary;
} Vrma;

/* ---- The pose ---- */

static Status check_limb(const Skeleton *s, const Vec3 *rest, Role from, Role to, Vec3 along, Error *err)
{
    int a = skeleton_find_role(s, from), b = skeleton_find_role(s, to);
    Vec3 limb = vec3_normalize(vec3_sub(rest[b], rest[a]));
    if (vec3_dot(limb, along) >= straight)
        return STATUS_OK;
    return error_set(err, STATUS_BAD_INPUT, "the rest pose is no T-pose that faces +Z, which VRM animations require "
                     "(%s to %s): move the clip to a VRM model first, with kane retarget --to the model",
                     role_name(from), role_name(to));
}

static Status check_rest(const Skeleton *s, double *height, Arena *arena, Error *err)
{
    Status status;
    double lowest = INFINITY;
    Vec3 *rest = arena_array(arena, (size_t)s->joint_count, 1, sizeof *rest);
    const Vec3 left = vec3(1, 0, 0), right = vec3(-1, 0, 0), down = vec3(0, -1, 0);
    if (!rest)
        return error_no_memory(err);
    for (int i = 0; i < REQUIRED_BONES; i++)
        if (skeleton_find_role(s, human[i].role) < 0)
            return error_set(err, STATUS_BAD_INPUT, "no joint has the role %s, which VRM animations require",
                             role_name(human[i].role));
    skeleton_rest_positions(s, rest);
    for (int j = 0; j < s->joint_count; j++)
        lowest = fmin(lowest, rest[j].y);
    for (int e = 0; e < s->end_count; e++)
        lowest = fmin(lowest, rest[s->end_parent[e]].y + s->end_offset[e].y);
    *height = rest[skeleton_find_role(s, ROLE_HIPS)].y - lowest;
    if ((status = check_limb(s, rest, ROLE_LEFT_SHOULDER, ROLE_LEFT_WRIST, left, err)) ||
        (status = check_limb(s, rest, ROLE_RIGHT_SHOULDER, ROLE_RIGHT_WRIST, right, err)) ||
        (status = check_limb(s, rest, ROLE_LEFT_HIP, ROLE_LEFT_ANKLE, down, err)))
        return status;
    return check_limb(s, rest, ROLE_RIGHT_HIP, ROLE_RIGHT_ANKLE, down, err);
}

/* World place of the hips in a frame. */
static Quat place_hips(const Vrma *v, int frame, Vec3 *position)
{
    const Skeleton *s = &v->clip->skeleton;
    const Motion *m = &v->clip->motion;
    Quat q = QUAT_IDENTITY;
    Vec3 at = vec3(0, 0, 0);
    for (int j = v->hips; j >= 0; j = s->parent[j]) {
        size_t i = motion_index(m, frame, j);
        Vec3 offset = j == 0 ? m->root_position[frame] : m->translation ? m->translation[i] : s->offset[j];
        at = vec3_add(offset, j == v->hips ? at : quat_rotate(m->rotation[i], at));
        q = quat_mul(m->rotation[i], q);
    }
    *position = at;
    return q;
}

/* ---- Keys ---- */

static Status add_keys(Vrma *v, Error *err)
{
    const Motion *m = &v->clip->motion;
    size_t frames = (size_t)m->frame_count;
    float *time = gltf_add_floats(&v->binary, GLTF_SCALAR, frames, GLTF_PLAIN, &v->time);
    for (size_t f = 0; time && f < frames; f++)
        time[f] = (float)m->time[f];
    float *path = time ? gltf_add_floats(&v->binary, GLTF_VEC3, frames, GLTF_PLAIN, &v->translation) : NULL;
    for (int f = 0; path && f < m->frame_count; f++) {
        Vec3 at;
        place_hips(v, f, &at);
        path = gltf_put_vector(path, at);
    }
    for (int j = 0; path && j < m->joint_count; j++) {
        if (v->node[j] < 0)
            continue;
        path = gltf_add_floats(&v->binary, GLTF_VEC4, frames, GLTF_PLAIN, &v->rotation[j]);
        for (int f = 0; path && f < m->frame_count; f++) {
            Vec3 at;
            Quat q = j == v->hips ? place_hips(v, f, &at) : m->rotation[motion_index(m, f, j)];
            q = quat_normalize(q);
            path = gltf_put_vector(path, vec3(q.x, q.y, q.z));
            *path++ = (float)q.w;
        }
    }
    return path ? STATUS_OK : error_no_memory(err);
}

/* ---- JSON ---- */

static void put_nodes(const Vrma *v, Json *json)
{
    const Skeleton *s = &v->clip->skeleton;
    json_member_open(json, "nodes", '[');
    for (int j = 0; j < s->joint_count; j++) {
        int children = 0;
        if (v->node[j] < 0)
            continue;
        json_open(json, '{');
        json_member_text(json, "name", s->name[j]);
        json_member_vector(json, "translation", j == v->hips ? vec3(0, v->height, 0) : s->offset[j]);
        for (int c = j + 1; c < s->joint_count; c++)
            if (s->parent[c] == j) {
                if (children++ == 0)
                    json_member_open(json, "children", '[');
                json_integer(json, v->node[c]);
            }
        if (children)
            json_close(json, ']');
        json_close(json, '}');
    }
    json_close(json, ']');
}

static void put_human(const Vrma *v, Json *json)
{
    json_member_open(json, "extensions", '{');
    json_member_open(json, "VRMC_vrm_animation", '{');
    json_member_text(json, "specVersion", "1.0");
    json_member_open(json, "humanoid", '{');
    json_member_open(json, "humanBones", '{');
    for (int i = 0; i < HUMAN_BONES; i++) {
        int joint = skeleton_find_role(&v->clip->skeleton, human[i].role);
        if (joint >= 0 && v->node[joint] >= 0) {
            json_member_open(json, human[i].bone, '{');
            json_member_integer(json, "node", v->node[joint]);
            json_close(json, '}');
        }
    }
    for (int i = 0; i < 4; i++)
        json_close(json, '}');
}

static void put_animation(const Vrma *v, Json *json)
{
    int sampler = 1;
    json_member_open(json, "animations", '[');
    json_open(json, '{');
    json_member_text(json, "name", v->clip->provenance.title ? v->clip->provenance.title : "");
    json_member_open(json, "channels", '[');
    json_print(json, "{\"sampler\":0,\"target\":{\"node\":0,\"path\":\"translation\"}}");
    for (int j = 0; j < v->clip->skeleton.joint_count; j++)
        if (v->node[j] >= 0)
            json_print(json, "{\"sampler\":%d,\"target\":{\"node\":%d,\"path\":\"rotation\"}}", sampler++, v->node[j]);
    json_close(json, ']');
    json_member_open(json, "samplers", '[');
    json_print(json, "{\"input\":%d,\"output\":%d}", v->time, v->translation);
    for (int j = 0; j < v->clip->skeleton.joint_count; j++)
        if (v->node[j] >= 0)
            json_print(json, "{\"input\":%d,\"output\":%d}", v->time, v->rotation[j]);
    json_close(json, ']');
    json_close(json, '}');
    json_close(json, ']');
}

static Status put_json(const Vrma *v, char **text, size_t *size, Error *err)
{
    Json json = json_compact(open_memstream(text, size));
    if (!json.stream)
        return error_no_memory(err);
    json_open(&json, '{');
    json_print(&json, "\"asset\":{\"version\":\"2.0\",\"generator\":\"kane " KANE_VERSION "\"}");
    json_print(&json, "\"extensionsUsed\":[\"VRMC_vrm_animation\"],\"scene\":0,\"scenes\":[{\"nodes\":[0]}]");
    put_nodes(v, &json);
    put_human(v, &json);
    put_animation(v, &json);
    gltf_put_accessors(&v->binary, &json);
    json_close(&json, '}');
    putc('\n', json.stream);
    int failed = ferror(json.stream);
    return fclose(json.stream) || failed ? error_no_memory(err) : STATUS_OK;
}

/* Numbers the joints from the hips on, which are node 0. */
static Status list_nodes(Vrma *v, Arena *arena, Error *err)
{
    const Skeleton *s = &v->clip->skeleton;
    int count = 0;
    v->hips = skeleton_find_role(s, ROLE_HIPS);
    v->node = arena_array(arena, (size_t)s->joint_count, 1, sizeof *v->node);
    v->rotation = arena_array(arena, (size_t)s->joint_count, 1, sizeof *v->rotation);
    if (arena->failed)
        return error_no_memory(err);
    for (int j = 0; j < s->joint_count; j++)
        v->node[j] = skeleton_is_below(s, j, v->hips) ? count++ : -1;
    return STATUS_OK;
}

Status gltf_vrma_write(const Clip *clip, FILE *stream, Error *err)
{
    Arena arena = {0};
    Vrma v = {.clip = clip};
    char *json = NULL;
    size_t size = 0;
    Status status = check_rest(&clip->skeleton, &v.height, &arena, err);
    if (!status)
        status = list_nodes(&v, &arena, err);
    if (!status)
        status = add_keys(&v, err);
    if (!status)
        status = put_json(&v, &json, &size, err);
    if (!status)
        status = gltf_binary_write(&v.binary, json, size, stream, err);
    free(json);
    gltf_binary_free(&v.binary);
    arena_free(&arena);
    return status;
}
