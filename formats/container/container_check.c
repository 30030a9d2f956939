/* See container_check.h. */
#include "formats/container/container_check.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/math/passes.h"
#include "formats/bvh/bvh.h"

int container_is_complete(const SchemaDataset *dataset)
{
    return dataset->element == ELEMENT_DOUBLE && !(dataset->flags & (SCHEMA_GAPS | SCHEMA_COPY));
}

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
    if (!container_is_complete(dataset) || !schema_has_dataset(clip, dataset))
        return STATUS_OK;
    return values_finite(schema_array(clip, dataset), schema_count(clip, dataset))
               ? STATUS_OK : container_not_finite(clip, dataset, 0, err);
}

static Status check_attribute(const Clip *clip, const SchemaAttribute *attribute, Error *err)
{
    const double *value = (const double *)((const char *)clip + attribute->member);
    if (attribute->kind != ATTRIBUTE_NUMBER || schema_number_is_valid(attribute, value))
        return STATUS_OK;
    return error_set(err, STATUS_BAD_INPUT, "attribute %s of %s: not finite", attribute->name,
                     schema_groups[attribute->group].name);
}

Status container_check_attributes(const Clip *clip, unsigned groups, Error *err)
{
    Status status = STATUS_OK;
    for (int i = 0; i < SCHEMA_ATTRIBUTE_COUNT && !status; i++)
        if (schema_groups[schema_attributes[i].group].bit & groups &&
            schema_has_group(clip, schema_attributes[i].group))
            status = check_attribute(clip, &schema_attributes[i], err);
    return status;
}

Status container_check_values(const Clip *clip, unsigned groups, Error *err)
{
    Status status = STATUS_OK;
    for (int i = 0; i < SCHEMA_DATASET_COUNT && !status; i++)
        if (schema_groups[schema_datasets[i].group].bit & groups)
            status = check_array(clip, &schema_datasets[i], err);
    return status ? status : container_check_attributes(clip, groups, err);
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

static Status check_angles(const Clip *clip, Error *err)
{
    const JointAngles *a = &clip->angles;
    if (a->coordinate_count % COORDINATES_PER_JOINT)
        return error_set(err, STATUS_BAD_INPUT, "/coordinate: %d are not three a joint", a->coordinate_count);
    for (int i = 0; i < a->coordinate_count; i++) {
        if ((int)a->coordinate[i] % COORDINATES_PER_JOINT != i % COORDINATES_PER_JOINT ||
            (i > 0 && a->coordinate[i] <= a->coordinate[i - 1]))
            return error_set(err, STATUS_BAD_INPUT, "/coordinate: place %d has %s", i,
                             coordinate_name(a->coordinate[i]));
        if (a->joint[i] < 0 || a->joint[i] >= clip->skeleton.joint_count)
            return error_set(err, STATUS_BAD_INPUT, "/angles/joint_index: %s has joint %d",
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
        check_names, check_indices, check_dofs, check_shapes, check_angles, check_time, check_provenance, check_motion,
        check_kinematics, check_body,
    };
    Error own = {0}, *cause = err ? err : &own;
    Status status = STATUS_OK;
    for (size_t i = 0; i < sizeof rules / sizeof *rules && !status; i++)
        status = container_note(findings, rules[i](clip, cause), cause);
    return status;
}
