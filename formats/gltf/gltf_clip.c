/* See gltf_clip.h. */
#include "formats/gltf/gltf_clip.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/base/arena.h"
#include "analysis/base/status.h"
#include "analysis/stats/joint_curves.h"
#include "analysis/stats/joint_series.h"

/* The faces of a mannequin that belong to one segment, as a separate mesh. */

typedef struct SegmentMesh {
    int vertex_count, face_count;
    int *vertex;    /* [vertex_count] indices into the mannequin, ascending */
    int (*face)[3]; /* [face_count] indices into `vertex` */
} SegmentMesh;

/* Extracts the mesh of a joint's segment, empty if no face belongs to it. The arrays are in the arena; check
 * arena->failed. */
static void segment_mesh_init(SegmentMesh *mesh, const Mannequin *body, int joint, Arena *arena)
{
    int *own = arena_array(arena, (size_t)body->vertex_count, 1, sizeof *own); /* 0: unused, else new index + 1 */
    *mesh = (SegmentMesh){0};
    for (int f = 0; f < body->face_count && own; f++) {
        mesh->face_count += body->segment[f] == joint;
        for (int i = 0; i < 3 && body->segment[f] == joint; i++)
            own[body->face[f][i]] = 1;
    }
    mesh->vertex = arena_array(arena, (size_t)body->vertex_count, 1, sizeof *mesh->vertex);
    mesh->face = arena_array(arena, (size_t)mesh->face_count, 3, sizeof(int));
    if (arena->failed || !own)
        return;
    for (int v = 0; v < body->vertex_count; v++)
        if (own[v]) {
            mesh->vertex[mesh->vertex_count++] = v;
            own[v] = mesh->vertex_count;
        }
    for (int f = 0, to = 0; f < body->face_count; f++)
        if (body->segment[f] == joint) {
            for (int i = 0; i < 3; i++)
                mesh->face[to][i] = own[body->face[f][i]] - 1;
            to++;
        }
}

/* The colour scale of torques. */

static const Vec3 stops[TORQUE_COLOUR_STEPS + 1] = {
    {0.0578, 0.0003, 0.0887}, /* #440154 */
    {0.0437, 0.0844, 0.2582}, /* #3b528b */
    {0.0152, 0.2831, 0.2623}, /* #21918c */
    {0.1119, 0.5841, 0.1221}, /* #5ec962 */
    {0.9823, 0.7991, 0.0185}, /* #fde725 */
};

Vec3 torque_colour_first(void) { return stops[0]; }

Vec3 torque_colour_unknown(void) { return vec3(0.3, 0.3, 0.3); }

Vec3 torque_colour_step(int step) { return vec3_sub(stops[step + 1], stops[step]); }

void torque_colour_weights(double part, float weight[TORQUE_COLOUR_STEPS])
{
    double position = part * TORQUE_COLOUR_STEPS;
    for (int i = 0; i < TORQUE_COLOUR_STEPS; i++)
        weight[i] = (float)fmin(fmax(position - i, 0), 1); /* fmax ignores NaN */
}

/* The data of a clip as glTF accessors. */

enum { MAX_JOINTS = 65535, MAX_VERTICES = 65535 };   /* JOINTS_0 and indices have 16 bits */

void gltf_arrays_free(GltfArrays *a)
{
    gltf_binary_free(&a->binary);
    free(a->joint);
    free(a->marks.mark);
    *a = (GltfArrays){0};
}

/* STATUS_BAD_INPUT unless the last accessor is finite; joint -1: data of the whole clip. */
static Status check_finite(const GltfArrays *a, const Clip *clip, int joint, const char *what, Error *err)
{
    if (gltf_last_is_finite(&a->binary))
        return STATUS_OK;
    return error_set(err, STATUS_BAD_INPUT, "joint \"%s\": %s has numbers that are not finite or too large for glTF",
                     joint < 0 ? clip->skeleton.name[0] : clip->skeleton.name[joint], what);
}

/* Adds the key times. As float32 seconds they must still increase from key to key. */
static Status add_time(GltfArrays *a, const Clip *clip, Error *err)
{
    const Motion *m = &clip->motion;
    float *time = gltf_add_floats(&a->binary, GLTF_SCALAR, (size_t)m->frame_count, GLTF_PLAIN, &a->time);
    if (!time)
        return error_no_memory(err);
    for (int f = 0; f < m->frame_count; f++) {
        time[f] = (float)m->time[f];
        if (!(time[f] >= 0))
            return error_set(err, STATUS_BAD_INPUT, "frame %d is at %g s; glTF does not support negative times", f,
                             m->time[f]);
        if (f > 0 && !(time[f] > time[f - 1]))
            return error_set(err, STATUS_LIMIT,
                             "times of frame %d at %g s and the previous one are equal in 32 bits (glTF)", f,
                             m->time[f]);
    }
    return STATUS_OK;
}

static Status add_camera(GltfArrays *a, const Clip *clip, Error *err)
{
    size_t frames = (size_t)clip->motion.frame_count;
    Arena arena = {0};
    CameraPath path;
    a->camera_position = a->camera_rotation = GLTF_NONE;
    if (a->def.camera.kind == CAMERA_NONE)
        return STATUS_OK;
    Status status = camera_path(&a->def.camera, &clip->skeleton, &clip->motion, &arena, &path, err);
    float *to = status ? NULL : gltf_add_floats(&a->binary, GLTF_VEC3, frames, GLTF_PLAIN, &a->camera_position);
    for (size_t f = 0; to && f < frames; f++)
        for (int axis = 0; axis < 3; axis++)
            to[3 * f + (size_t)axis] = (float)vec3_component(path.camera[f].position, axis);
    to = status || !to ? NULL : gltf_add_floats(&a->binary, GLTF_VEC4, frames, GLTF_PLAIN, &a->camera_rotation);
    Quat before = QUAT_IDENTITY;
    for (size_t f = 0; to && f < frames; f++) {
        Quat q = before = quat_nearest(path.camera[f].orientation, before);
        const float key[] = {(float)q.x, (float)q.y, (float)q.z, (float)q.w};
        memcpy(to + 4 * f, key, sizeof key);
    }
    arena_free(&arena);
    return status || to ? status : error_no_memory(err);
}

/* Checks that rest positions, the translations of nodes, are finite as float32. */
static Status check_rest(const Clip *clip, Error *err)
{
    Arena arena = {0};
    Vec3 *rest = arena_array(&arena, (size_t)clip->skeleton.joint_count, 1, sizeof *rest);
    int is_finite = 1;
    if (!arena.failed)
        skeleton_rest_positions(&clip->skeleton, rest);
    for (int j = 0; j < clip->skeleton.joint_count && !arena.failed; j++)
        is_finite &= isfinite((float)rest[j].x) && isfinite((float)rest[j].y) && isfinite((float)rest[j].z);
    Status status = arena.failed ? error_no_memory(err) : STATUS_OK;
    arena_free(&arena);
    return is_finite ? status
                     : error_set(err, STATUS_BAD_INPUT, "joint \"%s\": the rest pose has numbers too large for glTF",
                                 clip->skeleton.name[0]);
}

/* Adds the inverse bind matrices, world to joint in the bind pose: rotation by q0*, translation by -q0* p0.
 * Column-major. */
static Status add_inverse_bind(GltfArrays *a, const Clip *clip, const Mannequin *body, Error *err)
{
    static const Vec3 axis[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    int joints = clip->skeleton.joint_count;
    float *matrix = gltf_add_floats(&a->binary, GLTF_MAT4, (size_t)joints, GLTF_PLAIN, &a->inverse_bind);
    if (!matrix)
        return error_no_memory(err);
    for (int j = 0; j < joints; j++, matrix += 16) {
        for (int i = 0; i < 3; i++)
            gltf_put_vector(matrix + 4 * i, quat_rotate_inverse(body->joint_orientation[j], axis[i]));
        gltf_put_vector(matrix + 12,
                        vec3_neg(quat_rotate_inverse(body->joint_orientation[j], body->joint_position[j])));
        matrix[15] = 1;
    }
    return check_finite(a, clip, -1, "the rest pose", err);
}

static int add_vertices(GltfArrays *a, const SegmentMesh *mesh, const Vec3 *of, int *accessor)
{
    float *to = gltf_add_floats(&a->binary, GLTF_VEC3, (size_t)mesh->vertex_count, GLTF_VERTEX, accessor);
    for (int i = 0; to && i < mesh->vertex_count; i++)
        to = gltf_put_vector(to, of[mesh->vertex[i]]);
    return to != NULL;
}

static int add_same(GltfArrays *a, Vec3 value, int count, int *accessor)
{
    float *to = gltf_add_floats(&a->binary, GLTF_VEC3, (size_t)count, GLTF_VERTEX, accessor);
    for (int i = 0; to && i < count; i++)
        to = gltf_put_vector(to, value);
    return to != NULL;
}

static int add_binding(GltfArrays *a, GltfJoint *joint, const SegmentMesh *mesh, const Mannequin *body)
{
    size_t count = (size_t)mesh->vertex_count;
    uint16_t *bone = gltf_add_integers(&a->binary, GLTF_VEC4, count, GLTF_VERTEX, &joint->bone);
    for (size_t i = 0; bone && i < count; i++)
        for (int k = 0; k < 2 && (k == 0 || body->weight[mesh->vertex[i]] > 0); k++)
            bone[4 * i + (size_t)k] = (uint16_t)body->joint[mesh->vertex[i]][k];
    float *weight = bone ? gltf_add_floats(&a->binary, GLTF_VEC4, count, GLTF_VERTEX, &joint->weight) : NULL;
    for (size_t i = 0; weight && i < count; i++) {
        weight[4 * i + 1] = (float)body->weight[mesh->vertex[i]];
        weight[4 * i] = 1 - weight[4 * i + 1];
    }
    return weight != NULL;
}

static int add_corners(GltfArrays *a, GltfJoint *joint, const SegmentMesh *mesh)
{
    size_t count = 3 * (size_t)mesh->face_count;
    uint16_t *index = gltf_add_integers(&a->binary, GLTF_SCALAR, count, GLTF_INDEX, &joint->index);
    for (int i = 0; index && i < 3 * mesh->face_count; i++)
        index[i] = (uint16_t)mesh->face[i / 3][i % 3];
    return index != NULL;
}

/* Adds the vertex colours of a scene. */
static int add_tints(GltfArrays *a, GltfJoint *joint, const SegmentMesh *mesh, const Mannequin *body)
{
    float *to = gltf_add_floats(&a->binary, GLTF_VEC3, (size_t)mesh->vertex_count, GLTF_VERTEX, &joint->colour);
    for (int i = 0; to && i < mesh->vertex_count; i++)
        to = gltf_put_vector(to, gltf_linear(body->tint[mesh->vertex[i]]));
    return to != NULL;
}

static int add_colours(GltfArrays *a, GltfJoint *joint, int coloured, int count)
{
    Vec3 first = coloured ? torque_colour_first() : torque_colour_unknown();
    int ok = add_same(a, first, count, &joint->colour);
    for (int i = 0; ok && coloured && i < TORQUE_COLOUR_STEPS; i++)
        ok = add_same(a, torque_colour_step(i), count, &joint->colour_step[i]);
    if (!ok || !coloured || !add_same(a, vec3(0, 0, 0), count, &joint->no_shift))
        return ok && !coloured;
    float *peak = gltf_add_floats(&a->binary, GLTF_SCALAR, (size_t)count, GLTF_VERTEX, &joint->peak_attribute);
    for (int i = 0; peak && i < count; i++)
        peak[i] = (float)joint->torque_peak;
    return peak != NULL;
}

static Status add_mesh(GltfArrays *a, const Clip *clip, const Mannequin *body, int j, int coloured, Error *err)
{
    Arena arena = {0};
    SegmentMesh mesh;
    GltfJoint *joint = &a->joint[j];
    Status status = STATUS_OK;
    segment_mesh_init(&mesh, body, j, &arena);
    int count = mesh.vertex_count, is_lacking = arena.failed;
    if (!is_lacking && count > MAX_VERTICES)
        status = error_set(err, STATUS_LIMIT, "joint \"%s\": a segment of more than %d vertices",
                           clip->skeleton.name[j], MAX_VERTICES);
    else if (!is_lacking && count > 0) {
        is_lacking = !add_vertices(a, &mesh, body->normal, &joint->normal) || !add_binding(a, joint, &mesh, body) ||
                     !add_corners(a, joint, &mesh) ||
                     !(body->tint ? add_tints(a, joint, &mesh, body) : add_colours(a, joint, coloured, count)) ||
                     !add_vertices(a, &mesh, body->position, &joint->position);
        if (!is_lacking)
            status = check_finite(a, clip, j, "the rest pose", err);
    }
    if (is_lacking)
        status = error_no_memory(err);
    arena_free(&arena);
    return status;
}

static Status add_rotation(GltfArrays *a, const Clip *clip, int j, Error *err)
{
    const Motion *m = &clip->motion;
    float *to = gltf_add_floats(&a->binary, GLTF_VEC4, (size_t)m->frame_count, GLTF_PLAIN, &a->joint[j].rotation);
    if (!to)
        return error_no_memory(err);
    for (int f = 0; f < m->frame_count; f++) {
        Quat q = quat_normalize(m->rotation[motion_index(m, f, j)]);
        to = gltf_put_vector(to, vec3(q.x, q.y, q.z));
        *to++ = (float)q.w;
    }
    return check_finite(a, clip, j, "the rotation", err);
}

/* Adds the root's path, and for translating joints their positions in parent axes. */
static Status add_translation(GltfArrays *a, const Clip *clip, int j, Error *err)
{
    const Motion *m = &clip->motion;
    if (j > 0 && !m->translation)
        return STATUS_OK;
    float *to = gltf_add_floats(&a->binary, GLTF_VEC3, (size_t)m->frame_count, GLTF_PLAIN, &a->joint[j].translation);
    if (!to)
        return error_no_memory(err);
    for (int f = 0; f < m->frame_count; f++)
        to = gltf_put_vector(to, j == 0 ? m->root_position[f] : m->translation[motion_index(m, f, j)]);
    return check_finite(a, clip, j, "the position", err);
}

static Status add_torque(GltfArrays *a, const Clip *clip, int j, Error *err)
{
    const Motion *m = &clip->motion;
    float *to = gltf_add_floats(&a->binary, GLTF_VEC3, (size_t)m->frame_count, GLTF_PLAIN, &a->joint[j].torque);
    if (!to)
        return error_no_memory(err);
    int is_base = joint_carries_residual(clip, j);
    for (int f = 0; f < m->frame_count; f++)
        to = gltf_put_vector(to, is_base ? clip->dynamics.residual_torque[f]
                                         : clip->dynamics.torque[motion_index(m, f, j)]);
    return check_finite(a, clip, j, "the torque", err);
}

/* Returns the position on the colour scale, 0 to 1, or above. */
static double part_of_scale(const GltfArrays *a, const Clip *clip, int frame, int joint)
{
    if (a->def.colour == GLTF_COLOUR_STRENGTH)
        return anatomy_joint_use(&clip->anatomy, frame, joint);
    double torque = vec3_norm(clip->dynamics.torque[motion_index(&clip->motion, frame, joint)]);
    return torque / clip->body.total_mass / TORQUE_COLOUR_MAX;
}

/* Returns 1 if the only flag of a torque is TRUST_UNCERTAIN and it has a standard deviation. */
static int is_only_uncertain(const Clip *clip, int frame, int joint)
{
    unsigned reason = clip->has_trust ? trust_joint_reason(&clip->trust, frame, joint) : 0;
    return reason == TRUST_UNCERTAIN && clip->kinematics.valid[frame] && clip->dynamics.torque_sd;
}

/* Returns the value that the colour shows: if the torque is only uncertain, the lower end of its 90 % band; if it is
 * not trusted, 0. */
static double shown_part(const GltfArrays *a, const Clip *clip, int frame, int joint)
{
    const Dynamics *d = &clip->dynamics;
    size_t i = motion_index(&clip->motion, frame, joint);
    if (clip_counts_joint(clip, frame, joint, a->def.choice))
        return part_of_scale(a, clip, frame, joint);
    if (a->def.colour != GLTF_COLOUR_TORQUE || !is_only_uncertain(clip, frame, joint))
        return 0;
    double sd = torque_sd_along(d->torque_sd[i], d->torque_correlation[i], vec3_normalize(d->torque[i]));
    return fmax(0, vec3_norm(d->torque[i]) - BAND_90 * sd) / clip->body.total_mass / TORQUE_COLOUR_MAX;
}

static Status add_colour_keys(GltfArrays *a, const Clip *clip, int j, Error *err)
{
    const Motion *m = &clip->motion;
    float *to = gltf_add_floats(&a->binary, GLTF_SCALAR, (size_t)m->frame_count * TORQUE_COLOUR_STEPS, GLTF_PLAIN,
                                &a->joint[j].colour_weights);
    if (!to)
        return error_no_memory(err);
    for (int f = 0; f < m->frame_count; f++, to += TORQUE_COLOUR_STEPS)
        torque_colour_weights(shown_part(a, clip, f, j), to);
    return STATUS_OK;
}

/* Returns 1 if the joint's utilization is known in some frame; otherwise it is grey. */
static int has_use(const Clip *clip, int joint)
{
    for (int f = 0; f < clip->motion.frame_count; f++)
        if (isfinite(anatomy_joint_use(&clip->anatomy, f, joint)))
            return 1;
    return 0;
}

/* Returns the joint whose torque colours a segment: the joint itself, or for a segment without mass and role, such as a
 * finger, the nearest ancestor with them. */
static int colour_source(const Clip *clip, const JointSeries *series, int j)
{
    while (series->is_helper[j] && !series->is_residual[j] && clip->skeleton.parent[j] >= 0)
        j = clip->skeleton.parent[j];
    return j;
}

static Status add_joint(GltfArrays *a, const Clip *clip, const JointSeries *series, const Mannequin *body, int j,
                        Error *err)
{
    int source = colour_source(clip, series, j);
    int coloured = !body->tint && isfinite(a->joint[source].torque_peak) && joint_series_ranks(series, source) &&
                   (a->def.colour == GLTF_COLOUR_TORQUE || has_use(clip, source));
    Status status = add_mesh(a, clip, body, j, coloured, err);
    if (!status)
        status = add_translation(a, clip, j, err);
    if (!status)
        status = add_rotation(a, clip, j, err);
    if (!status && clip->has_dynamics)
        status = add_torque(a, clip, j, err);
    if (!status && coloured && source == j)
        status = add_colour_keys(a, clip, j, err);
    if (coloured && a->joint[j].index != GLTF_NONE)
        a->joint[j].colour_weights = a->joint[source].colour_weights;
    return status;
}

/* Returns the largest torque in the chosen frames, N m/kg; NaN for the floating base. */
static double joint_torque_peak(const JointSeries *series, const Clip *clip, int j)
{
    double max = NAN;
    int has_own = series->has_load && !series->is_residual[j] && !series->is_silent[j];
    for (int i = 0; has_own && i < series->count; i++)
        max = fmax(max, joint_series_torque(series, j)[i]);
    return clip->has_body && clip->body.total_mass > 0 ? max / clip->body.total_mass : NAN;
}

static void prepare_joint(GltfJoint *joint, double torque_peak)
{
    int none = GLTF_NONE;
    *joint = (GltfJoint){none, none, none, none, none, none, none, {0}, none, none, none, none, none, torque_peak};
    for (int i = 0; i < TORQUE_COLOUR_STEPS; i++)
        joint->colour_step[i] = none;
}

static Status fill(GltfArrays *a, const Clip *clip, const JointSeries *series, const Mannequin *body, Error *err)
{
    Status status = add_time(a, clip, err);
    if (!status)
        status = add_inverse_bind(a, clip, body, err);
    if (!status)
        status = add_camera(a, clip, err);
    for (int j = 0; j < clip->skeleton.joint_count && !status; j++) {
        prepare_joint(&a->joint[j], joint_torque_peak(series, clip, j));
        status = add_joint(a, clip, series, body, j, err);
    }
    return status ? status : gltf_marks_add(a, clip, body, err);
}

Status gltf_arrays_init(GltfArrays *a, const Clip *clip, const GltfDef *def, Error *err)
{
    int joints = clip->skeleton.joint_count;
    JointSeries series = {0};
    Mannequin body = {0};
    ClipView view = clip_view(clip);
    *a = (GltfArrays){.def = *def};
    if (def->colour == GLTF_COLOUR_STRENGTH && !(clip->has_anatomy && clip->anatomy.utilization))
        return error_set(err, STATUS_BAD_INPUT, "has no utilization in /anatomy: run kane angles first");
    if (joints < 1 || clip->motion.frame_count < 1)
        return error_set(err, STATUS_BAD_INPUT, "the clip has no joint or no frame");
    if (joints > MAX_JOINTS)
        return error_set(err, STATUS_LIMIT, "%d joints: a glTF skin has %d at most", joints, MAX_JOINTS);
    Status status = check_rest(clip, err);
    if (!status)
        status = joint_series_init(&series, clip, def->choice, err);
    if (!status)
        status = mannequin_init(&body, &view, clip->has_shapes ? &clip->shapes : NULL, err);
    a->joint = status ? NULL : array_new((size_t)joints, 1, sizeof *a->joint);
    if (!status)
        status = a->joint ? fill(a, clip, &series, &body, err) : error_no_memory(err);
    mannequin_free(&body);
    joint_series_free(&series);
    if (status)
        gltf_arrays_free(a);
    return status;
}

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
    for (int node = joints, end = camera_node(a, joints) + has_camera(a); node < end; node++)
        json_integer(json, node);
    json_close(json, ']');
    json_close(json, '}');
    json_close(json, ']');
}

static void put_children(Json *json, const Skeleton *s, int joint)
{
    int count = 0;
    for (int j = joint + 1; j < s->joint_count; j++)
        if (s->parent[j] == joint) {
            if (count++ == 0)
                json_member_open(json, "children", '[');
            json_integer(json, j);
        }
    if (count)
        json_close(json, ']');
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
    json_close(json, '}');
}

/* Writes a joint node in the rest pose: translation by its offset, no rotation. */
static void put_joint_node(Json *json, const Clip *clip, const GltfJoint *joint, int j)
{
    json_line(json, "");
    json_open(json, '{');
    json_member_text(json, "name", clip->skeleton.name[j]);
    json_member_vector(json, "translation", clip->skeleton.offset[j]);
    put_children(json, &clip->skeleton, j);
    put_joint_extras(json, clip, joint, j);
    json_close(json, '}');
}

static void put_nodes(Json *json, const Clip *clip, const GltfArrays *a)
{
    int joints = clip->skeleton.joint_count, mesh = 0;
    json_line(json, "");
    json_member_open(json, "nodes", '[');
    for (int j = 0; j < joints; j++)
        put_joint_node(json, clip, &a->joint[j], j);
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

static void put_animation(Json *json, const Clip *clip, const GltfArrays *a)
{
    GltfChannel channel[3];
    int joints = clip->skeleton.joint_count, sampler = 0;
    json_line(json, "");
    json_member_open(json, "animations", '[');
    json_open(json, '{');
    json_member_text(json, "name", or_empty(clip->provenance.title));
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

#define FIELD_OF_VIEW 0.63 /* rad, vertical, as in the report page */

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
