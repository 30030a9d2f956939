/* See scene_tree.h. */
#include "formats/scene_file/scene_tree.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/base/arena.h"

void scene_free(Scene *scene)
{
    for (int i = 0; i < scene->node_count && scene->node; i++)
        free(scene->node[i].name);
    for (int c = 0; c < scene->channel_count && scene->channel; c++)
        for (int p = 0; p < SCENE_PATHS; p++) {
            free(scene->channel[c].path[p].time);
            free(scene->channel[c].path[p].value);
        }
    free(scene->node);
    free(scene->channel);
    free(scene->name);
    *scene = (Scene){0};
}

Status scene_init(Scene *out, int node_count, int channel_count, Error *err)
{
    int failed = 0;
    *out = (Scene){.begin = NAN, .end = NAN};
    out->node = array_try(&failed, (size_t)node_count, 1, sizeof *out->node);
    out->channel = array_try(&failed, (size_t)channel_count, 1, sizeof *out->channel);
    if (failed) {
        scene_free(out);
        return error_no_memory(err);
    }
    out->node_count = node_count;
    out->channel_count = channel_count;
    for (int i = 0; i < node_count; i++)
        out->node[i] = (SceneNode){.parent = -1, .inherit = SCENE_RSRS, .rest = scene_identity()};
    return STATUS_OK;
}

Status scene_keys_init(SceneKeys *keys, ScenePath path, int count, SceneCurve curve, Error *err)
{
    int failed = 0;
    size_t width = (size_t)scene_path_width(path) * (curve == SCENE_CUBIC ? 3 : 1);
    *keys = (SceneKeys){.count = count, .curve = curve};
    keys->time = array_try(&failed, (size_t)count, 1, sizeof *keys->time);
    keys->value = array_try(&failed, (size_t)count, width, sizeof *keys->value);
    return failed ? error_no_memory(err) : STATUS_OK;
}

SceneLocal scene_local(Vec3 translation, Quat rotation, Vec3 scale)
{
    Mat3 scales = {{{scale.x, 0, 0}, {0, scale.y, 0}, {0, 0, scale.z}}};
    return (SceneLocal){mat3_product(quat_to_mat3(rotation), scales), rotation, translation};
}

SceneLocal scene_local_of_matrix(Mat3 linear, Vec3 shift)
{
    return (SceneLocal){linear, scene_rotation(linear, QUAT_IDENTITY), shift};
}

Quat scene_rotation(Mat3 linear, Quat otherwise)
{
    Mat3 columns = mat3_transpose(linear);
    Vec3 x = columns.r[0], y = columns.r[1];
    double length = vec3_norm(x);
    if (!(length > 0) || !isfinite(length))
        return otherwise;
    x = vec3_scale(x, 1 / length);
    y = vec3_mad(y, -vec3_dot(x, y), x);
    double height = vec3_norm(y);
    if (!(height > 0) || !isfinite(height))
        return otherwise;
    y = vec3_scale(y, 1 / height);
    return quat_from_mat3(mat3_transpose((Mat3){{x, y, vec3_cross(x, y)}}));
}

/* ---- Checks ---- */

static int is_finite(const double *value, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!isfinite(value[i]))
            return 0;
    return 1;
}

static int keys_are_sound(const SceneKeys *keys, ScenePath path)
{
    size_t width = (size_t)scene_path_width(path) * (keys->curve == SCENE_CUBIC ? 3 : 1);
    for (int k = 1; k < keys->count; k++)
        if (!(keys->time[k] >= keys->time[k - 1]))
            return 0;
    return is_finite(keys->time, (size_t)keys->count) && is_finite(keys->value, (size_t)keys->count * width);
}

static Status check_channels(const Scene *scene, Error *err)
{
    char *used = array_new((size_t)scene->node_count, 1, 1);
    Status status = used ? STATUS_OK : error_no_memory(err);
    for (int c = 0; !status && c < scene->channel_count; c++) {
        const SceneChannel *channel = &scene->channel[c];
        if (channel->node < 0 || channel->node >= scene->node_count || used[channel->node]++)
            status = error_set(err, STATUS_BAD_INPUT, "a channel of no node, or a second one of its node");
        for (int p = 0; !status && p < SCENE_PATHS; p++)
            if (!keys_are_sound(&channel->path[p], (ScenePath)p))
                status = error_set(err, STATUS_BAD_INPUT, "keys of node \"%.60s\" are no numbers, or out of order",
                                   scene->node[channel->node].name);
    }
    free(used);
    return status;
}

Status scene_check(const Scene *scene, Error *err)
{
    for (int i = 0; i < scene->node_count; i++) {
        const SceneNode *node = &scene->node[i];
        if (node->parent < -1 || node->parent >= i || !node->name)
            return error_set(err, STATUS_BAD_INPUT, "the tree of nodes is damaged at node %d", i);
        if (!is_finite(&node->rest.linear.r[0].x, 9) || !is_finite(&node->rest.shift.x, 3) ||
            !(fabs(quat_dot(node->rest.rotation, node->rest.rotation) - 1) < 1e-6))
            return error_set(err, STATUS_BAD_INPUT, "the transform of node \"%.60s\" is no number", node->name);
    }
    if (isinf(scene->begin) || isinf(scene->end) || !isfinite(scene->rate) || !isfinite(scene->meters_per_unit))
        return error_set(err, STATUS_BAD_INPUT, "rate, unit or length of the take is no number");
    return check_channels(scene, err);
}

Status scene_no_motion(const char *format, Error *err)
{
    return error_set(err, STATUS_BAD_INPUT, "the %s file has no animation of a skeleton: export it with its animation "
                     "baked into keys of the bones", format);
}
