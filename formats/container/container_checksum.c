/* See container_checksum.h. */
#include "analysis/math/passes.h"
#include "formats/container/container_checksum.h"

#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <xxhash.h>

#include "analysis/clip/clip_schema.h"
#include "formats/bvh/bvh.h"

enum { BLOCK_VALUES = 1024 }; /* stay in the first cache between two passes */

/* Whether an array must have no gaps. */
static int is_complete(const SchemaDataset *schema)
{
    return schema->element == ELEMENT_DOUBLE && !(schema->flags & (SCHEMA_GAPS | SCHEMA_COPY));
}

/* Adds the numbers of a dataset, rounded to 32 bits on request. Returns 1 unless they must be finite and are not. */
static int add_doubles(XXH64_state_t *sum, const SchemaDataset *schema, const double *value, size_t count, int narrow)
{
    double kept[BLOCK_VALUES];
    int finite = 1;
    for (size_t i = 0; i < count; i += BLOCK_VALUES) {
        size_t block = count - i < BLOCK_VALUES ? count - i : BLOCK_VALUES;
        for (size_t k = 0; narrow && k < block; k++)
            kept[k] = (float)value[i + k];
        finite &= !is_complete(schema) || values_finite(value + i, block);
        XXH64_update(sum, narrow ? kept : value + i, block * sizeof *kept);
    }
    return finite;
}

static void add_text(XXH64_state_t *sum, const char *text)
{
    XXH64_update(sum, text ? text : "", text ? strlen(text) + 1 : 1);
}

/* *finite becomes 0 if a number that must be finite is not. */
static uint64_t sum_dataset(XXH64_state_t *sum, const Clip *clip, const SchemaDataset *schema, int float32, int *finite)
{
    size_t count = schema_count(clip, schema);
    const void *array = schema_array(clip, schema);
    int as_text = schema_is_text(schema->element) && schema->element != ELEMENT_COORDINATE;
    XXH64_reset(sum, 0);
    for (size_t i = 0; i < count && as_text; i++)
        add_text(sum, schema_label(clip, schema, i));
    if (schema->element == ELEMENT_DOUBLE)
        *finite &= add_doubles(sum, schema, array, count, float32 && schema_is_trajectory(schema));
    else if (!as_text)
        XXH64_update(sum, array, count * schema_element_size(schema->element));
    return XXH64_digest(sum);
}

static int is_empty(const SchemaAttribute *schema, const char *member)
{
    for (size_t i = 0; schema->kind == ATTRIBUTE_NUMBER && i < schema->size; i++)
        if (((const double *)member)[i] != 0 && !isnan(((const double *)member)[i]))
            return 0;
    return schema->kind == ATTRIBUTE_NUMBER || !member || !*member;
}

/* Adds an attribute unless it is empty, because a later version may have attributes that a file lacks. by_old: with the
 * name of earlier versions. */
static void add_attribute(XXH64_state_t *sum, const Clip *clip, const SchemaAttribute *schema, int by_old)
{
    const char *member = (const char *)clip + schema->member;
    const char *old = by_old ? schema_old_name(schema->name) : NULL;
    if (schema->kind == ATTRIBUTE_OWNED)
        member = *(const char *const *)(const void *)member;
    if (is_empty(schema, member))
        return;
    add_text(sum, schema_groups[schema->group].name);
    add_text(sum, old ? old : schema->name);
    if (schema->kind == ATTRIBUTE_NUMBER)
        XXH64_update(sum, member, schema->size * sizeof(double));
    else
        add_text(sum, member);
}

static uint64_t sum_attributes(XXH64_state_t *sum, const Clip *clip, int by_old)
{
    XXH64_reset(sum, 0);
    for (int i = 0; i < SCHEMA_ATTRIBUTE_COUNT; i++)
        if (schema_has_group(clip, schema_attributes[i].group))
            add_attribute(sum, clip, &schema_attributes[i], by_old);
    return XXH64_digest(sum);
}

/* Returns the first dataset with a number that must be finite and is not; NULL: none. */
static const SchemaDataset *print_sums(FILE *stream, XXH64_state_t *sum, const Clip *clip, const ContainerDef *def)
{
    const SchemaDataset *bad = NULL;
    char path[64];
    for (int i = 0; i < SCHEMA_DATASET_COUNT; i++) {
        const SchemaDataset *dataset = &schema_datasets[i];
        int finite = 1;
        if (!schema_has_dataset(clip, dataset))
            continue;
        schema_path(dataset, path, sizeof path);
        fprintf(stream, "%s %016" PRIx64 "\n", path, sum_dataset(sum, clip, dataset, def->float32, &finite));
        bad = bad || finite ? bad : dataset;
    }
    fprintf(stream, "attributes %016" PRIx64, sum_attributes(sum, clip, 0));
    return bad;
}

static Status check_attribute(const Clip *clip, const SchemaAttribute *attribute, Error *err)
{
    const double *value = (const double *)((const char *)clip + attribute->member);
    if (attribute->kind != ATTRIBUTE_NUMBER || schema_number_is_valid(attribute, value))
        return STATUS_OK;
    return error_set(err, STATUS_BAD_INPUT, "attribute %s of %s: not finite", attribute->name,
                     schema_groups[attribute->group].name);
}

static Status check_attributes(const Clip *clip, unsigned groups, Error *err)
{
    Status status = STATUS_OK;
    for (int i = 0; i < SCHEMA_ATTRIBUTE_COUNT && !status; i++)
        if (schema_groups[schema_attributes[i].group].bit & groups &&
            schema_has_group(clip, schema_attributes[i].group))
            status = check_attribute(clip, &schema_attributes[i], err);
    return status;
}

Status container_checksums(const Clip *clip, const ContainerDef *def, char **text, Error *err)
{
    size_t size;
    *text = NULL;
    XXH64_state_t *sum = XXH64_createState();
    FILE *stream = sum ? open_memstream(text, &size) : NULL;
    const SchemaDataset *bad = stream ? print_sums(stream, sum, clip, def) : NULL;
    XXH64_freeState(sum);
    if (!stream || fclose(stream))
        return error_no_memory(err);
    return bad ? container_not_finite(clip, bad, 0, err) : check_attributes(clip, ~0U, err);
}

/* Finds the checksum of a name in the lines; returns 0 if there is none, or name is NULL. */
static int find_line(const char *text, const char *name, uint64_t *wanted)
{
    size_t length = name ? strlen(name) : 0;
    for (const char *line = name ? text : NULL; line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL)
        if (strncmp(line, name, length) == 0 && line[length] == ' ') {
            *wanted = strtoull(line + length + 1, NULL, 16);
            return 1;
        }
    return 0;
}

static Status differs(const char *name, Error *err)
{
    return error_set(err, STATUS_BAD_INPUT, "%s: the checksum differs: the file was damaged or changed", name);
}

static Status check_sums(XXH64_state_t *sum, const Clip *clip, const char *text, ContainerFindings *findings,
                         Error *err)
{
    Status status;
    uint64_t wanted;
    char path[64], old[64];
    int finite = 1; /* the decoder has checked it */
    for (int i = 0; i < SCHEMA_DATASET_COUNT; i++) {
        const SchemaDataset *dataset = &schema_datasets[i];
        int has_old = schema_old_path(dataset, old, sizeof old);
        schema_path(dataset, path, sizeof path);
        if (schema_has_dataset(clip, dataset) &&
            (find_line(text, path, &wanted) || find_line(text, has_old ? old : NULL, &wanted)) &&
            sum_dataset(sum, clip, dataset, 0, &finite) != wanted &&
            (status = container_note(findings, differs(path, err), err)))
            return status;
    }
    return STATUS_OK;
}

Status container_checksums_check(const Clip *clip, const char *text, int with_attributes, ContainerFindings *findings,
                                 Error *err)
{
    Error own = {0}, *cause = err ? err : &own;
    XXH64_state_t *sum = XXH64_createState();
    uint64_t wanted;
    Status status = sum ? check_sums(sum, clip, text, findings, cause) : error_no_memory(err);
    if (!status && with_attributes && find_line(text, "attributes", &wanted) &&
        sum_attributes(sum, clip, 0) != wanted && sum_attributes(sum, clip, 1) != wanted)
        status = container_note(findings, differs("attributes", cause), cause);
    XXH64_freeState(sum);
    return status;
}

/* Rules for clips, on which all other code relies. */

Status container_not_finite(const Clip *clip, const SchemaDataset *dataset, size_t from, Error *err)
{
    const double *value = schema_array(clip, dataset);
    const SchemaDimension *along = &schema_dimensions[dataset->dim[0]];
    char path[64], joint[96] = "";
    size_t row = schema_row(clip, dataset), joints = (size_t)clip->skeleton.joint_count;
    while (values_finite(value + from, 1))
        from++;
    if (dataset->dim[1] == DIM_JOINT)
        snprintf(joint, sizeof joint, ", joint \"%.60s\"", clip->skeleton.name[from % row / (row / joints)]);
    schema_path(dataset, path, sizeof path);
    return error_set(err, STATUS_BAD_INPUT, "%s: value not finite at %s %zu%s", path,
                     along->index_name ? along->index_name : along->name, from / row, joint);
}

static Status check_array(const Clip *clip, const SchemaDataset *dataset, Error *err)
{
    if (!is_complete(dataset) || !schema_has_dataset(clip, dataset))
        return STATUS_OK;
    return values_finite(schema_array(clip, dataset), schema_count(clip, dataset))
               ? STATUS_OK : container_not_finite(clip, dataset, 0, err);
}

Status container_check_values(const Clip *clip, unsigned groups, Error *err)
{
    Status status = STATUS_OK;
    for (int i = 0; i < SCHEMA_DATASET_COUNT && !status; i++)
        if (schema_groups[schema_datasets[i].group].bit & groups)
            status = check_array(clip, &schema_datasets[i], err);
    return status ? status : check_attributes(clip, groups, err);
}

/* Checks names, which are words in lines of BVH files, maps and tables: no control characters, which the BVH reader
 * replaces by "_". */
static Status check_names(const Clip *clip, Error *err)
{
    for (int j = 0; j < clip->skeleton.joint_count; j++)
        for (const char *at = clip->skeleton.name[j]; at && *at; at++)
            if ((unsigned char)*at < ' ' || *at == 0x7F)
                return error_set(err, STATUS_BAD_INPUT,
                                 "/joint: name of joint %d: control character 0x%02x", j, *at);
    for (int i = 0; clip->has_dof && i < clip->dof.count; i++)
        for (const char *at = clip->dof.name[i]; at && *at; at++)
            if ((unsigned char)*at < ' ' || *at == 0x7F)
                return error_set(err, STATUS_BAD_INPUT,
                                 "/dof/dof: the name in row %d holds the control character 0x%02x", i, *at);
    return STATUS_OK;
}

static Status check_indices(const Clip *clip, Error *err)
{
    const Skeleton *skeleton = &clip->skeleton;
    int joints = skeleton->joint_count;
    for (int j = 0; j < joints; j++)
        if (j == 0 ? skeleton->parent[0] != -1 : skeleton->parent[j] < 0 || skeleton->parent[j] >= j)
            return error_set(err, STATUS_BAD_INPUT, "/skeleton/parent: joint %d has parent %d", j, skeleton->parent[j]);
    for (int i = 0; i < skeleton->end_count; i++)
        if (skeleton->end_parent[i] < 0 || skeleton->end_parent[i] >= joints)
            return error_set(err, STATUS_BAD_INPUT, "/skeleton/end_parent: end site %d has joint %d", i,
                             skeleton->end_parent[i]);
    for (int j = 0; skeleton->channels && j < joints; j++)
        if (bvh_channels_unpack(skeleton->channels[j], (BvhChannel[BVH_MAX_CHANNELS]){0}) < 0)
            return error_set(err, STATUS_BAD_INPUT, "/skeleton/channels: joint %d has %d", j, skeleton->channels[j]);
    for (int i = 0; i < clip->contact.point_count; i++)
        if (clip->contact.point_joint[i] < 0 || clip->contact.point_joint[i] >= joints)
            return error_set(err, STATUS_BAD_INPUT, "/contact/point_joint: point %d has joint %d", i,
                             clip->contact.point_joint[i]);
    for (int j = 0; clip->has_tracking && j < joints; j++)
        if (clip->tracking.carrier[j] < 0 || clip->tracking.carrier[j] >= joints)
            return error_set(err, STATUS_BAD_INPUT, "/tracking/carrier: joint %d moves with joint %d", j,
                             clip->tracking.carrier[j]);
    return STATUS_OK;
}

static Status check_anatomy(const Clip *clip, Error *err)
{
    const Anatomy *a = &clip->anatomy;
    if (a->coordinate_count % COORDINATES_PER_JOINT)
        return error_set(err, STATUS_BAD_INPUT, "/coordinate: %d are not three a joint", a->coordinate_count);
    for (int i = 0; i < a->coordinate_count; i++) {
        if ((int)a->coordinate[i] % COORDINATES_PER_JOINT != i % COORDINATES_PER_JOINT ||
            (i > 0 && a->coordinate[i] <= a->coordinate[i - 1]))
            return error_set(err, STATUS_BAD_INPUT, "/coordinate: place %d has %s", i,
                             coordinate_name(a->coordinate[i]));
        if (a->joint[i] < 0 || a->joint[i] >= clip->skeleton.joint_count)
            return error_set(err, STATUS_BAD_INPUT, "/anatomy/joint_index: %s has joint %d",
                             coordinate_name(a->coordinate[i]), a->joint[i]);
    }
    return STATUS_OK;
}

/* Checks that frames are evenly spaced, with a tolerance of half a frame for times stored in 32 bits. */
static Status check_time(const Clip *clip, Error *err)
{
    const Motion *motion = &clip->motion;
    if (!(motion->frame_time > 0))
        return error_set(err, STATUS_BAD_INPUT, "attribute frame_time of motion is not positive");
    for (int f = 1; f < motion->frame_count; f++) {
        if (!(motion->time[f] > motion->time[f - 1]))
            return error_set(err, STATUS_BAD_INPUT, "/time does not increase at frame %d", f);
        if (fabs(motion->time[f] - motion->time[0] - f * motion->frame_time) > 0.5 * motion->frame_time)
            return error_set(err, STATUS_BAD_INPUT, "/time at frame %d does not agree with frame_time %g s", f,
                             motion->frame_time);
    }
    return STATUS_OK;
}

/* Checks the detections of the source; 0 and "" if unknown. */
static Status check_provenance(const Clip *clip, Error *err)
{
    const Provenance *p = &clip->provenance;
    static const char *const axes[] = {"", "X", "Y", "Z", "-X", "-Y", "-Z"};
    if (p->frame_time < 0)
        return error_set(err, STATUS_BAD_INPUT, "attribute frame_time is negative: %g s", p->frame_time);
    if (p->meters_per_unit < 0)
        return error_set(err, STATUS_BAD_INPUT, "attribute meters_per_unit is negative: %g m", p->meters_per_unit);
    for (int i = 0; i < DECISION_COUNT; i++) {
        double confidence = ((const double *)&p->confidence)[i];
        if (!(confidence >= 0 && confidence <= 1))
            return error_set(err, STATUS_BAD_INPUT, "attribute confidence is not a probability: %g", confidence);
    }
    for (size_t i = 0; i < sizeof axes / sizeof *axes; i++)
        if (strcmp(p->up_axis, axes[i]) == 0)
            return STATUS_OK;
    return error_set(err, STATUS_BAD_INPUT, "attribute up_axis is not an axis: \"%s\"", p->up_axis);
}

/* Checks that quaternions have unit length, to 32-bit precision. */
static Status check_rotations(const Clip *clip, const char *dataset, const Quat *rotation, Error *err)
{
    int frames = clip->motion.frame_count, joints = clip->skeleton.joint_count;
    SquareBounds bounds = rotations_bounds(rotation, (size_t)frames * (size_t)joints);
    if (bounds.min - 1 >= -1e-5 && bounds.max - 1 <= 1e-5)
        return STATUS_OK;
    for (int f = 0; f < frames; f++)
        for (int j = 0; j < joints; j++) {
            Quat q = rotation[(size_t)f * (size_t)joints + (size_t)j];
            if (!(fabs(quat_dot(q, q) - 1) <= 1e-5))
                return error_set(err, STATUS_BAD_INPUT, "%s: joint %d at frame %d (\"%.60s\") is not a unit quaternion",
                                 dataset, j, f, clip->skeleton.name[j]);
        }
    return STATUS_OK;
}

static Status check_body(const Clip *clip, Error *err)
{
    const Body *body = &clip->body;
    if (!clip->has_body)
        return STATUS_OK;
    if (body->total_mass < 0 || body->stature < 0)
        return error_set(err, STATUS_BAD_INPUT, "/body: total mass %g kg and stature %g m", body->total_mass,
                         body->stature);
    for (int j = 0; j < body->joint_count; j++) {
        Sym3 i = body->inertia[j];
        if (body->mass[j] < 0)
            return error_set(err, STATUS_BAD_INPUT, "/body/mass: joint %d has %g kg", j, body->mass[j]);
        if (i.xx < 0 || i.yy < 0 || i.zz < 0)
            return error_set(err, STATUS_BAD_INPUT, "/body/inertia: joint %d has a negative moment of inertia", j);
    }
    return STATUS_OK;
}

static Status check_dofs(const Clip *clip, Error *err)
{
    return clip->has_dof ? dofs_check(&clip->dof, clip->skeleton.joint_count, err) : STATUS_OK;
}

static Status check_shapes(const Clip *clip, Error *err)
{
    int particles = clip->has_particles ? clip->particles.particle_count : -1;
    return clip->has_shapes ? shapes_check(&clip->shapes, clip->skeleton.joint_count, particles, err) : STATUS_OK;
}

static Status check_motion(const Clip *clip, Error *err)
{
    return check_rotations(clip, "/motion/rotation", clip->motion.rotation, err);
}

static Status check_kinematics(const Clip *clip, Error *err)
{
    return clip->has_kinematics
               ? check_rotations(clip, "/kinematics/orientation", clip->kinematics.orientation, err)
               : STATUS_OK;
}

Status container_note(ContainerFindings *findings, Status status, const Error *err)
{
    enum { ROOM = sizeof findings->found / sizeof *findings->found };
    if (!findings || status != STATUS_BAD_INPUT)
        return status;
    if (findings->count < ROOM)
        findings->found[findings->count++] = *err;
    return STATUS_OK;
}

Status container_check(const Clip *clip, ContainerFindings *findings, Error *err)
{
    static Status (*const rules[])(const Clip *, Error *) = {
        check_names, check_indices, check_dofs, check_shapes, check_anatomy, check_time, check_provenance, check_motion,
        check_kinematics, check_body,
    };
    Error own = {0}, *cause = err ? err : &own;
    Status status = STATUS_OK;
    for (size_t i = 0; i < sizeof rules / sizeof *rules && !status; i++)
        status = container_note(findings, rules[i](clip, cause), cause);
    return status;
}
