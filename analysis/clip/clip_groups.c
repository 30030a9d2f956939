/* Allocates, copies and frees the groups of a clip from the rows of the schema; declared in clip_schema.h and the
 * headers of the structs. */
#include <math.h>
#include <string.h>

#include "analysis/base/arena.h"
#include "analysis/clip/clip_schema.h"
#include "analysis/math/passes.h"

/* ---- Any group ---- */

/* The group whose struct contains the arrays and their counts. */
static SchemaGroupId holder(SchemaGroupId id) { return id >= GROUP_RUN ? GROUP_TRACKING : id; }

/* Whether the struct of a group contains the array of a row; the root's arrays are also members of group structs. */
static int is_held(SchemaGroupId id, const SchemaDataset *row)
{
    const SchemaGroup *g = &schema_groups[id];
    return row->member >= g->start && row->member < g->start + g->size && !(row->flags & SCHEMA_COPY);
}

static void *group_member(SchemaGroupId id, const void *group, size_t member)
{
    return (char *)group + (member - schema_groups[id].start);
}

static void *get_array(SchemaGroupId id, const void *group, const SchemaDataset *row)
{
    void *array;
    memcpy(&array, group_member(id, group, row->member), sizeof array);
    return array;
}

static void set_array(SchemaGroupId id, void *group, const SchemaDataset *row, void *array)
{
    memcpy(group_member(id, group, row->member), &array, sizeof array);
}

static int *count_in(const SchemaCount *count, const void *group)
{
    return (int *)group_member(count->group, group, count->member);
}

static size_t dim_length(SchemaGroupId id, const void *group, SchemaDim dim)
{
    for (int i = 0; i < SCHEMA_COUNT_COUNT; i++)
        if (schema_counts[i].group == holder(id) && schema_counts[i].dim == dim)
            return (size_t)*count_in(&schema_counts[i], group);
    return schema_fixed_size(dim);
}

/* Number of elements per index of the first dimension. */
static size_t row_length(SchemaGroupId id, const void *group, const SchemaDataset *row)
{
    size_t count = 1;
    for (int i = 1; i < schema_rank(row); i++)
        count *= dim_length(id, group, row->dim[i]);
    return count;
}

static void free_array(SchemaGroupId id, void *group, const SchemaDataset *row)
{
    void *array = get_array(id, group, row);
    for (size_t i = 0; array && row->element == ELEMENT_NAME && i < dim_length(id, group, row->dim[0]); i++)
        free(((char **)array)[i]);
    free(array);
    set_array(id, group, row, NULL);
}

/* Names are pointers: zeros always. */
static Status add_array(SchemaGroupId id, void *group, const SchemaDataset *row, int is_space, Error *err)
{
    if (get_array(id, group, row))
        return STATUS_OK;
    size_t rows = dim_length(id, group, row->dim[0]), columns = row_length(id, group, row);
    size_t size = schema_element_size(row->element);
    void *array = is_space && row->element != ELEMENT_NAME ? array_space(rows, columns, size)
                                                            : array_new(rows, columns, size);
    set_array(id, group, row, array);
    return array ? STATUS_OK : error_no_memory(err);
}

void group_free(SchemaGroupId id, void *group)
{
    for (int i = 0; group && i < SCHEMA_DATASET_COUNT; i++)
        if (is_held(id, &schema_datasets[i]))
            free_array(id, group, &schema_datasets[i]);
    if (group)
        memset(group, 0, schema_groups[id].size);
}

/* Sets the defaults that are not zero. */
static void set_defaults(SchemaGroupId id, void *group)
{
    if (id == GROUP_SKELETON)
        for (int j = 0; j < ((Skeleton *)group)->joint_count; j++)
            ((Skeleton *)group)->parent[j] = -1;
    if (id == GROUP_DOF)
        dofs_set_defaults(group);
    if (id == GROUP_SHAPES)
        shapes_set_defaults(group);
    if (id == GROUP_TRUST)
        trust_settle(group);
    if (id == GROUP_RETARGET)
        *(RetargetScore *)group = retarget_score_unknown();
    if (id == GROUP_SIMULATION) {
        Simulation *s = group;
        s->solved_islands = s->solver_pivots = s->lemke_islands = s->swept_islands = NAN;
    }
    for (int i = 0; id == GROUP_TRACKING && i < CONTROLLER_COUNT; i++)
        ((Tracking *)group)->run[i].lost_time = ((Tracking *)group)->run[i].rest_time = NAN;
    if (id != GROUP_CONTACT)
        return;
    Contact *contact = group;
    contact->ground_normal = vec3(0, 1, 0);
    for (int f = 0; f < contact->frame_count; f++)
        contact->confidence[f] = 1;
}

static Status add_needed(SchemaGroupId id, void *group, int is_space, Error *err)
{
    Status status = STATUS_OK;
    for (int i = 0; i < SCHEMA_DATASET_COUNT && !status; i++) {
        const SchemaDataset *row = &schema_datasets[i];
        int is_own = row->group == id || (row->group == GROUP_ROOT && is_held(id, row));
        if (is_own && !(row->flags & (SCHEMA_OPTIONAL | SCHEMA_COPY)))
            status = add_array(id, group, row, is_space, err);
    }
    return status;
}

static Status add_optional(SchemaGroupId id, void *group, const char *name, int is_space, Error *err)
{
    int i = schema_find(id, name);
    Status status = add_array(id, group, &schema_datasets[i], is_space, err);
    if (!status && i + 1 < SCHEMA_DATASET_COUNT && schema_datasets[i + 1].flags & SCHEMA_PAIR)
        status = add_array(id, group, &schema_datasets[i + 1], is_space, err);
    return status;
}

static Status make(SchemaGroupId id, void *group, const int size[DIM_COUNT], const char *optional, int is_space,
                   Error *err)
{
    if (id < GROUP_RUN)
        memset(group, 0, schema_groups[id].size);
    for (int i = 0; i < SCHEMA_COUNT_COUNT; i++)
        if (schema_counts[i].group == id)
            *count_in(&schema_counts[i], group) = size[schema_counts[i].dim];
    Status status = add_needed(id, group, is_space, err);
    if (!status && optional)
        status = add_optional(id, group, optional, is_space, err);
    if (status)
        group_free(holder(id), group);
    else
        set_defaults(id, group);
    return status;
}

Status group_init(SchemaGroupId id, void *group, const int size[DIM_COUNT], const char *optional, Error *err)
{
    return make(id, group, size, optional, 0, err);
}

Status group_add(SchemaGroupId id, void *group, const char *name, Error *err)
{
    return add_optional(id, group, name, 0, err);
}

/* Fills an array of the copy, which owns its names. */
static Status copy_array(SchemaGroupId id, void *to, const SchemaDataset *row, const void *from, Error *err)
{
    Status status = add_array(id, to, row, 1, err);
    size_t count = dim_length(id, to, row->dim[0]) * row_length(id, to, row);
    if (!status && row->element != ELEMENT_NAME)
        memcpy(get_array(id, to, row), from, count * schema_element_size(row->element));
    for (size_t i = 0; !status && row->element == ELEMENT_NAME && i < count; i++) {
        const char *name = ((char *const *)from)[i];
        char **copy = (char **)get_array(id, to, row) + i;
        if (name && !(*copy = strdup(name)))
            status = error_no_memory(err);
    }
    return status;
}

Status group_copy(SchemaGroupId id, void *to, const void *from, Error *err)
{
    Status status = STATUS_OK;
    memcpy(to, from, schema_groups[id].size);
    for (int i = 0; i < SCHEMA_DATASET_COUNT; i++)
        if (is_held(id, &schema_datasets[i]))
            set_array(id, to, &schema_datasets[i], NULL);
    for (int i = 0; i < SCHEMA_DATASET_COUNT && !status; i++) {
        const SchemaDataset *row = &schema_datasets[i];
        if (is_held(id, row) && get_array(id, from, row))
            status = copy_array(id, to, row, get_array(id, from, row), err);
    }
    if (status)
        group_free(id, to);
    return status;
}

/* ---- Each group ---- */

#define SIZES(...) ((int[DIM_COUNT]){__VA_ARGS__})

Status skeleton_init(Skeleton *s, int joint_count, int end_count, Error *err)
{
    return group_init(GROUP_SKELETON, s, SIZES([DIM_JOINT] = joint_count, [DIM_END] = end_count), NULL, err);
}

static Status make_motion(Motion *m, const int size[DIM_COUNT], double frame_time, int has_translation, int is_space,
                          Error *err)
{
    Status status = make(GROUP_MOTION, m, size, has_translation ? "translation" : NULL, is_space, err);
    m->frame_time = status ? 0 : frame_time;
    for (int f = 0; f < m->frame_count; f++)
        m->time[f] = f * frame_time;
    return status;
}

Status motion_init(Motion *m, int frame_count, int joint_count, double frame_time, int has_translation, Error *err)
{
    const int *size = SIZES([DIM_FRAME] = frame_count, [DIM_JOINT] = joint_count);
    return make_motion(m, size, frame_time, has_translation, 0, err);
}

Status motion_space(Motion *m, int frame_count, int joint_count, double frame_time, int has_translation, Error *err)
{
    const int *size = SIZES([DIM_FRAME] = frame_count, [DIM_JOINT] = joint_count);
    return make_motion(m, size, frame_time, has_translation, 1, err);
}

Status dofs_init(Dofs *d, int frame_count, int count, Error *err)
{
    return group_init(GROUP_DOF, d, SIZES([DIM_FRAME] = frame_count, [DIM_DOF] = count), NULL, err);
}

Status trust_init(Trust *t, int frame_count, int joint_count, int has_joints, Error *err)
{
    const int *size = SIZES([DIM_FRAME] = frame_count, [DIM_JOINT] = joint_count);
    return group_init(GROUP_TRUST, t, size, has_joints ? "joint_reason" : NULL, err);
}

Status body_init(Body *b, int joint_count, Error *err)
{
    return group_init(GROUP_BODY, b, SIZES([DIM_JOINT] = joint_count), NULL, err);
}

Status kinematics_init(Kinematics *k, int frame_count, int joint_count, int has_com, Error *err)
{
    const int *size = SIZES([DIM_FRAME] = frame_count, [DIM_JOINT] = joint_count);
    return group_init(GROUP_KINEMATICS, k, size, has_com ? "com" : NULL, err);
}

Status kinematics_space(Kinematics *k, int frame_count, int joint_count, int has_com, Error *err)
{
    const int *size = SIZES([DIM_FRAME] = frame_count, [DIM_JOINT] = joint_count);
    return make(GROUP_KINEMATICS, k, size, has_com ? "com" : NULL, 1, err);
}

Status contact_init(Contact *c, int frame_count, int point_count, int has_moment, Error *err)
{
    const int *size = SIZES([DIM_FRAME] = frame_count, [DIM_POINT] = point_count);
    return group_init(GROUP_CONTACT, c, size, has_moment ? "moment" : NULL, err);
}

Status dynamics_space(Dynamics *d, int frame_count, int joint_count, Error *err)
{
    return make(GROUP_DYNAMICS, d, SIZES([DIM_FRAME] = frame_count, [DIM_JOINT] = joint_count), NULL, 1, err);
}

Status joint_angles_init(JointAngles *a, int frame_count, int coordinate_count, int has_axes, Error *err)
{
    const int *size = SIZES([DIM_FRAME] = frame_count, [DIM_COORDINATE] = coordinate_count);
    return group_init(GROUP_ANGLES, a, size, has_axes ? "axis" : NULL, err);
}

Status simulation_init(Simulation *s, SimulationSize size, Error *err)
{
    const int *sizes = SIZES([DIM_FRAME] = size.frames, [DIM_CONSTRAINT] = size.constraints,
                             [DIM_ACTUATOR] = size.actuators);
    return group_init(GROUP_SIMULATION, s, sizes, NULL, err);
}

Status particle_track_init(ParticleTrack *t, int frame_count, int particle_count, Error *err)
{
    const int *size = SIZES([DIM_FRAME] = frame_count, [DIM_PARTICLE] = particle_count);
    return group_init(GROUP_PARTICLES, t, size, NULL, err);
}

Status markers_init(Markers *m, int frame_count, int marker_count, Error *err)
{
    const int *size = SIZES([DIM_FRAME] = frame_count, [DIM_MARKER] = marker_count);
    return group_init(GROUP_MARKERS, m, size, NULL, err);
}

Status shapes_init(Shapes *s, int count, int point_count, int face_count, Error *err)
{
    const int *size = SIZES([DIM_SHAPE] = count, [DIM_SHAPE_POINT] = point_count, [DIM_SHAPE_FACE] = face_count);
    return group_init(GROUP_SHAPES, s, size, NULL, err);
}

Status tracking_init(Tracking *t, int frame_count, int joint_count, Error *err)
{
    return group_init(GROUP_TRACKING, t, SIZES([DIM_STEP] = frame_count, [DIM_JOINT] = joint_count), NULL, err);
}

void tracking_drop_run(Tracking *t, ControllerKind kind)
{
    SchemaGroupId id = (SchemaGroupId)(GROUP_RUN + kind);
    for (int i = 0; i < SCHEMA_DATASET_COUNT; i++)
        if (schema_datasets[i].group == id)
            free_array(id, t, &schema_datasets[i]);
    t->run[kind] = (TrackingRun){0};
}

Status tracking_add_run(Tracking *t, ControllerKind kind, int parts, Error *err)
{
    SchemaGroupId id = (SchemaGroupId)(GROUP_RUN + kind);
    tracking_drop_run(t, kind);
    Status status = add_needed(id, t, 0, err);
    if (!status && parts & RUN_BALL)
        status = group_add(id, t, "ball", err);
    if (!status && parts & RUN_CONTACT && !(status = group_add(id, t, "contact_force", err)))
        status = group_add(id, t, "contact_moment", err);
    if (!status && parts & RUN_PUSHES && !(status = group_add(id, t, "push_force", err)))
        status = group_add(id, t, "push_moment", err);
    t->run[kind].present = !status;
    return status;
}

Status skeleton_add_channels(Skeleton *s, Error *err) { return group_add(GROUP_SKELETON, s, "channels", err); }

Status skeleton_add_standing(Skeleton *s, Error *err) { return group_add(GROUP_SKELETON, s, "standing_rotation", err); }
Status trust_add_joints(Trust *t, Error *err) { return group_add(GROUP_TRUST, t, "joint_reason", err); }
Status dynamics_add_spread(Dynamics *d, Error *err) { return group_add(GROUP_DYNAMICS, d, "torque_sd", err); }
Status joint_angles_add_spread(JointAngles *a, Error *err) { return group_add(GROUP_ANGLES, a, "moment_sd", err); }
Status joint_angles_add_strength(JointAngles *a, Error *err)
{
    Status status = group_add(GROUP_ANGLES, a, "capacity", err);
    return status ? status : group_add(GROUP_ANGLES, a, "utilization_sd", err);
}
Status joint_angles_add_passive(JointAngles *a, Error *err) { return group_add(GROUP_ANGLES, a, "passive", err); }

void skeleton_free(Skeleton *s) { group_free(GROUP_SKELETON, s); }
void dofs_free(Dofs *d) { group_free(GROUP_DOF, d); }
void motion_free(Motion *m) { group_free(GROUP_MOTION, m); }
void trust_free(Trust *t) { group_free(GROUP_TRUST, t); }
void body_free(Body *b) { group_free(GROUP_BODY, b); }
void kinematics_free(Kinematics *k) { group_free(GROUP_KINEMATICS, k); }
void contact_free(Contact *c) { group_free(GROUP_CONTACT, c); }
void dynamics_free(Dynamics *d) { group_free(GROUP_DYNAMICS, d); }
void joint_angles_free(JointAngles *a) { group_free(GROUP_ANGLES, a); }
void markers_free(Markers *m) { group_free(GROUP_MARKERS, m); }
void shapes_free(Shapes *s) { group_free(GROUP_SHAPES, s); }
void tracking_free(Tracking *t) { group_free(GROUP_TRACKING, t); }

Status skeleton_copy(Skeleton *to, const Skeleton *from, Error *err)
{
    return group_copy(GROUP_SKELETON, to, from, err);
}

Status motion_copy(Motion *out, const Motion *from, Error *err) { return group_copy(GROUP_MOTION, out, from, err); }

Status body_copy(Body *to, const Body *from, Error *err) { return group_copy(GROUP_BODY, to, from, err); }

/* ---- Groups of a clip ---- */

static void *clip_group_struct(const Clip *c, int id) { return (char *)c + schema_groups[id].start; }

static void set_present(Clip *c, int id, int present)
{
    if (schema_groups[id].present != SCHEMA_ALWAYS)
        *(int *)(void *)((char *)c + schema_groups[id].present) = present;
}

Status clip_add_group(Clip *c, SchemaGroupId id, const int size[DIM_COUNT], Error *err)
{
    Status status = group_init(id, clip_group_struct(c, id), size, NULL, err);
    set_present(c, id, !status);
    return status;
}

const char *clip_group_name(ClipGroup group)
{
    int id = GROUP_SKELETON;
    while (id < GROUP_TRACKING && schema_groups[id].bit != (unsigned)group)
        id++;
    return schema_groups[id].name;
}

unsigned clip_groups(const Clip *c)
{
    unsigned groups = 0;
    for (int id = GROUP_SKELETON; id < GROUP_RUN; id++)
        groups |= schema_has_group(c, (SchemaGroupId)id) ? schema_groups[id].bit : 0;
    return groups;
}

unsigned clip_computed_from(unsigned groups)
{
    unsigned computed = 0;
    for (int id = GROUP_SKELETON; id < GROUP_RUN; id++)
        computed |= schema_groups[id].sources & groups ? schema_groups[id].bit : 0;
    return computed;
}

void clip_hold(Clip *c, unsigned groups)
{
    for (int id = GROUP_SKELETON; id < GROUP_RUN; id++)
        if (schema_groups[id].bit & groups & ~(unsigned)CLIP_ALWAYS)
            set_present(c, id, 1);
}

void clip_drop(Clip *c, unsigned groups)
{
    unsigned gone = (groups | clip_computed_from(groups)) & ~(unsigned)CLIP_ALWAYS;
    for (int id = GROUP_SKELETON; id < GROUP_RUN; id++)
        if (schema_groups[id].bit & gone) {
            group_free((SchemaGroupId)id, clip_group_struct(c, id));
            set_present(c, id, 0);
        }
}

void clip_free(Clip *c)
{
    if (!c)
        return;
    for (int id = GROUP_SKELETON; id < GROUP_RUN; id++)
        group_free((SchemaGroupId)id, clip_group_struct(c, id));
    free(c->provenance.title);
    free(c->provenance.source);
    free(c->provenance.history);
    free(c->provenance.decisions);
    free(c->provenance.evidence);
    free(c->provenance.warnings);
    *c = (Clip){0};
}

Status clip_copy(const Clip *from, unsigned groups, Clip *out, Error *err)
{
    Status status = STATUS_OK;
    *out = (Clip){0};
    for (int id = GROUP_SKELETON; id < GROUP_RUN && !status; id++)
        if (schema_groups[id].bit & groups && schema_has_group(from, (SchemaGroupId)id)) {
            status = group_copy((SchemaGroupId)id, clip_group_struct(out, id), clip_group_struct(from, id), err);
            set_present(out, id, !status);
        }
    if (status)
        clip_free(out);
    return status;
}

void clip_keep_frames(Clip *clip, int first, int count)
{
    for (int i = 0; i < SCHEMA_DATASET_COUNT; i++) {
        const SchemaDataset *row = &schema_datasets[i];
        if (row->dim[0] != DIM_FRAME || row->flags & SCHEMA_COPY || !schema_has_dataset(clip, row))
            continue;
        char *array = schema_array(clip, row);
        size_t size = schema_row(clip, row) * schema_element_size(row->element);
        memmove(array, array + (size_t)first * size, (size_t)count * size);
    }
    for (int i = 0; i < SCHEMA_COUNT_COUNT; i++)
        if (schema_counts[i].dim == DIM_FRAME && schema_has_group(clip, schema_counts[i].group))
            *count_in(&schema_counts[i], clip_group_struct(clip, schema_counts[i].group)) = count;
    retarget_score_move_frames(&clip->retarget, first, 1, count);
}

void motion_make_continuous(Motion *m)
{
    size_t joints = (size_t)m->joint_count;
    for (size_t j = 0; j < joints && m->frame_count > 0; j++)
        m->rotation[j] = quat_nearest(m->rotation[j], QUAT_IDENTITY);
    LANE_TWIN(rotations_follow, lane_width_choose(LANES_AUTO))(m->rotation, joints, (size_t)m->frame_count * joints);
}
