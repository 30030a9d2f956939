/* See scene_pose.h. Khronos, glTF 2.0 specification, appendix C (interpolation); Autodesk, FBX SDK, "Transformations"
 * (global transforms under the three inherit types). */
#include "formats/scene_file/scene_pose.h"

#include <math.h>
#include <string.h>

static const double same_key = 1e-9; /* of the value: keys that differ by less do not move */

ScenePose scene_pose_new(const Scene *scene, const char *needed, double tolerance, Arena *arena)
{
    size_t nodes = (size_t)scene->node_count;
    ScenePose pose = {.scene = scene, .needed = needed, .tolerance = tolerance};
    pose.channel = arena_array(arena, nodes, 1, sizeof *pose.channel);
    pose.cursor = arena_array(arena, (size_t)scene->channel_count, 1, sizeof *pose.cursor);
    pose.place = arena_array(arena, nodes, 1, sizeof *pose.place);
    for (size_t i = 0; pose.channel && i < nodes; i++)
        pose.channel[i] = -1;
    for (int c = 0; pose.channel && c < scene->channel_count; c++)
        pose.channel[scene->channel[c].node] = c;
    return pose;
}

/* ---- Curves ---- */

/* A path's numbers at a time. */
typedef struct Sample {
    double at[4];
} Sample;

static Sample key_value(const SceneKeys *keys, ScenePath path, int key)
{
    int width = scene_path_width(path), parts = keys->curve == SCENE_CUBIC ? 3 : 1;
    Sample s = {{0}};
    memcpy(s.at, keys->value + ((size_t)key * (size_t)parts + (parts == 3)) * (size_t)width,
           (size_t)width * sizeof *s.at);
    return s;
}

/* Cubic Hermite between keys k and k + 1, at the fraction u. */
static Sample cubic(const SceneKeys *keys, ScenePath path, int k, double u)
{
    size_t width = (size_t)scene_path_width(path);
    const double *from = keys->value + 3 * width * (size_t)k, *to = from + 3 * width;
    double step = keys->time[k + 1] - keys->time[k], u2 = u * u, u3 = u2 * u;
    Sample s = {{0}};
    for (size_t i = 0; i < width; i++)
        s.at[i] = (2 * u3 - 3 * u2 + 1) * from[width + i] + step * (u3 - 2 * u2 + u) * from[2 * width + i] +
                  (3 * u2 - 2 * u3) * to[width + i] + step * (u3 - u2) * to[i];
    return s;
}

static Quat quat_of(Sample s)
{
    return quat_normalize((Quat){s.at[3], s.at[0], s.at[1], s.at[2]});
}

static Sample linear(const SceneKeys *keys, ScenePath path, int k, double u)
{
    Sample a = key_value(keys, path, k), b = key_value(keys, path, k + 1);
    if (path == SCENE_ROTATION) {
        Quat q = quat_slerp(quat_of(a), quat_of(b), u);
        return (Sample){{q.x, q.y, q.z, q.w}};
    }
    for (int i = 0; i < 3; i++)
        a.at[i] = lerp(a.at[i], b.at[i], u);
    return a;
}

/* The last key at or before the time, or 0. */
static int find_key(const SceneKeys *keys, double time, int *cursor)
{
    if (*cursor > 0 && keys->time[*cursor] > time)
        *cursor = 0;
    while (*cursor + 1 < keys->count && keys->time[*cursor + 1] <= time)
        (*cursor)++;
    return *cursor;
}

static Sample sample_keys(const SceneKeys *keys, ScenePath path, double time, double tolerance, int *cursor)
{
    int k = find_key(keys, time + tolerance, cursor);
    if (k + 1 >= keys->count || time - keys->time[k] <= tolerance || keys->curve == SCENE_STEP)
        return key_value(keys, path, k);
    double u = (time - keys->time[k]) / (keys->time[k + 1] - keys->time[k]);
    return keys->curve == SCENE_CUBIC ? cubic(keys, path, k, u) : linear(keys, path, k, u);
}

int scene_channel_moves(const SceneChannel *channel)
{
    for (int p = 0; p < SCENE_PATHS; p++) {
        const SceneKeys *keys = &channel->path[p];
        Sample first = keys->count > 0 ? key_value(keys, (ScenePath)p, 0) : (Sample){{0}};
        for (int k = 1; k < keys->count; k++) {
            Sample s = key_value(keys, (ScenePath)p, k);
            for (int i = 0; i < scene_path_width((ScenePath)p); i++)
                if (fabs(s.at[i] - first.at[i]) > same_key * (1 + fabs(first.at[i])))
                    return 1;
        }
        if (keys->count > 1 && keys->curve == SCENE_CUBIC)
            return 1;
    }
    return 0;
}

/* ---- Transforms ---- */

static Vec3 column_lengths(Mat3 m)
{
    Mat3 columns = mat3_transpose(m);
    return vec3(vec3_norm(columns.r[0]), vec3_norm(columns.r[1]), vec3_norm(columns.r[2]));
}

/* The rest transform with the keys of a channel in place of its parts. */
static SceneLocal local_at(ScenePose *pose, int node, double time)
{
    SceneLocal rest = pose->scene->node[node].rest;
    int c = pose->channel[node];
    if (c < 0)
        return rest;
    const SceneKeys *path = pose->scene->channel[c].path;
    Sample s[SCENE_PATHS] = {{{0}}};
    for (int p = 0; p < SCENE_PATHS; p++)
        if (path[p].count > 0)
            s[p] = sample_keys(&path[p], (ScenePath)p, time, pose->tolerance, &pose->cursor[c][p]);
    if (path[SCENE_TRANSLATION].count > 0)
        rest.shift = vec3_load(s[SCENE_TRANSLATION].at);
    if (path[SCENE_ROTATION].count == 0 && path[SCENE_SCALE].count == 0)
        return rest;
    Mat3 scales = mat3_product(mat3_transpose(quat_to_mat3(rest.rotation)), rest.linear);
    if (path[SCENE_SCALE].count > 0)
        scales = (Mat3){{{s[SCENE_SCALE].at[0], 0, 0}, {0, s[SCENE_SCALE].at[1], 0}, {0, 0, s[SCENE_SCALE].at[2]}}};
    if (path[SCENE_ROTATION].count > 0)
        rest.rotation = quat_of(s[SCENE_ROTATION]);
    rest.linear = mat3_product(quat_to_mat3(rest.rotation), scales);
    return rest;
}

static Mat3 without_scale(Mat3 m, Vec3 scale)
{
    double inverse[3] = {scale.x > 0 ? 1 / scale.x : 0, scale.y > 0 ? 1 / scale.y : 0, scale.z > 0 ? 1 / scale.z : 0};
    return mat3_product(m, (Mat3){{{inverse[0], 0, 0}, {0, inverse[1], 0}, {0, 0, inverse[2]}}});
}

/* World matrix of a node whose parent's scale acts otherwise: rotations of both, then scales of both. */
static Mat3 inherit_scale(const ScenePlace *parent, SceneInherit inherit, const SceneLocal *local)
{
    Mat3 rotation = quat_to_mat3(local->rotation), scale = mat3_product(mat3_transpose(rotation), local->linear);
    Mat3 above = mat3_product(mat3_transpose(parent->turned), parent->linear);
    if (inherit == SCENE_RRS)
        above = without_scale(above, parent->scale);
    return mat3_product(mat3_product(parent->turned, rotation), mat3_product(above, scale));
}

static void place_node(ScenePose *pose, int node, SceneLocal local)
{
    const SceneNode *n = &pose->scene->node[node];
    ScenePlace *to = &pose->place[node];
    Mat3 rotation = quat_to_mat3(local.rotation);
    *to = (ScenePlace){local.linear, local.shift, rotation, column_lengths(local.linear)};
    if (n->parent < 0)
        return;
    const ScenePlace *parent = &pose->place[n->parent];
    to->position = vec3_add(parent->position, mat3_mul(parent->linear, local.shift));
    to->turned = mat3_product(parent->turned, rotation);
    to->linear = n->inherit == SCENE_RSRS ? mat3_product(parent->linear, local.linear)
                                          : inherit_scale(parent, n->inherit, &local);
}

void scene_pose_at_rest(ScenePose *pose)
{
    for (int i = 0; i < pose->scene->node_count; i++)
        if (pose->needed[i])
            place_node(pose, i, pose->scene->node[i].rest);
}

void scene_pose_at(ScenePose *pose, double time)
{
    for (int i = 0; i < pose->scene->node_count; i++)
        if (pose->needed[i])
            place_node(pose, i, local_at(pose, i, time));
}
