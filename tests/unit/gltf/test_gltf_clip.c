/* formats/gltf/gltf_clip, gltf_arrays: an independent reader finds the poses, torques and colours of the clip in the
 * file; clips that glTF cannot represent are rejected. */
#include "analysis/motion/forward_kinematics.h"
#include "tests/support/test.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/mannequin/mannequin.h"
#include "analysis/stats/joint_curves.h"
#include "formats/gltf/gltf_clip_internal.h"
#include "tests/support/sample_clip.h"

enum { FRAMES = 7, JOINTS = 4 };

/* A file read back: offsets of accessors, outputs of channels. */
typedef struct Glb {
    char *bytes;
    size_t size;
    const char *json, *binary;
    size_t offset[400];
    int translation[JOINTS], rotation[JOINTS], weights[JOINTS]; /* accessor, -1: not animated */
} Glb;

static const char *after(const char *text, const char *part)
{
    const char *at = strstr(text, part);
    if (!at)
        print_error("no %s in %.2000s\n", part, text);
    assert_non_null(at);
    return at + strlen(part);
}

static void read_channels(Glb *g)
{
    const char *channel = after(g->json, "\"channels\":["), *samplers = after(g->json, "\"samplers\":[");
    memset(g->translation, -1, sizeof g->translation);
    memset(g->rotation, -1, sizeof g->rotation);
    memset(g->weights, -1, sizeof g->weights);
    for (int sampler, node; (channel = strstr(channel, "{\"sampler\":")); channel++) {
        char path[20];
        int input, output;
        const char *at = samplers;
        assert_int_equal(sscanf(channel, "{\"sampler\":%d,\"target\":{\"node\":%d,\"path\":\"%19[a-z]", &sampler, &node,
                                path), 3);
        for (int i = 0; i <= sampler; i++)
            at = after(at, "{\"input\":");
        assert_int_equal(sscanf(at, "%d,\"output\":%d", &input, &output), 2);
        assert_int_equal(input, 0);
        if (strcmp(path, "translation") == 0)
            g->translation[node] = output;
        else if (strcmp(path, "rotation") == 0)
            g->rotation[node] = output;
        else
            g->weights[node - JOINTS] = output;
    }
}

static Glb written_as(const Clip *clip, GltfColour colour)
{
    Glb g = {0};
    uint32_t text;
    FILE *stream = open_memstream(&g.bytes, &g.size);
    Error err = {0};
    Status status = gltf_write_clip(clip, &(GltfDef){.choice = FRAMES_SOUND, .colour = colour}, stream, &err);
    if (status)
        print_error("%s\n", err.text);
    assert_int_equal(status, STATUS_OK);
    fclose(stream);
    memcpy(&text, g.bytes + 12, sizeof text);
    g.json = g.bytes + 20;
    g.binary = g.json + text + 8;
    const char *view = after(g.json, "\"bufferViews\":[");
    for (int i = 0; (view = strstr(view, "\"byteOffset\":")); i++)
        g.offset[i] = strtoul(view += strlen("\"byteOffset\":"), NULL, 10);
    read_channels(&g);
    return g;
}

static Glb written(const Clip *clip) { return written_as(clip, GLTF_COLOUR_TORQUE); }

static float number(const Glb *g, int accessor, size_t index)
{
    float value;
    memcpy(&value, g->binary + g->offset[accessor] + index * sizeof value, sizeof value);
    return value;
}

static Vec3 vector(const Glb *g, int accessor, size_t index)
{
    return vec3(number(g, accessor, 3 * index), number(g, accessor, 3 * index + 1), number(g, accessor, 3 * index + 2));
}

static Quat rotation(const Glb *g, int accessor, size_t index)
{
    Vec3 v = vector(g, accessor, 0);
    v = vec3(number(g, accessor, 4 * index), number(g, accessor, 4 * index + 1), number(g, accessor, 4 * index + 2));
    return (Quat){number(g, accessor, 4 * index + 3), v.x, v.y, v.z};
}

static Vec3 node_translation(const Glb *g, int node)
{
    Vec3 v;
    const char *at = after(g->json, "\"nodes\":[\n");
    for (int i = 0; i <= node; i++)
        at = after(at, "\"translation\":[");
    assert_int_equal(sscanf(at, "%lf,%lf,%lf", &v.x, &v.y, &v.z), 3);
    return v;
}

/* Forward kinematics from the file alone: p_j = p_parent + Q_parent t_j, Q_j = Q_parent q_j. */
static void assert_poses(const Glb *g, const Clip *clip)
{
    Vec3 position[FRAMES * JOINTS];
    Quat orientation[FRAMES * JOINTS];
    ClipView view = clip_view(clip);
    assert_int_equal(forward_kinematics(&view, LANES_AUTO, &(WorldPoses){position, orientation, NULL}, NULL),
                     STATUS_OK);
    for (size_t f = 0; f < FRAMES; f++) {
        Vec3 p = vec3(0, 0, 0);
        Quat q = QUAT_IDENTITY;
        assert_near(number(g, 0, f), clip->motion.time[f], 1e-7);
        for (int j = 0; j < JOINTS; j++) {
            int moves = g->translation[j];
            p = vec3_add(p, quat_rotate(q, moves >= 0 ? vector(g, moves, f) : node_translation(g, j)));
            q = quat_mul(q, rotation(g, g->rotation[j], f));
            assert_vec3_near(p, position[f * JOINTS + (size_t)j], 2e-6);
        }
    }
}

TEST(poses_equal_the_clips)
{
    Clip clip;
    assert_int_equal(sample_clip(&clip, FRAMES, JOINTS, 0), 0);
    Glb g = written(&clip);
    assert_poses(&g, &clip);
    free(g.bytes);
    free(clip.motion.translation);
    clip.motion.translation = NULL;
    g = written(&clip);
    assert_int_equal(g.translation[1], -1);
    assert_poses(&g, &clip);
    free(g.bytes);
    clip_free(&clip);
}

/* m v of the inverse bind matrix of a joint. */
static Vec3 unbound(const Glb *g, int accessor, int joint, Vec3 v)
{
    double out[3];
    for (int row = 0; row < 3; row++) {
        size_t at = (size_t)(16 * joint + row);
        out[row] = number(g, accessor, at) * v.x + number(g, accessor, at + 4) * v.y +
                   number(g, accessor, at + 8) * v.z + number(g, accessor, at + 12);
    }
    return vec3(out[0], out[1], out[2]);
}

/* A coloured box of a scene, a spring between its joint and the world, a ball that appears later. */
TEST(scenes_have_their_shapes_and_springs)
{
    Clip clip = {.has_shapes = 1};
    const Vec3 ball[2] = {{NAN, NAN, NAN}, {1, 2, 3}};
    GltfRun run = {.outcome = "falls", .lost_time = 0.5, .rest_time = NAN, .ball = ball, .ball_radius = 0.25};
    GltfDef def = {.run = &run};
    GltfArrays a;
    assert_int_equal(skeleton_init(&clip.skeleton, 2, 0, NULL), STATUS_OK);
    assert_int_equal(motion_init(&clip.motion, 2, 2, 0.01, 1, NULL), STATUS_OK);
    assert_int_equal(shapes_init(&clip.shapes, 2, 2, 0, NULL), STATUS_OK);
    for (int i = 0; i < 4; i++)
        clip.motion.rotation[i] = QUAT_IDENTITY;
    for (int j = 0; j < 2; j++)
        assert_int_equal(skeleton_set_name(&clip.skeleton, j, j ? "box" : "world", NULL), STATUS_OK);
    clip.skeleton.parent[1] = 0;
    clip.motion.translation[1] = vec3(0, 0, 2);
    clip.motion.translation[3] = vec3(4, 0, 0);
    clip.shapes.kind[0] = SHAPE_BOX;
    clip.shapes.joint[0] = 1;
    clip.shapes.size[0] = vec3(0.5, 0.5, 0.5);
    clip.shapes.kind[1] = SHAPE_SPRING;
    clip.shapes.points[1] = 2;
    clip.shapes.point_joint[0] = 0;
    clip.shapes.point_joint[1] = 1;
    for (int k = 0; k < 8; k++)
        clip.shapes.color[k] = k % 4 == 0 || k % 4 == 3;
    assert_int_equal(gltf_arrays_init(&a, &clip, &def, NULL), STATUS_OK);
    assert_int_equal(a.marks.count, 2);
    assert_int_equal(a.marks.look_count, 2);
    const float *colour = (const float *)(const void *)(a.binary.bytes + a.binary.accessor[a.joint[1].colour].offset);
    assert_near(colour[0], 1, 1e-6);
    assert_near(colour[1], 0, 1e-6);
    const GltfMark *spring = &a.marks.mark[0], *round = &a.marks.mark[1];
    const float *place = (const float *)(const void *)(a.binary.bytes + a.binary.accessor[spring->translation].offset);
    const float *scale = (const float *)(const void *)(a.binary.bytes + a.binary.accessor[spring->scale].offset);
    const float *turn = (const float *)(const void *)(a.binary.bytes + a.binary.accessor[spring->rotation].offset);
    assert_near(place[2], 1, 1e-6);
    assert_near(place[3], 2, 1e-6);
    assert_near(scale[1], 2, 1e-6);
    assert_near(scale[4], 4, 1e-6);
    Vec3 along = quat_rotate((Quat){turn[7], turn[4], turn[5], turn[6]}, vec3(0, 1, 0));
    assert_near(fabs(along.x), 1, 1e-6);
    place = (const float *)(const void *)(a.binary.bytes + a.binary.accessor[round->translation].offset);
    scale = (const float *)(const void *)(a.binary.bytes + a.binary.accessor[round->scale].offset);
    assert_near(scale[0], 0, 0);
    assert_near(scale[3], 0.25, 0);
    assert_near(place[5], 3, 0);
    assert_int_equal(round->rotation, GLTF_NONE);
    gltf_arrays_free(&a);
    clip_free(&clip);
}

/* Inverse bind matrices map bind-pose joints to the origin, and points one metre away along a joint axis to that
 * axis. */
TEST(inverse_bind_matrices_map_bind_pose_to_origin)
{
    Clip clip;
    Mannequin body;
    int accessor, shown = 0;
    assert_int_equal(sample_clip(&clip, FRAMES, JOINTS, 0), 0);
    ClipView view = clip_view(&clip);
    assert_int_equal(mannequin_init(&body, &view, NULL, NULL), STATUS_OK);
    Glb g = written(&clip);
    assert_int_equal(sscanf(after(g.json, "\"inverseBindMatrices\":"), "%d", &accessor), 1);
    for (int j = 0; j < JOINTS; j++) {
        Vec3 off = quat_rotate(body.joint_orientation[j], vec3(0, 0, 1));
        assert_vec3_near(unbound(&g, accessor, j, body.joint_position[j]), vec3(0, 0, 0), 1e-6);
        assert_vec3_near(unbound(&g, accessor, j, vec3_add(body.joint_position[j], off)), vec3(0, 0, 1), 1e-6);
        int faces = 0;
        for (int f = 0; f < body.face_count; f++)
            faces += body.segment[f] == j;
        shown += faces > 0;
    }
    const char *mesh = g.json, *node = g.json;
    for (int i = 0; i < shown; i++) {
        char wanted[32];
        snprintf(wanted, sizeof wanted, "{\"mesh\":%d,", i);
        node = after(node, wanted);
        mesh = after(mesh, "\"indices\":");
    }
    assert_null(strstr(mesh, "\"indices\":"));
    assert_null(strstr(node, "{\"mesh\":"));
    mannequin_free(&body);
    free(g.bytes);
    clip_free(&clip);
}

/* Accessors named in extras contain the torques; colour weights show them on valid frames, the root's residual has no
 * colour. */
TEST(torques_and_torque_colours_are_written)
{
    Clip clip;
    assert_int_equal(sample_clip(&clip, FRAMES, JOINTS, 1), 0);
    clip.body.total_mass = 0.4;
    clip.body.mass[0] = 5;
    Glb g = written(&clip);
    const char *extras = g.json;
    assert_int_equal(g.weights[0], -1);
    for (int j = 0; j < JOINTS; j++) {
        int torque;
        assert_int_equal(sscanf(extras = after(extras, "torque\":"), "%d", &torque), 1);
        for (size_t f = 0; f < FRAMES; f++) {
            Vec3 expected = j == 0 ? clip.dynamics.residual_torque[f] : clip.dynamics.torque[f * JOINTS + (size_t)j];
            float weight[TORQUE_COLOUR_STEPS];
            assert_vec3_near(vector(&g, torque, f), expected, 1e-7);
            torque_colour_weights(clip.kinematics.valid[f] ? vec3_norm(expected) / 0.4 / TORQUE_COLOUR_MAX : 0,
                                  weight);
            for (size_t i = 0; j > 0 && i < TORQUE_COLOUR_STEPS; i++)
                assert_near(number(&g, g.weights[j], TORQUE_COLOUR_STEPS * f + i), weight[i], 0);
        }
    }
    after(g.json, "\"_TORQUE_PEAK\":");
    free(g.bytes);
    clip_drop(&clip, CLIP_DYNAMICS);
    g = written(&clip);
    assert_null(strstr(g.json, "torque\":"));
    assert_null(strstr(g.json, "targets"));
    free(g.bytes);
    clip_free(&clip);
}

/* Only a bad recording has no colour: what no ground explains is a finding, an uncertain torque shows its lower end. */
TEST(colours_leave_out_bad_recordings_alone)
{
    static const uint32_t flags[FRAMES] = {0, TRUST_TELEPORT, TRUST_UNEXPLAINED, TRUST_UNCERTAIN};
    enum { OWN = 1 };
    Clip clip;
    assert_int_equal(sample_clip(&clip, FRAMES, JOINTS, 1), 0);
    clip.body.total_mass = 0.4;
    assert_int_equal(trust_init(&clip.trust, FRAMES, JOINTS, 0, NULL), STATUS_OK);
    clip.has_trust = 1;
    for (size_t f = 0; f < FRAMES; f++) {
        clip.kinematics.valid[f] = 1;
        clip.trust.reason[f] = flags[f];
        clip.dynamics.torque[f * JOINTS + OWN] = vec3(0.8, 0, 0);
        clip.dynamics.torque_sd[f * JOINTS + OWN] = vec3(0.2, 0, 0);
    }
    Glb g = written(&clip);
    for (size_t f = 0; f < FRAMES; f++) {
        float weight[TORQUE_COLOUR_STEPS];
        double shown = f == 1 ? 0 : f == 3 ? 0.8 - BAND_90 * 0.2 : 0.8;
        torque_colour_weights(shown / 0.4 / TORQUE_COLOUR_MAX, weight);
        for (size_t i = 0; i < TORQUE_COLOUR_STEPS; i++)
            assert_near(number(&g, g.weights[OWN], TORQUE_COLOUR_STEPS * f + i), weight[i], 1e-6);
    }
    free(g.bytes);
    clip_free(&clip);
}

/* The sample's second joint has the utilization of the left knee; the others, without data, are grey. */
TEST(colours_show_the_strength_fraction)
{
    Clip clip;
    char *bytes = NULL;
    size_t size;
    Error err;
    assert_int_equal(sample_clip(&clip, FRAMES, JOINTS, 1), 0);
    Glb g = written_as(&clip, GLTF_COLOUR_STRENGTH);
    assert_true(g.weights[1] >= 0 && g.weights[2] == -1);
    for (size_t f = 0; f < FRAMES; f++) {
        float weight[TORQUE_COLOUR_STEPS];
        double use = joint_angles_utilization(&clip.angles, (int)f, 1);
        assert_near(use, fmax(fmax(clip.angles.utilization[6 * f + 3], clip.angles.utilization[6 * f + 4]),
                              clip.angles.utilization[6 * f + 5]), 0);
        torque_colour_weights(clip.kinematics.valid[f] ? use : 0, weight);
        for (size_t i = 0; i < TORQUE_COLOUR_STEPS; i++)
            assert_near(number(&g, g.weights[1], TORQUE_COLOUR_STEPS * f + i), weight[i], 0);
    }
    after(g.json, "\"strength to 0.25\"");
    after(g.json, "\"colour_scale_use\":1");
    free(g.bytes);
    free(clip.angles.utilization);
    clip.angles.utilization = NULL;
    FILE *stream = open_memstream(&bytes, &size);
    GltfDef def = {.choice = FRAMES_SOUND, .colour = GLTF_COLOUR_STRENGTH};
    assert_int_equal(gltf_write_clip(&clip, &def, stream, &err), STATUS_BAD_INPUT);
    assert_non_null(strstr(err.text, "utilization"));
    fclose(stream);
    free(bytes);
    clip_free(&clip);
}

static void assert_refused(const Clip *clip, Status expected, const char *words)
{
    char *bytes = NULL;
    size_t size;
    Error err;
    FILE *stream = open_memstream(&bytes, &size);
    GltfDef def = {.choice = FRAMES_SOUND, .colour = GLTF_COLOUR_TORQUE};
    assert_int_equal(gltf_write_clip(clip, &def, stream, &err), expected);
    assert_non_null(strstr(err.text, words));
    fclose(stream);
    assert_int_equal(size, 0);
    free(bytes);
}

TEST(clips_beyond_gltf_limits_are_refused)
{
    Clip clip;
    assert_int_equal(sample_clip(&clip, FRAMES, JOINTS, 0), 0);
    clip.motion.time[0] = -0.5;
    assert_refused(&clip, STATUS_BAD_INPUT, "frame 0 is at -0.5 s");
    for (int f = 0; f < FRAMES; f++)
        clip.motion.time[f] = 1e6 + f / 1000.0;
    assert_refused(&clip, STATUS_LIMIT, "frame 1");
    for (int f = 0; f < FRAMES; f++)
        clip.motion.time[f] = f;
    clip.motion.root_position[3].y = NAN;
    assert_refused(&clip, STATUS_BAD_INPUT, "\"J \xc3\xa9 a.a\": the position");
    clip.motion.root_position[3].y = 0;
    clip.skeleton.offset[2].x = 1e300;
    assert_refused(&clip, STATUS_BAD_INPUT, "rest pose");
    clip_free(&clip);
}
