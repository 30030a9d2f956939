/* See gltf_scene.h. */
#include "formats/scene_file/gltf_scene.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/base/arena.h"
#include "formats/scene_file/gltf_extension.h"

typedef struct Reader {
    const GltfFile *gltf;
    const JsonText *json;
    int *order, *parent; /* order: [position] node; parent: [node] */
    int *place;          /* [node] its position in the scene */
    int *channel;        /* [node] -1: none */
    Scene *out;
    Error *err;
} Reader;

int gltf_take_count(const GltfFile *gltf)
{
    return json_count(&gltf->json, json_find(&gltf->json, 0, "animations"));
}

/* ---- Nodes ---- */

static Status read_parents(const GltfFile *gltf, int *parent, Error *err)
{
    const JsonText *json = &gltf->json;
    for (int i = 0; i < gltf->node_count; i++)
        parent[i] = -1;
    for (int i = 0; i < gltf->node_count; i++) {
        int children = json_find(json, gltf->node[i], "children");
        for (int at = json_first(json, children); at >= 0; at = json->value[at].next) {
            double child = json_value(json, at, -1);
            if (!(child >= 0 && child < gltf->node_count) || child != floor(child))
                return error_set(err, STATUS_BAD_INPUT, "glTF: node %d has a child that does not exist", i);
            if (parent[(int)child] >= 0)
                return error_set(err, STATUS_BAD_INPUT, "glTF: node %d has two parents", (int)child);
            parent[(int)child] = i;
        }
    }
    return STATUS_OK;
}

/* Pushes the children of a node, the last one first. */
static int push_children(const GltfFile *gltf, int node, int *stack, int depth)
{
    const JsonText *json = &gltf->json;
    int children = json_find(json, gltf->node[node], "children"), count = json_count(json, children);
    int at = depth + count;
    for (int i = json_first(json, children); i >= 0; i = json->value[i].next)
        stack[--at] = (int)json_value(json, i, 0);
    return depth + count;
}

Status gltf_node_order(const GltfFile *gltf, int *order, int *parent, Error *err)
{
    int count = 0, *stack = array_new((size_t)gltf->node_count, 1, sizeof *stack);
    Status status = stack ? read_parents(gltf, parent, err) : error_no_memory(err);
    for (int i = 0; !status && i < gltf->node_count; i++) {
        int depth = 0;
        if (parent[i] < 0)
            stack[depth++] = i;
        while (depth > 0) {
            order[count] = stack[--depth];
            depth = push_children(gltf, order[count++], stack, depth);
        }
    }
    free(stack);
    if (!status && count < gltf->node_count)
        return error_set(err, STATUS_BAD_INPUT, "glTF: the nodes form a circle");
    return status;
}

static SceneLocal read_local(const JsonText *json, int node)
{
    double t[3] = {0}, q[4] = {0, 0, 0, 1}, s[3] = {1, 1, 1}, m[16];
    if (json_numbers(json, json_find(json, node, "matrix"), m, 16))
        return scene_local_of_matrix((Mat3){{{m[0], m[4], m[8]}, {m[1], m[5], m[9]}, {m[2], m[6], m[10]}}},
                                     vec3(m[12], m[13], m[14]));
    json_numbers(json, json_find(json, node, "translation"), t, 3);
    json_numbers(json, json_find(json, node, "rotation"), q, 4);
    json_numbers(json, json_find(json, node, "scale"), s, 3);
    return scene_local(vec3_load(t), quat_normalize((Quat){q[3], q[0], q[1], q[2]}), vec3_load(s));
}

static Status read_name(Reader *r, int node, char **name)
{
    char text[32];
    Status status = json_copy(r->json, json_find(r->json, r->gltf->node[node], "name"), name, r->err);
    if (status || *name)
        return status;
    snprintf(text, sizeof text, "node_%d", node);
    return (*name = strdup(text)) ? STATUS_OK : error_no_memory(r->err);
}

static Status read_nodes(Reader *r)
{
    for (int i = 0; i < r->gltf->node_count; i++) {
        int node = r->order[i], value = r->gltf->node[node];
        SceneNode *to = &r->out->node[i];
        Status status = read_name(r, node, &to->name);
        if (status)
            return status;
        r->place[node] = i;
        to->parent = r->parent[node] < 0 ? -1 : r->place[r->parent[node]];
        to->rest = read_local(r->json, value);
        to->kind = json_find(r->json, value, "mesh") >= 0     ? SCENE_MESH
                   : json_find(r->json, value, "camera") >= 0 ? SCENE_OTHER
                                                              : SCENE_PLAIN;
    }
    return STATUS_OK;
}

static void mark_bone(Reader *r, double node)
{
    if (node >= 0 && node < r->gltf->node_count && node == floor(node))
        r->out->node[r->place[(int)node]].kind = SCENE_BONE;
}

static void mark_bones(Reader *r)
{
    static const char *const human[] = {"extensions/VRMC_vrm/humanoid/humanBones",
                                        "extensions/VRMC_vrm_animation/humanoid/humanBones",
                                        "extensions/VRM/humanoid/humanBones"};
    for (int skin = json_first(r->json, json_find(r->json, 0, "skins")); skin >= 0; skin = r->json->value[skin].next)
        for (int j = json_first(r->json, json_find(r->json, skin, "joints")); j >= 0; j = r->json->value[j].next)
            mark_bone(r, json_value(r->json, j, -1));
    for (size_t i = 0; i < sizeof human / sizeof *human; i++)
        for (int b = json_first(r->json, json_find_path(r->json, 0, human[i])); b >= 0; b = r->json->value[b].next)
            mark_bone(r, json_member_value(r->json, b, "node", -1));
}

/* ---- Animation ---- */

static Status read_curve(Reader *r, int sampler, SceneCurve *curve)
{
    int name = json_find(r->json, sampler, "interpolation");
    *curve = json_is(r->json, name, "STEP") ? SCENE_STEP : json_is(r->json, name, "CUBICSPLINE") ? SCENE_CUBIC
                                                                                                 : SCENE_LINEAR;
    if (name >= 0 && *curve == SCENE_LINEAR && !json_is(r->json, name, "LINEAR"))
        return error_set(r->err, STATUS_BAD_INPUT, "glTF: an animation's interpolation is unknown");
    return STATUS_OK;
}

static Status read_keys(Reader *r, int sampler, ScenePath path, SceneKeys *keys)
{
    int input = json_member_index(r->json, sampler, "input", r->gltf->accessor_count - 1), values;
    int output = json_member_index(r->json, sampler, "output", r->gltf->accessor_count - 1);
    SceneCurve curve = SCENE_LINEAR;
    Status status = gltf_extension_refuse(r->json, sampler, r->err);
    if (!status)
        status = read_curve(r, sampler, &curve);
    *keys = (SceneKeys){0};
    if (!status)
        status = gltf_accessor_read(r->gltf, input, 1, &keys->time, &keys->count, r->err);
    if (!status)
        status = gltf_accessor_read(r->gltf, output, scene_path_width(path), &keys->value, &values, r->err);
    keys->curve = curve;
    if (!status && (keys->count == 0 || (long long)keys->count * (curve == SCENE_CUBIC ? 3 : 1) != values))
        status = error_set(r->err, STATUS_BAD_INPUT, "glTF: an animation has %d times and %d values", keys->count,
                           values);
    return status;
}

/* Whether the file is as kane wrote it: other programs copy `extras` and number the accessors otherwise. */
static int is_of_kane(const JsonText *json)
{
    int generator = json_find_path(json, 0, "asset/generator");
    const JsonValue *v = generator < 0 ? NULL : &json->value[generator];
    return v && v->end - v->begin > 5 && memcmp(json->text + v->begin, "kane ", 5) == 0;
}

/* Adds what float32 rounds off the keys of kane's own files (formats/gltf/gltf_clip.h), if it is no more than that. */
static Status add_rounding(Reader *r, int node, ScenePath path, SceneKeys *keys)
{
    static const char *const members[] = {"extras/translation_rounding", "extras/rotation_rounding", ""};
    int member = json_find_path(r->json, r->gltf->node[node], members[path]), count;
    double *rounding = NULL, number = json_value(r->json, member, -1);
    size_t width = (size_t)scene_path_width(path);
    if (!(number >= 0 && number < r->gltf->accessor_count) || keys->curve != SCENE_LINEAR || !is_of_kane(r->json))
        return STATUS_OK;
    Status status = gltf_accessor_read(r->gltf, (int)number, (int)width, &rounding, &count, r->err);
    int fits = !status && count == keys->count;
    for (size_t i = 0; fits && i < (size_t)count * width; i++)
        fits = fabs(rounding[i]) <= 6.0e-8 * fabs(keys->value[i]);
    for (size_t i = 0; fits && i < (size_t)count * width; i++)
        keys->value[i] += rounding[i];
    free(rounding);
    return status;
}

static const char *const path_names[SCENE_PATHS] = {"translation", "rotation", "scale"};

/* What a channel moves. */
typedef struct Target {
    int node;       /* -1: none */
    ScenePath path; /* SCENE_PATHS: none of a skeleton, such as weights */
} Target;

/* KHR_animation_pointer: "/nodes/12/rotation"; another pointer moves no node. */
static Status read_pointer(const JsonText *json, int pointer, int node_count, Target *out, Error *err)
{
    char *text = NULL, path[16];
    int used = 0;
    Status status = json_copy(json, pointer, &text, err);
    if (!status && text && sscanf(text, "/nodes/%9d/%15[a-z]%n", &out->node, path, &used) == 2 && !text[used] &&
        out->node >= 0 && out->node < node_count) {
        for (int p = 0; p < SCENE_PATHS; p++)
            if (!strcmp(path, path_names[p]))
                out->path = (ScenePath)p;
    }
    free(text);
    return status;
}

static Status read_target(const JsonText *json, int target, int node_count, Target *out, Error *err)
{
    int path = json_find(json, target, "path");
    *out = (Target){-1, SCENE_PATHS};
    if (json_is(json, path, "pointer"))
        return read_pointer(json, json_find_path(json, target, "extensions/KHR_animation_pointer/pointer"), node_count,
                            out, err);
    out->node = json_member_index(json, target, "node", node_count - 1);
    for (int p = 0; p < SCENE_PATHS; p++)
        if (json_is(json, path, path_names[p]))
            out->path = (ScenePath)p;
    return STATUS_OK;
}

static Status read_channel(Reader *r, int channel, const int *sampler, int sampler_count)
{
    Target target;
    int number = json_member_index(r->json, channel, "sampler", sampler_count - 1);
    Status status = read_target(r->json, json_find(r->json, channel, "target"), r->gltf->node_count, &target, r->err);
    int node = target.node;
    ScenePath path = target.path;
    if (status || node < 0 || path == SCENE_PATHS)
        return status;
    if (number < 0)
        return error_set(r->err, STATUS_BAD_INPUT, "glTF: an animation names a sampler that does not exist");
    if (r->channel[node] < 0) {
        r->channel[node] = r->out->channel_count;
        r->out->channel[r->out->channel_count++].node = r->place[node];
    }
    SceneKeys *keys = &r->out->channel[r->channel[node]].path[path];
    if (keys->count > 0)
        return error_set(r->err, STATUS_BAD_INPUT, "glTF: node %d is animated twice", node);
    status = gltf_extension_refuse(r->json, channel, r->err);
    if (!status)
        status = read_keys(r, sampler[number], path, keys);
    return status ? status : add_rounding(r, node, path, keys);
}

static Status read_animation(Reader *r, int take, Arena *arena)
{
    int item = json_first(r->json, json_find(r->json, 0, "animations"));
    for (int i = 1; item >= 0 && i < take; i++)
        item = r->json->value[item].next;
    int samplers = json_find(r->json, item, "samplers"), count = json_count(r->json, samplers);
    int *sampler = arena_array(arena, (size_t)count, 1, sizeof *sampler);
    if (!sampler)
        return error_no_memory(r->err);
    json_items(r->json, samplers, sampler, count);
    Status status = gltf_extension_refuse(r->json, item, r->err);
    if (!status)
        status = json_copy(r->json, json_find(r->json, item, "name"), &r->out->name, r->err);
    int channel = json_first(r->json, json_find(r->json, item, "channels"));
    for (; !status && channel >= 0; channel = r->json->value[channel].next)
        status = read_channel(r, channel, sampler, count);
    return status;
}

Status gltf_scene_read(const GltfFile *gltf, int take, Scene *out, Error *err)
{
    Arena arena = {0};
    size_t nodes = (size_t)gltf->node_count;
    Reader r = {.gltf = gltf, .json = &gltf->json, .out = out, .err = err};
    *out = (Scene){0};
    if (gltf->node_count > SCENE_MAX_NODES)
        return error_set(err, STATUS_LIMIT, "glTF: %d nodes, more than %d", gltf->node_count, SCENE_MAX_NODES);
    r.order = arena_array(&arena, nodes, 1, sizeof *r.order);
    r.parent = arena_array(&arena, nodes, 1, sizeof *r.parent);
    r.place = arena_array(&arena, nodes, 1, sizeof *r.place);
    r.channel = arena_array(&arena, nodes, 1, sizeof *r.channel);
    Status status = arena.failed ? error_no_memory(err) : gltf_node_order(gltf, r.order, r.parent, err);
    if (!status)
        status = scene_init(out, gltf->node_count, gltf->node_count, err);
    out->channel_count = 0;
    for (size_t i = 0; !status && i < nodes; i++)
        r.channel[i] = -1;
    if (!status)
        status = read_nodes(&r);
    if (!status)
        mark_bones(&r);
    if (!status && take > 0)
        status = read_animation(&r, take, &arena);
    out->meters_per_unit = 1;
    out->up = UP_Y;
    arena_free(&arena);
    return status;
}
