/* Fills the accessors of a clip (gltf_clip_internal.h). */
#include <math.h>
#include <stdlib.h>

#include "analysis/base/arena.h"
#include "analysis/stats/joint_curves.h"
#include "analysis/stats/joint_series.h"
#include "formats/gltf/gltf_clip_internal.h"

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

static float *put_rounding(float *to, double x)
{
    *to = (float)(x - (double)(float)x);
    return to + 1;
}

static float *put_vector_rounding(float *to, Vec3 v)
{
    return put_rounding(put_rounding(put_rounding(to, v.x), v.y), v.z);
}

/* Adds what float32 rounds off the keys: with it, a clip that is read back has the same torques to 1e-7. */
static Status add_roundings(GltfArrays *a, const Clip *clip, int j, Error *err)
{
    const Motion *m = &clip->motion;
    GltfJoint *joint = &a->joint[j];
    int is_translated = joint->translation != GLTF_NONE;
    float *to = gltf_add_floats(&a->binary, GLTF_VEC4, (size_t)m->frame_count, GLTF_PLAIN, &joint->rotation_rounding);
    for (int f = 0; to && f < m->frame_count; f++) {
        Quat q = quat_normalize(m->rotation[motion_index(m, f, j)]);
        to = put_rounding(put_vector_rounding(to, vec3(q.x, q.y, q.z)), q.w);
    }
    if (to && is_translated)
        to = gltf_add_floats(&a->binary, GLTF_VEC3, (size_t)m->frame_count, GLTF_PLAIN, &joint->translation_rounding);
    for (int f = 0; to && is_translated && f < m->frame_count; f++)
        to = put_vector_rounding(to, j == 0 ? m->root_position[f] : m->translation[motion_index(m, f, j)]);
    return to ? STATUS_OK : error_no_memory(err);
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
        return joint_angles_utilization(&clip->angles, frame, joint);
    double torque = vec3_norm(clip->dynamics.torque[motion_index(&clip->motion, frame, joint)]);
    return torque / clip->body.total_mass / TORQUE_COLOUR_MAX;
}

static int is_uncertain(const Clip *clip, int frame, int joint)
{
    return clip->has_trust && clip->dynamics.torque_sd &&
           (trust_joint_reason(&clip->trust, frame, joint) & TRUST_UNCERTAIN) != 0;
}

/* Returns the value that the colour shows: of an uncertain torque the lower end of its 90 % band, unless all frames are
 * wanted as they are; 0 in frames that do not count. */
static double shown_part(const GltfArrays *a, const Clip *clip, int frame, int joint)
{
    const Dynamics *d = &clip->dynamics;
    size_t i = motion_index(&clip->motion, frame, joint);
    if (!clip_counts_joint(clip, frame, joint, a->def.choice))
        return 0;
    if (a->def.choice == FRAMES_VALID || a->def.colour != GLTF_COLOUR_TORQUE || !is_uncertain(clip, frame, joint))
        return part_of_scale(a, clip, frame, joint);
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
        if (isfinite(joint_angles_utilization(&clip->angles, f, joint)))
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
    if (!status)
        status = add_roundings(a, clip, j, err);
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
    *joint = (GltfJoint){none, none, none, none, none, none, none, {0}, none, none, none, none, none, none, none,
                         torque_peak};
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
    if (def->colour == GLTF_COLOUR_STRENGTH && !(clip->has_angles && clip->angles.utilization))
        return error_set(err, STATUS_BAD_INPUT, "has no utilization in /angles: run kane angles first");
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
