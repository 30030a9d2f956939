/* See gltf_clip.h. */
#include "formats/gltf/gltf_clip.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/base/version.h"
#include "analysis/stats/joint_series.h"
#include "formats/gltf/gltf_clip_internal.h"

#define FIELD_OF_VIEW 0.63 /* rad, vertical, as in the report page */

static const char *or_empty(const char *text) { return text ? text : ""; }

/* Omits unknown values. */
static void put_number(Json *json, const char *key, double value)
{
    if (isfinite(value))
        json_member_number(json, key, value);
}

static void put_asset(Json *json, const Clip *clip, GltfColour colour)
{
    const Provenance *p = &clip->provenance;
    json_member_open(json, "asset", '{');
    json_member_text(json, "version", "2.0");
    json_member_text(json, "generator", "kane " KANE_VERSION);
    json_member_open(json, "extras", '{');
    json_member_text(json, "conventions", "kane-1");
    json_member_text(json, "title", or_empty(p->title));
    json_member_text(json, "source", or_empty(p->source));
    json_member_text(json, "source_sha256", or_empty(p->source_sha256));
    json_member_text(json, "history", or_empty(p->history));
    put_number(json, "frame_time_s", clip->motion.frame_time);
    put_number(json, "total_mass_kg", clip->has_body ? clip->body.total_mass : NAN);
    if (colour == GLTF_COLOUR_STRENGTH)
        put_number(json, "colour_scale_use", 1);
    else
        put_number(json, "colour_scale_nm_kg", clip->has_dynamics ? TORQUE_COLOUR_MAX : NAN);
    json_close(json, '}');
    json_close(json, '}');
}

/* Returns the node of a joint's mesh. Mesh nodes follow the joint nodes. */
static int mesh_node(const GltfArrays *a, int joints, int joint)
{
    int node = joints;
    for (int j = 0; j < joint; j++)
        node += a->joint[j].index != GLTF_NONE;
    return node;
}

/* Nodes of the marks follow, then the camera. */
static int mark_node(const GltfArrays *a, int joints) { return mesh_node(a, joints, joints); }
static int camera_node(const GltfArrays *a, int joints) { return mark_node(a, joints) + a->marks.count; }

static int has_camera(const GltfArrays *a) { return a->camera_position != GLTF_NONE; }

/* The end sites are the last nodes. */
static int end_node(const GltfArrays *a, int joints) { return camera_node(a, joints) + has_camera(a); }

static void put_scene(Json *json, const Clip *clip, const GltfArrays *a)
{
    int joints = clip->skeleton.joint_count;
    json_line(json, "");
    json_member_integer(json, "scene", 0);
    json_member_open(json, "scenes", '[');
    json_open(json, '{');
    json_member_text(json, "name", or_empty(clip->provenance.title));
    json_member_open(json, "nodes", '[');
    json_integer(json, 0);
    for (int node = joints, end = end_node(a, joints); node < end; node++)
        json_integer(json, node);
    json_close(json, ']');
    json_close(json, '}');
    json_close(json, ']');
}

static void put_children(Json *json, const Skeleton *s, int first_end, int joint)
{
    int count = 0;
    for (int j = joint + 1; j < s->joint_count; j++)
        if (s->parent[j] == joint) {
            if (count++ == 0)
                json_member_open(json, "children", '[');
            json_integer(json, j);
        }
    for (int e = 0; e < s->end_count; e++)
        if (s->end_parent[e] == joint) {
            if (count++ == 0)
                json_member_open(json, "children", '[');
            json_integer(json, first_end + e);
        }
    if (count)
        json_close(json, ']');
}

/* Writes the end sites as nodes "Head_end", as Blender names the ends of bones. */
static void put_end_nodes(Json *json, const Skeleton *s)
{
    for (int e = 0; e < s->end_count; e++) {
        char name[300];
        snprintf(name, sizeof name, "%.280s_end", s->name[s->end_parent[e]]);
        json_line(json, "");
        json_open(json, '{');
        json_member_text(json, "name", name);
        json_member_vector(json, "translation", s->end_offset[e]);
        json_close(json, '}');
    }
}

static void put_joint_extras(Json *json, const Clip *clip, const GltfJoint *joint, int j)
{
    const Skeleton *s = &clip->skeleton;
    json_member_open(json, "extras", '{');
    json_member_text(json, "role", role_name(s->role[j]));
    json_member_text(json, "segment", role_name(s->segment[j]));
    put_number(json, "mass_kg", clip->has_body ? clip->body.mass[j] : NAN);
    put_number(json, "torque_peak_nm_kg", joint->torque_peak);
    if (joint->torque != GLTF_NONE)
        json_member_integer(json, joint_carries_residual(clip, j) ? "residual_torque" : "torque", joint->torque);
    json_member_integer(json, "rotation_rounding", joint->rotation_rounding);
    if (joint->translation_rounding != GLTF_NONE)
        json_member_integer(json, "translation_rounding", joint->translation_rounding);
    json_close(json, '}');
}

/* Writes a joint node in the rest pose: translation by its offset, no rotation. */
static void put_joint_node(Json *json, const Clip *clip, const GltfArrays *a, int j)
{
    json_line(json, "");
    json_open(json, '{');
    json_member_text(json, "name", clip->skeleton.name[j]);
    json_member_vector(json, "translation", clip->skeleton.offset[j]);
    put_children(json, &clip->skeleton, end_node(a, clip->skeleton.joint_count), j);
    put_joint_extras(json, clip, &a->joint[j], j);
    json_close(json, '}');
}

static void put_nodes(Json *json, const Clip *clip, const GltfArrays *a)
{
    int joints = clip->skeleton.joint_count, mesh = 0;
    json_line(json, "");
    json_member_open(json, "nodes", '[');
    for (int j = 0; j < joints; j++)
        put_joint_node(json, clip, a, j);
    for (int j = 0; j < joints; j++)
        if (a->joint[j].index != GLTF_NONE) {
            json_line(json, "");
            json_print(json, "{\"mesh\":%d,\"skin\":0}", mesh++);
        }
    gltf_marks_put_nodes(&a->marks, mesh, json);
    if (has_camera(a)) {
        json_line(json, "");
        json_print(json, "{\"name\":\"camera\",\"camera\":0}");
    }
    put_end_nodes(json, &clip->skeleton);
    json_close(json, ']');
    json_line(json, "");
    json_member_open(json, "skins", '[');
    json_open(json, '{');
    json_member_integer(json, "inverseBindMatrices", a->inverse_bind);
    json_member_integer(json, "skeleton", 0);
    json_member_open(json, "joints", '[');
    for (int j = 0; j < joints; j++)
        json_integer(json, j);
    json_close(json, ']');
    json_close(json, '}');
    json_close(json, ']');
}

/* Writes the morph targets; with weights 0 a mesh has the first colour of the scale. */
static void put_morph_targets(Json *json, const GltfJoint *joint)
{
    if (joint->colour_step[0] == GLTF_NONE)
        return;
    json_member_open(json, "targets", '[');
    for (int i = 0; i < TORQUE_COLOUR_STEPS; i++)
        json_print(json, "{\"POSITION\":%d,\"COLOR_0\":%d}", joint->no_shift, joint->colour_step[i]);
    json_close(json, ']');
}

/* Writes the names of the morph targets that Blender and three.js show. */
static void put_target_names(Json *json, const GltfJoint *joint, GltfColour colour)
{
    if (joint->colour_step[0] == GLTF_NONE)
        return;
    json_member_open(json, "extras", '{');
    json_member_open(json, "targetNames", '[');
    for (int i = 0; i < TORQUE_COLOUR_STEPS; i++) {
        double part = (i + 1.0) / TORQUE_COLOUR_STEPS;
        if (colour == GLTF_COLOUR_STRENGTH)
            json_print(json, "\"strength to %g\"", part);
        else
            json_print(json, "\"torque to %g N m/kg\"", TORQUE_COLOUR_MAX * part);
    }
    json_close(json, ']');
    json_close(json, '}');
}

static void put_mesh(Json *json, const Skeleton *skeleton, const GltfArrays *a, int j)
{
    const GltfJoint *joint = &a->joint[j];
    json_line(json, "");
    json_open(json, '{');
    json_member_text(json, "name", skeleton->name[j]);
    json_member_open(json, "primitives", '[');
    json_open(json, '{');
    json_member_integer(json, "material", 0);
    json_member_integer(json, "indices", joint->index);
    json_member_open(json, "attributes", '{');
    json_print(json, "\"POSITION\":%d,\"NORMAL\":%d,\"COLOR_0\":%d,\"JOINTS_0\":%d,\"WEIGHTS_0\":%d", joint->position,
               joint->normal, joint->colour, joint->bone, joint->weight);
    if (joint->peak_attribute != GLTF_NONE)
        json_member_integer(json, "_TORQUE_PEAK", joint->peak_attribute);
    json_close(json, '}');
    put_morph_targets(json, joint);
    json_close(json, '}');
    json_close(json, ']');
    put_target_names(json, joint, a->def.colour);
    json_close(json, '}');
}

static void put_meshes(Json *json, const Skeleton *skeleton, const GltfArrays *a, int has_tints)
{
    json_line(json, "");
    json_member_open(json, "materials", '[');
    json_print(json, "{\"name\":\"%s\",\"pbrMetallicRoughness\":{\"metallicFactor\":0,\"roughnessFactor\":1}}",
               has_tints ? "scene" : "torque");
    gltf_marks_put_materials(&a->marks, json);
    json_close(json, ']');
    json_line(json, "");
    json_member_open(json, "meshes", '[');
    for (int j = 0; j < skeleton->joint_count; j++)
        if (a->joint[j].index != GLTF_NONE)
            put_mesh(json, skeleton, a, j);
    gltf_marks_put_meshes(&a->marks, 1, json);
    json_close(json, ']');
}

typedef struct GltfChannel {
    int node, output;
    const char *path;
} GltfChannel;

/* Lists the animated properties of a joint; returns their number. */
static int joint_channels(const GltfArrays *a, int j, int joints, GltfChannel channel[3])
{
    const GltfJoint *joint = &a->joint[j];
    const GltfChannel all[3] = {{j, joint->translation, "translation"},
                                {j, joint->rotation, "rotation"},
                                {mesh_node(a, joints, j), joint->colour_weights, "weights"}};
    int count = 0;
    for (int i = 0; i < 3; i++)
        if (all[i].output != GLTF_NONE)
            channel[count++] = all[i];
    return count;
}

static int mark_channels(const GltfArrays *a, int i, int joints, GltfChannel channel[3])
{
    const GltfMark *m = &a->marks.mark[i];
    int node = mark_node(a, joints) + i, count = 0;
    channel[count++] = (GltfChannel){node, m->translation, "translation"};
    if (m->rotation != GLTF_NONE)
        channel[count++] = (GltfChannel){node, m->rotation, "rotation"};
    channel[count++] = (GltfChannel){node, m->scale, "scale"};
    return count;
}

/* Channels of joint i; indices after the joints are marks. */
static int animated_channels(const GltfArrays *a, int i, int joints, GltfChannel channel[3])
{
    return i < joints ? joint_channels(a, i, joints, channel) : mark_channels(a, i - joints, joints, channel);
}

/* What became of a simulated body. */
static void put_run(Json *json, const GltfRun *run)
{
    if (!run || !*run->outcome)
        return;
    json_member_open(json, "extras", '{');
    json_member_text(json, "outcome", run->outcome);
    put_number(json, "lost_s", run->lost_time);
    put_number(json, "rest_s", run->rest_time);
    json_close(json, '}');
}

static void put_animation(Json *json, const Clip *clip, const GltfArrays *a)
{
    GltfChannel channel[3];
    int joints = clip->skeleton.joint_count, sampler = 0;
    json_line(json, "");
    json_member_open(json, "animations", '[');
    json_open(json, '{');
    json_member_text(json, "name", or_empty(clip->provenance.title));
    put_run(json, a->def.run);
    json_member_open(json, "channels", '[');
    for (int j = 0; j < joints + a->marks.count; j++)
        for (int i = 0, n = animated_channels(a, j, joints, channel); i < n; i++)
            json_print(json, "{\"sampler\":%d,\"target\":{\"node\":%d,\"path\":\"%s\"}}", sampler++, channel[i].node,
                       channel[i].path);
    if (has_camera(a))
        json_print(json, "{\"sampler\":%d,\"target\":{\"node\":%d,\"path\":\"translation\"}},"
                         "{\"sampler\":%d,\"target\":{\"node\":%d,\"path\":\"rotation\"}}",
                   sampler, camera_node(a, joints), sampler + 1, camera_node(a, joints));
    json_close(json, ']');
    json_line(json, "");
    json_member_open(json, "samplers", '[');
    for (int j = 0; j < joints + a->marks.count; j++)
        for (int i = 0, n = animated_channels(a, j, joints, channel); i < n; i++)
            json_print(json, "{\"input\":%d,\"output\":%d}", a->time, channel[i].output);
    if (has_camera(a))
        json_print(json, "{\"input\":%d,\"output\":%d},{\"input\":%d,\"output\":%d}", a->time, a->camera_position,
                   a->time, a->camera_rotation);
    json_close(json, ']');
    json_close(json, '}');
    json_close(json, ']');
}

static void put_camera(Json *json)
{
    json_line(json, "");
    json_member_open(json, "cameras", '[');
    json_print(json, "{\"name\":\"camera\",\"type\":\"perspective\",\"perspective\":{\"yfov\":%g,\"znear\":0.01}}",
               FIELD_OF_VIEW);
    json_close(json, ']');
}

static Status put_json(const Clip *clip, const GltfArrays *a, char **text, size_t *size, Error *err)
{
    Json json = json_compact(open_memstream(text, size));
    if (!json.stream)
        return error_no_memory(err);
    json_open(&json, '{');
    put_asset(&json, clip, a->def.colour);
    put_scene(&json, clip, a);
    put_nodes(&json, clip, a);
    if (has_camera(a))
        put_camera(&json);
    put_meshes(&json, &clip->skeleton, a, clip->has_shapes);
    put_animation(&json, clip, a);
    gltf_put_accessors(&a->binary, &json);
    json_close(&json, '}');
    putc('\n', json.stream);
    int failed = ferror(json.stream);
    if (fclose(json.stream) || failed)
        return error_no_memory(err);
    return STATUS_OK;
}

Status gltf_write_clip(const Clip *clip, const GltfDef *def, FILE *stream, Error *err)
{
    GltfArrays arrays;
    char *json = NULL;
    size_t size = 0;
    Status status = gltf_arrays_init(&arrays, clip, def, err);
    if (status)
        return status;
    status = put_json(clip, &arrays, &json, &size, err);
    if (!status)
        status = gltf_binary_write(&arrays.binary, json, size, stream, err);
    free(json);
    gltf_arrays_free(&arrays);
    return status;
}
