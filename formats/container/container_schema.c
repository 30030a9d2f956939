#include "formats/container/container_schema.h"

#include <stdio.h>
#include <string.h>

_Static_assert(sizeof(Vec3) == 3 * sizeof(double) && sizeof(Quat) == 4 * sizeof(double) &&
                   sizeof(Sym3) == 6 * sizeof(double) && sizeof(int) == 4 && sizeof(Role) == sizeof(int),
               "arrays of a Clip are written as they lie in memory");

const SchemaDimension schema_dimensions[DIM_COUNT] = {
    [DIM_FRAME] = {"frame", {NULL}, NULL},
    [DIM_JOINT] = {"joint", {NULL}, "joint name"},
    [DIM_XYZ] = {"xyz", {"x", "y", "z"}, "vector component"},
    [DIM_WXYZ] = {"wxyz", {"w", "x", "y", "z"}, "quaternion component"},
    [DIM_END] = {"end", {NULL}, NULL},
    [DIM_INERTIA] = {"inertia_entry", {"Ixx", "Iyy", "Izz", "Ixy", "Ixz", "Iyz"}, "entry of the inertia matrix"},
    [DIM_POINT] = {"point", {NULL}, NULL},
    [DIM_FOOT] = {"foot", {"left", "right"}, "foot"},
    [DIM_STEP] = {"step", {NULL}, NULL},
};

/* A row of the tables below for each ControllerKind, with its name: a group, numbers and datasets for its run. */
#define RUNS(ROW) \
    ROW(CONTROLLER_PD, "pd") ROW(CONTROLLER_PD_FEEDFORWARD, "pd-feedforward") ROW(CONTROLLER_STABLE_PD, "stable-pd") \
    ROW(CONTROLLER_BUBBLE_UP, "bubble-up") ROW(CONTROLLER_KANE, "kane") \
    ROW(CONTROLLER_KANE_FEEDFORWARD, "kane-feedforward")
#define RUN_ROW(kind, name) ROW_OF_##kind,
enum { RUNS(RUN_ROW) RUN_COUNT };
_Static_assert((int)RUN_COUNT == (int)CONTROLLER_COUNT, "every ControllerKind has its group");

#define RUN_GROUP(kind, name) [GROUP_RUN + (kind)] = {"tracking/" name, offsetof(Clip, tracking.run[kind].present)},

const SchemaGroup schema_groups[GROUP_COUNT] = {
    [GROUP_ROOT] = {"/", SCHEMA_ALWAYS},
    [GROUP_SKELETON] = {"skeleton", SCHEMA_ALWAYS},
    [GROUP_MOTION] = {"motion", SCHEMA_ALWAYS},
    [GROUP_TRUST] = {"trust", offsetof(Clip, has_trust)},
    [GROUP_BODY] = {"body", offsetof(Clip, has_body)},
    [GROUP_KINEMATICS] = {"kinematics", offsetof(Clip, has_kinematics)},
    [GROUP_CONTACT] = {"contact", offsetof(Clip, has_contact)},
    [GROUP_DYNAMICS] = {"dynamics", offsetof(Clip, has_dynamics)},
    [GROUP_RETARGET] = {"retarget", offsetof(Clip, has_retarget)},
    [GROUP_TRACKING] = {"tracking", offsetof(Clip, has_tracking)},
    RUNS(RUN_GROUP)
};

#define RUN_NUMBER(kind, name, member) \
    {(SchemaGroupId)(GROUP_RUN + (kind)), name, ATTRIBUTE_NUMBER, offsetof(Clip, tracking.run[kind].member), 1}
#define RUN_NUMBERS(kind, name) \
    RUN_NUMBER(kind, "mean_orientation_error", mean_error), RUN_NUMBER(kind, "p95_orientation_error", p95_error), \
    RUN_NUMBER(kind, "final_orientation_error", final_error), \
    RUN_NUMBER(kind, "mean_position_error", mean_distance), RUN_NUMBER(kind, "stable_time", stable_time), \
    RUN_NUMBER(kind, "torque_effort", effort),

const SchemaAttribute schema_attributes[SCHEMA_ATTRIBUTE_COUNT] = {
    {GROUP_ROOT, "title", ATTRIBUTE_OWNED, offsetof(Clip, provenance.title), 0},
    {GROUP_ROOT, "source", ATTRIBUTE_OWNED, offsetof(Clip, provenance.source), 0},
    {GROUP_ROOT, "source_sha256", ATTRIBUTE_INLINE, offsetof(Clip, provenance.source_sha256), 65},
    {GROUP_ROOT, "frame_time", ATTRIBUTE_NUMBER, offsetof(Clip, provenance.frame_time), 1},
    {GROUP_ROOT, "metres_per_unit", ATTRIBUTE_NUMBER, offsetof(Clip, provenance.metres_per_unit), 1},
    {GROUP_ROOT, "up_axis", ATTRIBUTE_INLINE, offsetof(Clip, provenance.up_axis), 4},
    {GROUP_ROOT, "confidence", ATTRIBUTE_NUMBER, offsetof(Clip, provenance.confidence), DECISION_COUNT},
    {GROUP_ROOT, "history", ATTRIBUTE_OWNED, offsetof(Clip, provenance.history), 0},
    {GROUP_MOTION, "frame_time", ATTRIBUTE_NUMBER, offsetof(Clip, motion.frame_time), 1},
    {GROUP_BODY, "model", ATTRIBUTE_INLINE, offsetof(Clip, body.model), BODY_MODEL_SIZE},
    {GROUP_BODY, "total_mass", ATTRIBUTE_NUMBER, offsetof(Clip, body.total_mass), 1},
    {GROUP_BODY, "stature", ATTRIBUTE_NUMBER, offsetof(Clip, body.stature), 1},
    {GROUP_CONTACT, "ground_height", ATTRIBUTE_NUMBER, offsetof(Clip, contact.ground_height), 1},
    {GROUP_CONTACT, "linear_reduction", ATTRIBUTE_NUMBER, offsetof(Clip, contact.linear_reduction), 1},
    {GROUP_CONTACT, "angular_reduction", ATTRIBUTE_NUMBER, offsetof(Clip, contact.angular_reduction), 1},
    {GROUP_CONTACT, "ground_normal", ATTRIBUTE_NUMBER, offsetof(Clip, contact.ground_normal), 3},
    {GROUP_RETARGET, "scale", ATTRIBUTE_NUMBER, offsetof(Clip, retarget.scale), 1},
    {GROUP_RETARGET, "contact_kept", ATTRIBUTE_NUMBER, offsetof(Clip, retarget.contact_kept), 1},
    {GROUP_RETARGET, "slide_cm_s", ATTRIBUTE_NUMBER, offsetof(Clip, retarget.slide_cm_s), 1},
    {GROUP_RETARGET, "slide_cm", ATTRIBUTE_NUMBER, offsetof(Clip, retarget.slide_cm), 1},
    {GROUP_RETARGET, "slide_most_cm", ATTRIBUTE_NUMBER, offsetof(Clip, retarget.slide_most_cm), 1},
    {GROUP_RETARGET, "penetration_cm", ATTRIBUTE_NUMBER, offsetof(Clip, retarget.penetration_cm), 1},
    {GROUP_RETARGET, "direction_deg", ATTRIBUTE_NUMBER, offsetof(Clip, retarget.direction_deg), 1},
    {GROUP_RETARGET, "leg_direction_deg", ATTRIBUTE_NUMBER, offsetof(Clip, retarget.leg_direction_deg), 1},
    {GROUP_RETARGET, "hand_reach_cm", ATTRIBUTE_NUMBER, offsetof(Clip, retarget.hand_reach_cm), 1},
    {GROUP_RETARGET, "limits_hit", ATTRIBUTE_NUMBER, offsetof(Clip, retarget.limits_hit), 1},
    RUNS(RUN_NUMBERS)
};

#define AT(member) offsetof(Clip, member)
#define PER_FRAME {DIM_FRAME}
#define PER_FRAME_XYZ {DIM_FRAME, DIM_XYZ}
#define PER_JOINT {DIM_JOINT}
#define PER_JOINT_XYZ {DIM_JOINT, DIM_XYZ}
#define MOVING {DIM_FRAME, DIM_JOINT, DIM_XYZ}
#define TURNING {DIM_FRAME, DIM_JOINT, DIM_WXYZ}
#define FEET {DIM_FRAME, DIM_FOOT, DIM_XYZ}
#define POINTS {DIM_FRAME, DIM_POINT, DIM_XYZ}

#define STEPS {DIM_STEP, DIM_JOINT}
#define RUN(kind, member) AT(tracking.run[kind].member)
#define RUN_GROUP_ID(kind) ((SchemaGroupId)(GROUP_RUN + (kind)))
#define RUN_DATASETS(kind, name) \
    {RUN_GROUP_ID(kind), "orientation_error", ELEMENT_DOUBLE, STEPS, RUN(kind, orientation_error), 0, "rad", \
     "angle between simulated and wanted orientation of the segment"}, \
    {RUN_GROUP_ID(kind), "position_error", ELEMENT_DOUBLE, STEPS, RUN(kind, position_error), 0, "m", \
     "distance between simulated and wanted centre of mass of the segment"}, \
    {RUN_GROUP_ID(kind), "orientation", ELEMENT_DOUBLE, {DIM_STEP, DIM_JOINT, DIM_WXYZ}, RUN(kind, orientation), 0, \
     "1", "simulated orientation, unit quaternion, joint axes to world axes"}, \
    {RUN_GROUP_ID(kind), "torque", ELEMENT_DOUBLE, {DIM_STEP, DIM_JOINT, DIM_XYZ}, RUN(kind, torque), 0, "Nm", \
     "torque of the controller on the segment, world axes; root: from outside"},

const SchemaDataset schema_datasets[SCHEMA_DATASET_COUNT] = {
    {GROUP_ROOT, "time", ELEMENT_DOUBLE, PER_FRAME, AT(motion.time), SCHEMA_EXACT, "s", "time of the source"},
    {GROUP_ROOT, "joint", ELEMENT_NAME, PER_JOINT, AT(skeleton.name), 0, "1", "joint name"},

    {GROUP_SKELETON, "parent", ELEMENT_INT, PER_JOINT, AT(skeleton.parent), 0, "1",
     "index of the parent joint, root -1"},
    {GROUP_SKELETON, "offset", ELEMENT_DOUBLE, PER_JOINT_XYZ, AT(skeleton.offset), 0, "m",
     "joint centre at rest, parent axes; root: in the world"},
    {GROUP_SKELETON, "role", ELEMENT_ROLE, PER_JOINT, AT(skeleton.role), 0, "1", "anatomical role of the joint"},
    {GROUP_SKELETON, "segment", ELEMENT_ROLE, PER_JOINT, AT(skeleton.segment), 0, "1",
     "role of the segment the joint moves with"},
    {GROUP_SKELETON, "end_offset", ELEMENT_DOUBLE, {DIM_END, DIM_XYZ}, AT(skeleton.end_offset), 0, "m",
     "end site, axes of its joint"},
    {GROUP_SKELETON, "end_parent", ELEMENT_INT, {DIM_END}, AT(skeleton.end_parent), 0, "1", "joint of the end site"},
    {GROUP_SKELETON, "channels", ELEMENT_INT, PER_JOINT, AT(skeleton.channels), SCHEMA_OPTIONAL, "1",
     "channels of the joint in its BVH file, a digit each in its order: 1 2 3 X Y Z position, 4 5 6 X Y Z rotation"},

    {GROUP_MOTION, "root_position", ELEMENT_DOUBLE, PER_FRAME_XYZ, AT(motion.root_position), 0, "m",
     "centre of the root joint, world axes"},
    {GROUP_MOTION, "rotation", ELEMENT_DOUBLE, TURNING, AT(motion.rotation), 0, "1",
     "unit quaternion, joint axes to parent axes; root: to world axes"},
    {GROUP_MOTION, "translation", ELEMENT_DOUBLE, MOVING, AT(motion.translation), SCHEMA_OPTIONAL, "m",
     "joint centre in parent axes, in place of the offset"},

    {GROUP_TRUST, "reason", ELEMENT_BITS, PER_FRAME, AT(trust.reason), SCHEMA_REASONS, "1",
     "what speaks against the frame, 0: nothing"},
    {GROUP_TRUST, "joint_reason", ELEMENT_BITS, {DIM_FRAME, DIM_JOINT}, AT(trust.joint_reason),
     SCHEMA_OPTIONAL | SCHEMA_REASONS, "1", "what speaks against the joint alone, 0: nothing"},
    {GROUP_TRUST, "trusted", ELEMENT_BYTE, PER_FRAME, AT(trust.trusted), 0, "1", "1: nothing speaks against the frame"},

    {GROUP_BODY, "mass", ELEMENT_DOUBLE, PER_JOINT, AT(body.mass), 0, "kg", "mass of the segment"},
    {GROUP_BODY, "com", ELEMENT_DOUBLE, PER_JOINT_XYZ, AT(body.com), 0, "m",
     "centre of mass from the joint centre, joint axes"},
    {GROUP_BODY, "inertia", ELEMENT_DOUBLE, {DIM_JOINT, DIM_INERTIA}, AT(body.inertia), 0, "kg m2",
     "inertia about the centre of mass, joint axes, products as matrix entries"},

    {GROUP_KINEMATICS, "position", ELEMENT_DOUBLE, MOVING, AT(kinematics.position), 0, "m", "joint centre, world axes"},
    {GROUP_KINEMATICS, "orientation", ELEMENT_DOUBLE, TURNING, AT(kinematics.orientation), 0, "1",
     "unit quaternion, joint axes to world axes"},
    {GROUP_KINEMATICS, "angular_velocity", ELEMENT_DOUBLE, MOVING, AT(kinematics.angular_velocity), 0, "rad/s",
     "angular velocity of the segment, world axes"},
    {GROUP_KINEMATICS, "angular_acceleration", ELEMENT_DOUBLE, MOVING, AT(kinematics.angular_acceleration), 0, "rad/s2",
     "angular acceleration of the segment, world axes"},
    {GROUP_KINEMATICS, "velocity", ELEMENT_DOUBLE, MOVING, AT(kinematics.velocity), 0, "m/s",
     "velocity of the joint centre, world axes"},
    {GROUP_KINEMATICS, "acceleration", ELEMENT_DOUBLE, MOVING, AT(kinematics.acceleration), 0, "m/s2",
     "acceleration of the joint centre without gravity, world axes"},
    {GROUP_KINEMATICS, "com", ELEMENT_DOUBLE, PER_FRAME_XYZ, AT(kinematics.com), SCHEMA_OPTIONAL, "m",
     "centre of mass of the whole body, world axes"},
    {GROUP_KINEMATICS, "valid", ELEMENT_BYTE, PER_FRAME, AT(kinematics.valid), 0, "1",
     "1: derivatives can be trusted, 0: too near an edge"},

    {GROUP_CONTACT, "point_joint", ELEMENT_INT, {DIM_POINT}, AT(contact.point_joint), 0, "1",
     "joint that carries the point"},
    {GROUP_CONTACT, "point_position", ELEMENT_DOUBLE, {DIM_POINT, DIM_XYZ}, AT(contact.point_position), 0, "m",
     "contact point, axes of its joint"},
    {GROUP_CONTACT, "force", ELEMENT_DOUBLE, POINTS, AT(contact.force), 0, "N",
     "force on the body at the point, world axes"},
    {GROUP_CONTACT, "moment", ELEMENT_DOUBLE, POINTS, AT(contact.moment), SCHEMA_OPTIONAL, "Nm",
     "couple on the body about the point, world axes"},
    {GROUP_CONTACT, "state", ELEMENT_DOUBLE, {DIM_FRAME, DIM_POINT}, AT(contact.state), 0, "1",
     "0 free to 1 in contact"},
    {GROUP_CONTACT, "foot_force", ELEMENT_DOUBLE, FEET, AT(contact.foot_force), 0, "N",
     "ground reaction force, world axes"},
    {GROUP_CONTACT, "foot_cop", ELEMENT_DOUBLE, FEET, AT(contact.foot_cop), 0, "m", "centre of pressure, world axes"},
    {GROUP_CONTACT, "foot_free_moment", ELEMENT_DOUBLE, FEET, AT(contact.foot_free_moment), 0, "Nm",
     "free moment about the centre of pressure, world axes"},
    {GROUP_CONTACT, "confidence", ELEMENT_DOUBLE, PER_FRAME, AT(contact.confidence), 0, "1",
     "0 to 1: how far to trust the contact forces"},

    {GROUP_DYNAMICS, "torque", ELEMENT_DOUBLE, MOVING, AT(dynamics.torque), 0, "Nm",
     "net moment of the parent on the segment about the joint centre, world axes; root: residual"},
    {GROUP_DYNAMICS, "force", ELEMENT_DOUBLE, MOVING, AT(dynamics.force), 0, "N",
     "net force of the parent on the segment, world axes; root: residual"},
    {GROUP_DYNAMICS, "power", ELEMENT_DOUBLE, {DIM_FRAME, DIM_JOINT}, AT(dynamics.power), 0, "W",
     "joint power, positive generates; root: residual power"},
    {GROUP_DYNAMICS, "residual_force", ELEMENT_DOUBLE, PER_FRAME_XYZ, AT(dynamics.residual_force), 0, "N",
     "force the floating base would still need, world axes"},
    {GROUP_DYNAMICS, "residual_torque", ELEMENT_DOUBLE, PER_FRAME_XYZ, AT(dynamics.residual_torque), 0, "Nm",
     "moment about the root joint the floating base would still need, world axes"},

    {GROUP_TRACKING, "time", ELEMENT_DOUBLE, {DIM_STEP}, AT(tracking.time), SCHEMA_EXACT, "s",
     "time of the simulated step"},
    {GROUP_TRACKING, "carrier", ELEMENT_INT, PER_JOINT, AT(tracking.carrier), 0, "1",
     "index of the joint whose simulated segment the joint moves with"},
    RUNS(RUN_DATASETS)
};

int schema_find(SchemaGroupId group, const char *name)
{
    for (int i = 0; i < SCHEMA_DATASET_COUNT; i++)
        if (schema_datasets[i].group == group && strcmp(schema_datasets[i].name, name) == 0)
            return i;
    return -1;
}

size_t schema_dim_size(const Clip *clip, SchemaDim dim)
{
    switch (dim) {
    case DIM_FRAME: return (size_t)clip->motion.frame_count;
    case DIM_JOINT: return (size_t)clip->skeleton.joint_count;
    case DIM_END: return (size_t)clip->skeleton.end_count;
    case DIM_STEP: return clip->has_tracking ? (size_t)clip->tracking.frame_count : 0;
    case DIM_POINT: return clip->has_contact ? (size_t)clip->contact.point_count : 0;
    default: break;
    }
    size_t count = 0;
    while (count < 6 && schema_dimensions[dim].label[count])
        count++;
    return count;
}

int schema_rank(const SchemaDataset *dataset)
{
    int rank = 1;
    while (rank < SCHEMA_MAX_RANK && dataset->dim[rank] != DIM_NONE)
        rank++;
    return rank;
}

int schema_has_group(const Clip *clip, SchemaGroupId group)
{
    size_t present = schema_groups[group].present;
    int flag = 1;
    if (present != SCHEMA_ALWAYS)
        memcpy(&flag, (const char *)clip + present, sizeof flag);
    return flag != 0;
}

int schema_has_dataset(const Clip *clip, const SchemaDataset *dataset)
{
    if (!schema_has_group(clip, dataset->group))
        return 0;
    for (int i = 0; i < schema_rank(dataset); i++)
        if (schema_dim_size(clip, dataset->dim[i]) == 0)
            return 0;
    return !(dataset->flags & SCHEMA_OPTIONAL) || schema_array(clip, dataset);
}

void *schema_array(const Clip *clip, const SchemaDataset *dataset)
{
    void *array;
    memcpy(&array, (const char *)clip + dataset->member, sizeof array);
    return array;
}

size_t schema_element_size(SchemaElement element)
{
    static const size_t size[] = {
        [ELEMENT_DOUBLE] = sizeof(double), [ELEMENT_INT] = sizeof(int),   [ELEMENT_BYTE] = 1,
        [ELEMENT_BITS] = sizeof(uint32_t),
        [ELEMENT_NAME] = sizeof(char *),   [ELEMENT_ROLE] = sizeof(Role),
    };
    return size[element];
}

void schema_path(const SchemaDataset *dataset, char *text, size_t size)
{
    const char *group = schema_groups[dataset->group].name;
    snprintf(text, size, "%s%s/%s", *group == '/' ? "" : "/", *group == '/' ? "" : group, dataset->name);
}
