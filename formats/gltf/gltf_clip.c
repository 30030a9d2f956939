#include "formats/gltf/gltf_clip.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/base/version.h"
#include "formats/base/text.h"
#include "formats/gltf/gltf_arrays.h"

/* A member of an object after the first one. */
static void put_text(FILE *json, const char *key, const char *text)
{
    fprintf(json, ",\"%s\":", key);
    json_put_text(json, text ? text : "");
}

static void put_number(FILE *json, const char *key, double value)
{
    if (!isfinite(value))
        return;
    fprintf(json, ",\"%s\":", key);
    json_put_number(json, value);
}

/* The numbers first..first + count - 1 in brackets. */
static void put_range(FILE *json, int first, int count)
{
    for (int i = 0; i < count; i++)
        fprintf(json, "%s%d", i ? "," : "[", first + i);
    fputc(']', json);
}

static void put_asset(FILE *json, const Clip *clip, GltfColour colour)
{
    const Provenance *p = &clip->provenance;
    fputs("{\"asset\":{\"version\":\"2.0\",\"generator\":\"kane " KANE_VERSION "\","
          "\"extras\":{\"conventions\":\"kane-1\"", json);
    put_text(json, "title", p->title);
    put_text(json, "source", p->source);
    put_text(json, "source_sha256", p->source_sha256);
    put_text(json, "history", p->history);
    put_number(json, "frame_time_s", clip->motion.frame_time);
    put_number(json, "total_mass_kg", clip->has_body ? clip->body.total_mass : NAN);
    if (colour == GLTF_COLOUR_STRENGTH)
        put_number(json, "colour_scale_use", 1);
    else
        put_number(json, "colour_scale_nm_kg", clip->has_dynamics ? TORQUE_COLOUR_MOST : NAN);
    fputs("}},\n", json);
}

/* Behind the joints' nodes there is one for each joint that has a mesh. */
static int mesh_node(const GltfArrays *a, int joints, int joint)
{
    int node = joints;
    for (int j = 0; j < joint; j++)
        node += a->joint[j].index != GLTF_NONE;
    return node;
}

static void put_scene(FILE *json, const Clip *clip, const GltfArrays *a)
{
    int joints = clip->skeleton.joint_count;
    fputs("\"scene\":0,\"scenes\":[{\"name\":", json);
    json_put_text(json, clip->provenance.title ? clip->provenance.title : "");
    fputs(",\"nodes\":[0", json);
    for (int node = joints, end = mesh_node(a, joints, joints); node < end; node++)
        fprintf(json, ",%d", node);
    fputs("]}],\n", json);
}

static void put_children(FILE *json, const Skeleton *s, int joint)
{
    int count = 0;
    for (int j = joint + 1; j < s->joint_count; j++)
        if (s->parent[j] == joint)
            fprintf(json, "%s%d", count++ ? "," : ",\"children\":[", j);
    if (count)
        fputc(']', json);
}

static void put_joint_extras(FILE *json, const Clip *clip, const GltfJoint *joint, int j)
{
    const Skeleton *s = &clip->skeleton;
    fputs(",\"extras\":{\"role\":", json);
    json_put_text(json, role_name(s->role[j]));
    put_text(json, "segment", role_name(s->segment[j]));
    put_number(json, "mass_kg", clip->has_body ? clip->body.mass[j] : NAN);
    put_number(json, "torque_peak_nm_kg", joint->torque_peak);
    if (joint->torque != GLTF_NONE)
        fprintf(json, ",\"%s\":%d", joint_carries_residual(clip, j) ? "residual_torque" : "torque", joint->torque);
    fputc('}', json);
}

/* A joint at rest: its offset, no rotation. */
static void put_joint_node(FILE *json, const Clip *clip, const GltfJoint *joint, int j)
{
    Vec3 offset = clip->skeleton.offset[j];
    const double xyz[3] = {offset.x, offset.y, offset.z};
    fputs("{\"name\":", json);
    json_put_text(json, clip->skeleton.name[j]);
    fputs(",\"translation\":", json);
    for (int k = 0; k < 3; k++) {
        fputc(k ? ',' : '[', json);
        json_put_number(json, xyz[k]);
    }
    fputc(']', json);
    put_children(json, &clip->skeleton, j);
    put_joint_extras(json, clip, joint, j);
    fputc('}', json);
}

static void put_nodes(FILE *json, const Clip *clip, const GltfArrays *a)
{
    int joints = clip->skeleton.joint_count, mesh = 0;
    fputs("\"nodes\":[", json);
    for (int j = 0; j < joints; j++) {
        fputs(j ? ",\n" : "\n", json);
        put_joint_node(json, clip, &a->joint[j], j);
    }
    for (int j = 0; j < joints; j++)
        if (a->joint[j].index != GLTF_NONE)
            fprintf(json, ",\n{\"mesh\":%d,\"skin\":0}", mesh++);
    fprintf(json, "],\n\"skins\":[{\"inverseBindMatrices\":%d,\"skeleton\":0,\"joints\":", a->inverse_bind);
    put_range(json, 0, joints);
    fputs("}],\n", json);
}

/* Weights of 0 show the first colour of the scale. Ends the primitive and its list. */
static void put_morph_targets(FILE *json, const GltfJoint *joint, GltfColour colour)
{
    if (joint->colour_step[0] == GLTF_NONE) {
        fputs("}]", json);
        return;
    }
    fputs(",\"targets\":[", json);
    for (int i = 0; i < TORQUE_COLOUR_STEPS; i++)
        fprintf(json, "%s{\"POSITION\":%d,\"COLOR_0\":%d}", i ? "," : "", joint->no_shift,
                joint->colour_step[i]);
    fputs("]}],\"extras\":{\"targetNames\":[", json); /* what Blender and three.js call the targets */
    for (int i = 0; i < TORQUE_COLOUR_STEPS; i++) {
        double part = (i + 1.0) / TORQUE_COLOUR_STEPS;
        fputs(i ? "," : "", json);
        if (colour == GLTF_COLOUR_STRENGTH)
            fprintf(json, "\"strength to %g\"", part);
        else
            fprintf(json, "\"torque to %g Nm/kg\"", TORQUE_COLOUR_MOST * part);
    }
    fputs("]}", json);
}

static void put_mesh(FILE *json, const Skeleton *skeleton, const GltfArrays *a, int j)
{
    const GltfJoint *joint = &a->joint[j];
    fputs("\n{\"name\":", json);
    json_put_text(json, skeleton->name[j]);
    fprintf(json, ",\"primitives\":[{\"material\":0,\"indices\":%d,\"attributes\":{\"POSITION\":%d,\"NORMAL\":%d,"
                  "\"COLOR_0\":%d,\"JOINTS_0\":%d,\"WEIGHTS_0\":%d",
            joint->index, joint->position, joint->normal, joint->colour, joint->bone, joint->share);
    if (joint->peak_attribute != GLTF_NONE)
        fprintf(json, ",\"_TORQUE_PEAK\":%d", joint->peak_attribute);
    fputc('}', json);
    put_morph_targets(json, joint, a->def.colour);
    fputc('}', json);
}

static void put_meshes(FILE *json, const Skeleton *skeleton, const GltfArrays *a)
{
    fputs("\"materials\":[{\"name\":\"torque\","
          "\"pbrMetallicRoughness\":{\"metallicFactor\":0,\"roughnessFactor\":1}}],\n\"meshes\":[", json);
    for (int j = 0, count = 0; j < skeleton->joint_count; j++)
        if (a->joint[j].index != GLTF_NONE) {
            fputs(count++ ? "," : "", json);
            put_mesh(json, skeleton, a, j);
        }
    fputs("],\n", json);
}

typedef struct Channel {
    int node, output;
    const char *path;
} Channel;

/* What of a joint is animated. Returns the number of channels. */
static int joint_channels(const GltfArrays *a, int j, int joints, Channel channel[3])
{
    const GltfJoint *joint = &a->joint[j];
    const Channel all[3] = {{j, joint->translation, "translation"},
                            {j, joint->rotation, "rotation"},
                            {mesh_node(a, joints, j), joint->colour_weights, "weights"}};
    int count = 0;
    for (int i = 0; i < 3; i++)
        if (all[i].output != GLTF_NONE)
            channel[count++] = all[i];
    return count;
}

static void put_animation(FILE *json, const Clip *clip, const GltfArrays *a)
{
    Channel channel[3];
    int joints = clip->skeleton.joint_count, count = 0;
    fputs("\"animations\":[{\"name\":", json);
    json_put_text(json, clip->provenance.title ? clip->provenance.title : "");
    fputs(",\"channels\":[", json);
    for (int j = 0; j < joints; j++)
        for (int i = 0, n = joint_channels(a, j, joints, channel); i < n; i++, count++)
            fprintf(json, "%s{\"sampler\":%d,\"target\":{\"node\":%d,\"path\":\"%s\"}}", count ? "," : "", count,
                    channel[i].node, channel[i].path);
    fputs("],\n\"samplers\":[", json);
    count = 0;
    for (int j = 0; j < joints; j++)
        for (int i = 0, n = joint_channels(a, j, joints, channel); i < n; i++)
            fprintf(json, "%s{\"input\":%d,\"output\":%d}", count++ ? "," : "", a->time, channel[i].output);
    fputs("]}],\n", json);
}

static Status put_json(const Clip *clip, const GltfArrays *a, char **text, size_t *size, Error *err)
{
    FILE *json = open_memstream(text, size);
    if (!json)
        return error_no_memory(err);
    put_asset(json, clip, a->def.colour);
    put_scene(json, clip, a);
    put_nodes(json, clip, a);
    put_meshes(json, &clip->skeleton, a);
    put_animation(json, clip, a);
    gltf_put_accessors(&a->binary, json);
    fputs("}\n", json);
    int failed = ferror(json);
    if (fclose(json) || failed)
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
