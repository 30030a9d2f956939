/* See clip_schema.h. */
#include "analysis/clip/clip_schema.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

_Static_assert(sizeof(Vec3) == 3 * sizeof(double) && sizeof(Quat) == 4 * sizeof(double) &&
                   sizeof(Sym3) == 6 * sizeof(double) && sizeof(int) == 4 && sizeof(Role) == sizeof(int) &&
                   sizeof(Coordinate) == sizeof(int) && sizeof(DofKind) == sizeof(int) &&
                   sizeof(ShapeKind) == sizeof(int),
               "arrays of a Clip are written as they lie in memory");

const SchemaDimension schema_dimensions[DIM_COUNT] = {
    [DIM_FRAME] = {.name = "time", .index_name = "frame"},
    [DIM_JOINT] = {.name = "joint", .long_name = "joint name"},
    [DIM_XYZ] = {.name = "xyz", .label = {"x", "y", "z"}, .long_name = "vector component"},
    [DIM_WXYZ] = {.name = "wxyz", .label = {"w", "x", "y", "z"}, .long_name = "quaternion component"},
    [DIM_END] = {.name = "end", .may_be_empty = 1},
    [DIM_INERTIA] = {.name = "inertia_entry", .label = {"Ixx", "Iyy", "Izz", "Ixy", "Ixz", "Iyz"},
                     .long_name = "entry of the inertia matrix"},
    [DIM_POINT] = {.name = "point", .may_be_empty = 1},
    [DIM_FOOT] = {.name = "foot", .label = {"left", "right"}, .long_name = "foot"},
    [DIM_STEP] = {.name = "step"},
    [DIM_COORDINATE] = {.name = "coordinate", .long_name = "anatomical coordinate", .may_be_empty = 1},
    [DIM_PARTICLE] = {.name = "particle"},
    [DIM_CONSTRAINT] = {.name = "constraint", .may_be_empty = 1},
    [DIM_ACTUATOR] = {.name = "actuator", .may_be_empty = 1},
    [DIM_DOF] = {.name = "dof", .long_name = "name of the degree of freedom", .may_be_empty = 1},
    [DIM_BOUND] = {.name = "bound", .label = {"min", "max"}, .long_name = "bound"},
    [DIM_TERM] = {.name = "term", .label = {"0", "1", "2", "3", "4"}, .long_name = "power in a polynomial"},
    [DIM_SHAPE] = {.name = "shape"},
    [DIM_SHAPE_POINT] = {.name = "shape_point", .may_be_empty = 1},
    [DIM_SHAPE_FACE] = {.name = "shape_face", .may_be_empty = 1},
    [DIM_RGBA] = {.name = "rgba", .label = {"red", "green", "blue", "opacity"}, .long_name = "part of a colour"},
    [DIM_CORNER] = {.name = "corner", .label = {"first", "second", "third"}, .long_name = "corner of a triangle"},
    [DIM_MARKER] = {.name = "marker", .long_name = "marker name"},
    [DIM_PAIR] = {.name = "pair", .label = {"xy", "xz", "yz"}, .long_name = "pair of vector components"},
};

#define AT(member) offsetof(Clip, member)
#define OF(member) offsetof(Clip, member), sizeof(((Clip *)NULL)->member)
/* Unit and content of each metric of RETARGET_METRICS. */
#define RETARGET_TEXT_scale "1", "leg length of the target over that of the source"
#define RETARGET_TEXT_source_rest_frame "frame", "of the pose in which the source's body is compared; -1: the zero pose"
#define RETARGET_TEXT_target_rest_frame "frame", "the same of the target"
#define RETARGET_TEXT_rest_asymmetry_deg "degrees", \
    "largest difference between a limb's bone and the mirrored other side, in either pose"
#define RETARGET_TEXT_contact_kept "1", \
    "fraction of the source's contact frames in which the target's sole is as high as the source's, scaled, within " \
    "2 cm"
#define RETARGET_TEXT_slide_increase_cm_s "cm/s", \
    "increase of the mean speed along the ground of the slowest of heel, ball and toe tip in contact"
#define RETARGET_TEXT_penetration_increase_cm "cm", \
    "increase of the depth of the deepest point of a sole below the ground"
#define RETARGET_TEXT_bone_direction_deg "degrees", "mean angle of bones to the source's, without legs and clavicles"
#define RETARGET_TEXT_leg_direction_deg "degrees", "the same in the legs"
#define RETARGET_TEXT_knee_acceleration "1", \
    "99th percentile of the acceleration of a knee angle after a zero-lag filter of 12 Hz, over the source's; the " \
    "worse knee"
#define RETARGET_TEXT_hip_jerk "1", "the same of the third derivative of the height of the hips' midpoint, scaled"
#define RETARGET_TEXT_hip_drop_cm "cm", \
    "largest drop of the hips below the source's, scaled, relative to its median over all frames"
#define RETARGET_TEXT_hand_reach_cm "cm", "mean distance of the wrists from the targets of `--hands`"
#define RETARGET_TEXT_wrist_depth_increase_cm "cm", "increase of the depth of the deepest wrist below the ground"
#define RETARGET_TEXT_overlap_increase_cm "cm", \
    "largest increase of a forearm's penetration into trunk, head, legs or the other forearm, as capsules"
#define RETARGET_TEXT_mirror_cm "cm", \
    "largest distance of a joint between the result and that of the mirrored clip, mirrored back; `--score all` " \
    "only"
#define RETARGET_TEXT_residual_before_bw "body weights", \
    "RMS residual force of the source over its trusted frames, by `kane run` with defaults; `--score all` only"
#define RETARGET_TEXT_residual_after_bw "body weights", \
    "the same of the result, over the same frames; `--score all` only"
#define RETARGET_TEXT_limits_hit "1", "joint-frames at a joint limit"
#define RETARGET_TEXT_facing_pelvis_deg "degrees", \
    "mean angle between the line of the hips that the pelvis carries and the source's"
#define RETARGET_TEXT_facing_chest_deg "degrees", "the same of the line of the shoulders and the chest"
#define RETARGET_TEXT_facing_head_deg "degrees", "the same of the left of the head"
#define RETARGET_TEXT_facing_thigh_deg "degrees", "the same of the front of a thigh; the worse side"
#define RETARGET_TEXT_facing_forearm_deg "degrees", "the same of a forearm, which is in front where the arm hangs"
#define RETARGET_TEXT_facing_hand_deg "degrees", "the same of a hand"
#define RETARGET_TEXT_sink_increase_cm "cm", \
    "largest increase of the depth below the floor of the deepest joint or end of a foot in a frame"
#define RETARGET_TEXT_girdle_width_change "1", \
    "98th percentile of the change of the shoulders' distance, over that at rest, against the source's"
#define RETARGET_TEXT_hands_apart_cm "cm", \
    "mean difference between the distance of the wrists and that of the source, scaled by the length of the arms, " \
    "while the source's wrists are closer than its shoulders"
#define RETARGET_TEXT_root_height_cm "cm", \
    "largest difference of the root's height from the source's hips, scaled, relative to its median; of a root on " \
    "the floor, from its own height in frame 0 of the target"
#define RETARGET_TEXT_root_path_cm "cm", \
    "largest difference of the root's path along the ground from that of the source's hips, scaled; of a root that " \
    "stays, from its first position"
#define RETARGET_ATTRIBUTE(name) \
    {GROUP_RETARGET, #name, ATTRIBUTE_NUMBER, AT(retarget.name), 1, RETARGET_TEXT_##name},
#define RUN_GROUP(kind, name) \
    [GROUP_RUN + CONTROLLER_##kind] = {"tracking/" name, AT(tracking.run[CONTROLLER_##kind].present), OF(tracking), \
                                       CLIP_TRACKING, 0},

/* Sources of a group that is computed from all groups before it; /retarget is a record and no source. */
#define BEFORE(group) (((group) - 1) & ~CLIP_RETARGET)

/* Root and trust belong to the motion, degrees of freedom to the skeleton. */
const SchemaGroup schema_groups[GROUP_COUNT] = {
    [GROUP_ROOT] = {"/", SCHEMA_ALWAYS, 0, 0, CLIP_MOTION, 0},
    [GROUP_SKELETON] = {"skeleton", SCHEMA_ALWAYS, OF(skeleton), CLIP_SKELETON, 0},
    [GROUP_DOF] = {"dof", AT(has_dof), OF(dof), CLIP_SKELETON, 0},
    [GROUP_MOTION] = {"motion", SCHEMA_ALWAYS, OF(motion), CLIP_MOTION, 0},
    [GROUP_TRUST] = {"trust", AT(has_trust), OF(trust), CLIP_MOTION, 0},
    [GROUP_BODY] = {"body", AT(has_body), OF(body), CLIP_BODY, CLIP_SKELETON},
    [GROUP_KINEMATICS] = {"kinematics", AT(has_kinematics), OF(kinematics), CLIP_KINEMATICS, BEFORE(CLIP_KINEMATICS)},
    [GROUP_CONTACT] = {"contact", AT(has_contact), OF(contact), CLIP_CONTACT, BEFORE(CLIP_CONTACT)},
    [GROUP_DYNAMICS] = {"dynamics", AT(has_dynamics), OF(dynamics), CLIP_DYNAMICS, BEFORE(CLIP_DYNAMICS)},
    [GROUP_ANGLES] = {"angles", AT(has_angles), OF(angles), CLIP_ANGLES, BEFORE(CLIP_TRACKING)},
    [GROUP_RETARGET] = {"retarget", AT(has_retarget), OF(retarget), CLIP_RETARGET, 0},
    [GROUP_SIMULATION] = {"simulation", AT(has_simulation), OF(simulation), CLIP_SIMULATION, CLIP_ALWAYS},
    [GROUP_PARTICLES] = {"particles", AT(has_particles), OF(particles), CLIP_PARTICLES, CLIP_ALWAYS},
    [GROUP_SHAPES] = {"shapes", AT(has_shapes), OF(shapes), CLIP_SHAPES, CLIP_SKELETON},
    [GROUP_MARKERS] = {"markers", AT(has_markers), OF(markers), CLIP_MARKERS, BEFORE(CLIP_DYNAMICS)},
    [GROUP_TRACKING] = {"tracking", AT(has_tracking), OF(tracking), CLIP_TRACKING, BEFORE(CLIP_TRACKING)},
    CONTROLLERS(RUN_GROUP)
};

const SchemaCount schema_counts[SCHEMA_COUNT_COUNT] = {
    {GROUP_SKELETON, DIM_JOINT, AT(skeleton.joint_count)},
    {GROUP_SKELETON, DIM_END, AT(skeleton.end_count)},
    {GROUP_MOTION, DIM_FRAME, AT(motion.frame_count)},
    {GROUP_MOTION, DIM_JOINT, AT(motion.joint_count)},
    {GROUP_DOF, DIM_FRAME, AT(dof.frame_count)},
    {GROUP_DOF, DIM_DOF, AT(dof.count)},
    {GROUP_TRUST, DIM_FRAME, AT(trust.frame_count)},
    {GROUP_TRUST, DIM_JOINT, AT(trust.joint_count)},
    {GROUP_BODY, DIM_JOINT, AT(body.joint_count)},
    {GROUP_KINEMATICS, DIM_FRAME, AT(kinematics.frame_count)},
    {GROUP_KINEMATICS, DIM_JOINT, AT(kinematics.joint_count)},
    {GROUP_CONTACT, DIM_FRAME, AT(contact.frame_count)},
    {GROUP_CONTACT, DIM_POINT, AT(contact.point_count)},
    {GROUP_DYNAMICS, DIM_FRAME, AT(dynamics.frame_count)},
    {GROUP_DYNAMICS, DIM_JOINT, AT(dynamics.joint_count)},
    {GROUP_ANGLES, DIM_FRAME, AT(angles.frame_count)},
    {GROUP_ANGLES, DIM_COORDINATE, AT(angles.coordinate_count)},
    {GROUP_SIMULATION, DIM_FRAME, AT(simulation.frame_count)},
    {GROUP_SIMULATION, DIM_CONSTRAINT, AT(simulation.constraint_count)},
    {GROUP_SIMULATION, DIM_ACTUATOR, AT(simulation.actuator_count)},
    {GROUP_PARTICLES, DIM_FRAME, AT(particles.frame_count)},
    {GROUP_PARTICLES, DIM_PARTICLE, AT(particles.particle_count)},
    {GROUP_SHAPES, DIM_SHAPE, AT(shapes.count)},
    {GROUP_SHAPES, DIM_SHAPE_POINT, AT(shapes.point_count)},
    {GROUP_SHAPES, DIM_SHAPE_FACE, AT(shapes.face_count)},
    {GROUP_MARKERS, DIM_FRAME, AT(markers.frame_count)},
    {GROUP_MARKERS, DIM_MARKER, AT(markers.marker_count)},
    {GROUP_TRACKING, DIM_STEP, AT(tracking.frame_count)},
    {GROUP_TRACKING, DIM_JOINT, AT(tracking.joint_count)},
};

/* Of a controller. */
#define RUN(kind, member) AT(tracking.run[CONTROLLER_##kind].member)
#define RUN_GROUP_ID(kind) ((SchemaGroupId)(GROUP_RUN + CONTROLLER_##kind))
#define RUN_NUMBER(kind, name, member, units, text) \
    {RUN_GROUP_ID(kind), name, ATTRIBUTE_NUMBER, RUN(kind, member), 1, units, text}
#define RUN_NUMBERS(kind, name) \
    {RUN_GROUP_ID(kind), "outcome", ATTRIBUTE_INLINE, RUN(kind, outcome), OUTCOME_SIZE, "", \
     "`held` (prescribed root), `stands`, `steps` (kept its balance by adapted steps), `falls`, `diverges`"}, \
    RUN_NUMBER(kind, "lost_time", lost_time, "s", "of the loss of balance or the divergence; NaN: none"), \
    RUN_NUMBER(kind, "rest_time", rest_time, "s", "at which a fallen body came to rest; NaN: it did not"), \
    RUN_NUMBER(kind, "mean_orientation_error", mean_error, "rad", "over segments and steps"), \
    RUN_NUMBER(kind, "p95_orientation_error", p95_error, "rad", "95th percentile"), \
    RUN_NUMBER(kind, "final_orientation_error", final_error, "rad", "over segments, last step"), \
    RUN_NUMBER(kind, "mean_position_error", mean_distance, "m", "over segments and steps"), \
    RUN_NUMBER(kind, "stable_time", stable_time, "s", "until the end, or until the simulation diverged"), \
    RUN_NUMBER(kind, "torque_sum_mean", torque_sum_mean, "N m", \
               "mean over time of the sum of the magnitudes of all torques"), \
    RUN_NUMBER(kind, "root_residual_force_rms", root_residual_force_rms, "body weights", \
               "of the root residual force"), \
    RUN_NUMBER(kind, "root_residual_torque_rms", root_residual_torque_rms, "N m/kg", "of its torque"),

const SchemaAttribute schema_attributes[SCHEMA_ATTRIBUTE_COUNT] = {
    {GROUP_ROOT, "title", ATTRIBUTE_OWNED, AT(provenance.title), 0, "",
     "name of the source without its ending"},
    {GROUP_ROOT, "source", ATTRIBUTE_OWNED, AT(provenance.source), 0, "",
     "base name of the motion file; of a file with several takes with the number: `walk.x#2`"},
    {GROUP_ROOT, "source_sha256", ATTRIBUTE_INLINE, AT(provenance.source_sha256), 65, "",
     "SHA-256 of its bytes"},
    {GROUP_ROOT, "frame_time", ATTRIBUTE_NUMBER, AT(provenance.frame_time), 1, "s",
     "of the source, as detected by import"},
    {GROUP_ROOT, "meters_per_unit", ATTRIBUTE_NUMBER, AT(provenance.meters_per_unit), 1, "m",
     "of the source, as detected by import"},
    {GROUP_ROOT, "up_axis", ATTRIBUTE_INLINE, AT(provenance.up_axis), 4, "",
     "of the source, as detected by import"},
    {GROUP_ROOT, "confidence", ATTRIBUTE_NUMBER, AT(provenance.confidence), DECISION_COUNT, "1",
     "six probabilities that import is right: unit, up axis, frame rate, root offset, positions, first frame; 1 "
     "for an option; all 0 where unknown"},
    {GROUP_ROOT, "history", ATTRIBUTE_OWNED, AT(provenance.history), 0, "",
     "one line per stage: the command and its resolved options; never paths, output names or times"},
    {GROUP_ROOT, "decisions", ATTRIBUTE_OWNED, AT(provenance.decisions), 0, "",
     "what import detected, one line each in the order of `confidence`: `cm`, `Y`, `60`, `replaced`, `local`, "
     "`kept`"},
    {GROUP_ROOT, "evidence", ATTRIBUTE_OWNED, AT(provenance.evidence), 0, "",
     "what was decided and why, fields separated by tabs: subject, confidence, value; then subject, log odds with a "
     "sign, observation: the two strongest for the value and against it"},
    {GROUP_ROOT, "warnings", ATTRIBUTE_OWNED, AT(provenance.warnings), 0, "",
     "one line each, `kind: words`; the first ten of a kind"},
    {GROUP_MOTION, "frame_time", ATTRIBUTE_NUMBER, AT(motion.frame_time), 1, "s",
     "of this motion; that of / unless resampled"},
    {GROUP_BODY, "model", ATTRIBUTE_INLINE, AT(body.model), BODY_MODEL_SIZE, "",
     "`deleva mean`, `deleva male`, `deleva female`, `capsules` or `segments`"},
    {GROUP_BODY, "total_mass", ATTRIBUTE_NUMBER, AT(body.total_mass), 1, "kg",
     "of the whole body"},
    {GROUP_BODY, "stature", ATTRIBUTE_NUMBER, AT(body.stature), 1, "m",
     "standing height of a human; 0 where unknown"},
    {GROUP_CONTACT, "ground_height", ATTRIBUTE_NUMBER, AT(contact.ground_height), 1, "m",
     "of the ground at the origin, world y"},
    {GROUP_CONTACT, "linear_reduction", ATTRIBUTE_NUMBER, AT(contact.linear_reduction), 1, "m/s2",
     "RMS of the acceleration that `--reduce-residual` added to the body, 0 without"},
    {GROUP_CONTACT, "angular_reduction", ATTRIBUTE_NUMBER, AT(contact.angular_reduction), 1, "rad/s2",
     "RMS of the angular acceleration that it added to the trunk, 0 without"},
    {GROUP_CONTACT, "friction", ATTRIBUTE_NUMBER, AT(contact.friction), 1, "1",
     "friction coefficient of estimated forces; 0: unknown"},
    {GROUP_CONTACT, "ground_normal", ATTRIBUTE_NUMBER, AT(contact.ground_normal), 3, "1",
     "three numbers, world axes"},
    {GROUP_DYNAMICS, "error_source", ATTRIBUTE_NUMBER, AT(dynamics.error_source), ERROR_SOURCE_COUNT, "1",
     "fractions of the variance of the torques at hips, knees and ankles over valid frames: ground reaction "
     "forces, filter, body (masses and centres of segments and joints), noise of the recording; 0: not computed"},
    {GROUP_ANGLES, "neutral", ATTRIBUTE_INLINE, AT(angles.neutral), ANGLES_TEXT_SIZE, "",
     "the pose in which angles are zero: `rest`, `built from the rest pose (legs 20 degrees off)`, `built from "
     "frame 12`, `built from a frame that was cut off` (by trim)"},
    {GROUP_ANGLES, "knee_axis", ATTRIBUTE_INLINE, AT(angles.knee_axis), ANGLES_TEXT_SIZE, "",
     "`geometry`: parallel to the line of the hips in the neutral pose; `functional`, of both knees or one: the "
     "axis about which it bends, if both are hinges or with `--knee-axis functional`"},
    {GROUP_ANGLES, "strength", ATTRIBUTE_INLINE, AT(angles.strength), ANGLES_TEXT_SIZE, "",
     "of whom: `average, mean, 18 to 25 years`, `athlete`, `person`"},
    RETARGET_METRICS(RETARGET_ATTRIBUTE, RETARGET_ATTRIBUTE)
    {GROUP_RETARGET, "worst_frame", ATTRIBUTE_NUMBER, AT(retarget.worst_frame), WORST_VIEWER, "frame",
     "frames of the worst `slide_increase_cm_s`, `penetration_increase_cm`, `bone_direction_deg`, "
     "`leg_direction_deg`, `knee_acceleration`, `hip_jerk`, `hip_drop_cm`, `wrist_depth_increase_cm`, "
     "`overlap_increase_cm`, `mirror_cm` and `residual_after_bw`, counted from 0 in this clip; NaN: none, or cut "
     "off"},
    {GROUP_RETARGET, "worst_frame_viewer", ATTRIBUTE_NUMBER, AT(retarget.worst_frame[WORST_VIEWER]),
     RETARGET_FRAMES - WORST_VIEWER, "frame",
     "the same of `facing_pelvis_deg`, `facing_chest_deg`, `facing_head_deg`, `facing_thigh_deg`, "
     "`facing_forearm_deg`, `facing_hand_deg`, `sink_increase_cm`, `girdle_width_change`, `hands_apart_cm`, "
     "`root_height_cm` and `root_path_cm`"},
    {GROUP_SIMULATION, "solved_islands", ATTRIBUTE_NUMBER, AT(simulation.solved_islands), 1, "1",
     "solves of islands, bodies joined by limits and contacts, over all steps"},
    {GROUP_SIMULATION, "solver_pivots", ATTRIBUTE_NUMBER, AT(simulation.solver_pivots), 1, "1",
     "pivots of these solves"},
    {GROUP_SIMULATION, "lemke_islands", ATTRIBUTE_NUMBER, AT(simulation.lemke_islands), 1, "1",
     "those solved exactly by Lemke's method after the limit of pivots"},
    {GROUP_SIMULATION, "swept_islands", ATTRIBUTE_NUMBER, AT(simulation.swept_islands), 1, "1",
     "those approximated by Gauss-Seidel after the limit of pivots (`--solver auto`)"},
    CONTROLLERS(RUN_NUMBERS)
};

#define PER_FRAME {DIM_FRAME}
#define PER_FRAME_XYZ {DIM_FRAME, DIM_XYZ}
#define PER_JOINT {DIM_JOINT}
#define PER_JOINT_XYZ {DIM_JOINT, DIM_XYZ}
#define MOVING {DIM_FRAME, DIM_JOINT, DIM_XYZ}
#define TURNING {DIM_FRAME, DIM_JOINT, DIM_WXYZ}
#define FEET {DIM_FRAME, DIM_FOOT, DIM_XYZ}
#define POINTS {DIM_FRAME, DIM_POINT, DIM_XYZ}
#define CONSTRAINTS {DIM_FRAME, DIM_CONSTRAINT, DIM_XYZ}
#define DOFS {DIM_DOF}
#define DOFS_MOVING {DIM_FRAME, DIM_DOF}
#define DOF_LIMIT_ROW(name, quantity, form, unit, meaning, ...) \
    {GROUP_DOF, #name, ELEMENT_DOUBLE, {DIM_DOF, DOF_##form == DOF_SIZE ? 0 : DIM_BOUND}, AT(dof.name), \
     SCHEMA_LATER | SCHEMA_GAPS, unit, meaning},
#define DOF_FORCE(name, meaning) \
    {GROUP_DOF, #name, ELEMENT_DOUBLE, DOFS_MOVING, AT(dof.name), SCHEMA_OPTIONAL, "1", "generalised force " meaning},
#define SHAPES {DIM_SHAPE}
#define COORDINATES_MOVING {DIM_FRAME, DIM_COORDINATE}

/* The axis before a group's datasets over frames, by which readers can select them without the root. */
#define TIME_AXIS(group) \
    {group, "time", ELEMENT_DOUBLE, PER_FRAME, AT(motion.time), \
     SCHEMA_EXACT | SCHEMA_SCALE | SCHEMA_OPTIONAL | SCHEMA_COPY, "s", "time of the source"}

#define STEPS {DIM_STEP, DIM_JOINT}
#define STEPS_XYZ {DIM_STEP, DIM_XYZ}
#define RUN_WRENCH(kind, name, units, text) \
    {RUN_GROUP_ID(kind), #name, ELEMENT_DOUBLE, {DIM_STEP, DIM_JOINT, DIM_XYZ}, RUN(kind, name), SCHEMA_OPTIONAL, \
     units, text}
#define RUN_DATASETS(kind, name) \
    {RUN_GROUP_ID(kind), "orientation_error", ELEMENT_DOUBLE, STEPS, RUN(kind, orientation_error), 0, "rad", \
     "angle between simulated and wanted orientation of the segment"}, \
    {RUN_GROUP_ID(kind), "position_error", ELEMENT_DOUBLE, STEPS, RUN(kind, position_error), 0, "m", \
     "distance between simulated and wanted centre of mass of the segment"}, \
    {RUN_GROUP_ID(kind), "orientation", ELEMENT_DOUBLE, {DIM_STEP, DIM_JOINT, DIM_WXYZ}, RUN(kind, orientation), 0, \
     "1", "simulated orientation, unit quaternion, joint axes to world axes"}, \
    {RUN_GROUP_ID(kind), "torque", ELEMENT_DOUBLE, {DIM_STEP, DIM_JOINT, DIM_XYZ}, RUN(kind, torque), 0, "N m", \
     "torque of the controller on the segment, world axes; root: from outside"}, \
    {RUN_GROUP_ID(kind), "root_position", ELEMENT_DOUBLE, STEPS_XYZ, RUN(kind, root_position), 0, "m", \
     "simulated position of the root joint, world axes"}, \
    {RUN_GROUP_ID(kind), "root_residual_force", ELEMENT_DOUBLE, STEPS_XYZ, RUN(kind, root_residual_force), 0, "N", \
     "force of the residual actuator at the root, world axes"}, \
    {RUN_GROUP_ID(kind), "root_residual_torque", ELEMENT_DOUBLE, STEPS_XYZ, RUN(kind, root_residual_torque), 0, \
     "N m", \
     "torque of the residual actuator at the root, about its joint, world axes"}, \
    RUN_WRENCH(kind, contact_force, "N", "force of ground and ball on the segment over the step, world axes"), \
    RUN_WRENCH(kind, contact_moment, "N m", "its moment about the joint, world axes"), \
    RUN_WRENCH(kind, push_force, "N", "of pushes and tabulated forces on the segment over the step, world axes"), \
    RUN_WRENCH(kind, push_moment, "N m", "its moment about the joint, world axes"), \
    {RUN_GROUP_ID(kind), "ball", ELEMENT_DOUBLE, STEPS_XYZ, RUN(kind, ball), SCHEMA_OPTIONAL | SCHEMA_GAPS, "m", \
     "centre of the ball, world axes; NaN before its release"},

const SchemaDataset schema_datasets[SCHEMA_DATASET_COUNT] = {
    {GROUP_ROOT, "time", ELEMENT_DOUBLE, PER_FRAME, AT(motion.time), SCHEMA_EXACT | SCHEMA_SCALE, "s",
     "time of the source"},
    {GROUP_ROOT, "joint", ELEMENT_NAME, PER_JOINT, AT(skeleton.name), SCHEMA_LABELS, "1", "joint name"},
    {GROUP_ROOT, "coordinate", ELEMENT_COORDINATE, {DIM_COORDINATE}, AT(angles.coordinate),
     SCHEMA_LABELS, "1", "anatomical coordinate"},

    {GROUP_SKELETON, "parent", ELEMENT_INT, PER_JOINT, AT(skeleton.parent), 0, "1",
     "index of the parent joint, root -1"},
    {GROUP_SKELETON, "offset", ELEMENT_DOUBLE, PER_JOINT_XYZ, AT(skeleton.offset), 0, "m",
     "joint centre at rest, parent axes; root: in the world"},
    {GROUP_SKELETON, "role", ELEMENT_ROLE, PER_JOINT, AT(skeleton.role), 0, "1", "anatomical role of the joint"},
    {GROUP_SKELETON, "segment_role", ELEMENT_ROLE, PER_JOINT, AT(skeleton.segment), 0, "1",
     "role of the segment the joint moves with"},
    {GROUP_SKELETON, "end_offset", ELEMENT_DOUBLE, {DIM_END, DIM_XYZ}, AT(skeleton.end_offset), 0, "m",
     "end site, axes of its joint"},
    {GROUP_SKELETON, "end_parent", ELEMENT_INT, {DIM_END}, AT(skeleton.end_parent), 0, "1", "joint of the end site"},
    {GROUP_SKELETON, "channels", ELEMENT_INT, PER_JOINT, AT(skeleton.channels), SCHEMA_OPTIONAL, "1",
     "channels of the joint in its BVH file, a digit each in its order: 1 2 3 X Y Z position, 4 5 6 X Y Z rotation"},
    {GROUP_SKELETON, "standing_rotation", ELEMENT_DOUBLE, {DIM_JOINT, DIM_WXYZ}, AT(skeleton.standing),
     SCHEMA_OPTIONAL, "1",
     "unit quaternion of the standing pose in which retargeting compares the body, joint axes to parent axes; root: to "
     "world axes, facing +Z"},

    TIME_AXIS(GROUP_DOF),
    {GROUP_DOF, "dof", ELEMENT_NAME, DOFS, AT(dof.name), SCHEMA_LABELS | SCHEMA_LATER, "1",
     "name of the degree of freedom"},
    {GROUP_DOF, "joint", ELEMENT_INT, DOFS, AT(dof.joint), 0, "1", "joint whose segment it moves"},
    {GROUP_DOF, "kind", ELEMENT_DOF_KIND, DOFS, AT(dof.kind), SCHEMA_LATER, "1",
     "hinge, slide, ball, free or custom; empty where it is not known"},
    {GROUP_DOF, "axis", ELEMENT_DOUBLE, {DIM_DOF, DIM_XYZ}, AT(dof.axis), SCHEMA_LATER, "1",
     "unit axis, axes of the segment"},
    {GROUP_DOF, "anchor", ELEMENT_DOUBLE, {DIM_DOF, DIM_XYZ}, AT(dof.anchor), SCHEMA_LATER, "m",
     "point of the axis, axes of the segment"},
    {GROUP_DOF, "zero", ELEMENT_DOUBLE, DOFS, AT(dof.zero), SCHEMA_LATER, "1",
     "position in which the segment is at rest, rad or m"},
    {GROUP_DOF, "rest_rotation", ELEMENT_DOUBLE, {DIM_DOF, DIM_WXYZ}, AT(dof.rest_rotation), SCHEMA_LATER, "1",
     "unit quaternion, axes of the segment at rest to parent axes"},
    DOF_LIMITS(DOF_LIMIT_ROW)
    {GROUP_DOF, "armature", ELEMENT_DOUBLE, DOFS, AT(dof.armature), SCHEMA_LATER, "1",
     "inertia of its actuator, kg m2 or kg"},
    {GROUP_DOF, "locked", ELEMENT_BYTE, DOFS, AT(dof.locked), SCHEMA_LATER, "1", "1: it does not move"},
    {GROUP_DOF, "coupled_to", ELEMENT_INT, DOFS, AT(dof.coupled_to), SCHEMA_LATER, "1",
     "degree of freedom that it follows, -1: none"},
    {GROUP_DOF, "coupling", ELEMENT_DOUBLE, {DIM_DOF, DIM_TERM}, AT(dof.coupling), SCHEMA_LATER, "1",
     "coefficients of the polynomial: position less zero, by powers of that of the other"},
    {GROUP_DOF, "position", ELEMENT_DOUBLE, DOFS_MOVING, AT(dof.position), SCHEMA_OPTIONAL | SCHEMA_GAPS, "1",
     "angle or displacement, rad or m"},
    {GROUP_DOF, "velocity", ELEMENT_DOUBLE, DOFS_MOVING, AT(dof.velocity), SCHEMA_OPTIONAL | SCHEMA_GAPS, "1/s",
     "speed, rad/s or m/s"},
    {GROUP_DOF, "acceleration", ELEMENT_DOUBLE, DOFS_MOVING, AT(dof.acceleration), SCHEMA_OPTIONAL | SCHEMA_GAPS,
     "1/s2", "acceleration, rad/s2 or m/s2"},
    {GROUP_DOF, "effort", ELEMENT_DOUBLE, DOFS_MOVING, AT(dof.effort), SCHEMA_OPTIONAL | SCHEMA_GAPS, "1",
     "generalised force: torque about the axis, N m, or force along it, N"},
    DOF_FORCE(actuator_force, "of actuators, as the solver applied it in a simulated scene, N m or N")
    DOF_FORCE(passive_force, "of springs, dampers and tendons, likewise")
    DOF_FORCE(applied_force, "of tabulated forces, likewise")
    DOF_FORCE(constraint_force, "of limits, dry friction and equalities, likewise")
    DOF_FORCE(contact_force, "of contacts, likewise")
    {GROUP_DOF, "moving_axis", ELEMENT_DOUBLE, {DIM_FRAME, DIM_DOF, DIM_XYZ}, AT(dof.moving_axis),
     SCHEMA_OPTIONAL | SCHEMA_GAPS, "1", "angular velocity of the segment per unit of a custom one, parent axes"},
    {GROUP_DOF, "moving_velocity", ELEMENT_DOUBLE, {DIM_FRAME, DIM_DOF, DIM_XYZ}, AT(dof.moving_velocity),
     SCHEMA_OPTIONAL | SCHEMA_PAIR | SCHEMA_GAPS, "m", "velocity of its joint's centre per unit, parent axes"},

    TIME_AXIS(GROUP_MOTION),
    {GROUP_MOTION, "root_position", ELEMENT_DOUBLE, PER_FRAME_XYZ, AT(motion.root_position), 0, "m",
     "centre of the root joint, world axes"},
    {GROUP_MOTION, "rotation", ELEMENT_DOUBLE, TURNING, AT(motion.rotation), 0, "1",
     "unit quaternion, joint axes to parent axes; root: to world axes"},
    {GROUP_MOTION, "translation", ELEMENT_DOUBLE, MOVING, AT(motion.translation), SCHEMA_OPTIONAL | SCHEMA_SPARSE, "m",
     "joint centre in parent axes, instead of the offset"},

    TIME_AXIS(GROUP_TRUST),
    {GROUP_TRUST, "reason", ELEMENT_BITS, PER_FRAME, AT(trust.reason), SCHEMA_REASONS, "1",
     "quality flags of the frame, 0: none"},
    {GROUP_TRUST, "joint_reason", ELEMENT_BITS, {DIM_FRAME, DIM_JOINT}, AT(trust.joint_reason),
     SCHEMA_OPTIONAL | SCHEMA_REASONS | SCHEMA_SPARSE, "1", "quality flags of the joint alone, 0: none"},
    {GROUP_TRUST, "trusted", ELEMENT_BYTE, PER_FRAME, AT(trust.trusted), 0, "1", "1: no quality flag is set"},

    {GROUP_BODY, "mass", ELEMENT_DOUBLE, PER_JOINT, AT(body.mass), 0, "kg", "mass of the segment"},
    {GROUP_BODY, "com", ELEMENT_DOUBLE, PER_JOINT_XYZ, AT(body.com), 0, "m",
     "centre of mass from the joint centre, joint axes"},
    {GROUP_BODY, "inertia", ELEMENT_DOUBLE, {DIM_JOINT, DIM_INERTIA}, AT(body.inertia), 0, "kg m2",
     "inertia about the centre of mass, joint axes, products as matrix entries"},

    TIME_AXIS(GROUP_KINEMATICS),
    {GROUP_KINEMATICS, "position", ELEMENT_DOUBLE, MOVING, AT(kinematics.position), SCHEMA_DERIVED, "m",
     "joint centre, world axes"},
    {GROUP_KINEMATICS, "orientation", ELEMENT_DOUBLE, TURNING, AT(kinematics.orientation), SCHEMA_DERIVED, "1",
     "unit quaternion, joint axes to world axes"},
    {GROUP_KINEMATICS, "angular_velocity", ELEMENT_DOUBLE, MOVING, AT(kinematics.angular_velocity), SCHEMA_DERIVED,
     "rad/s",
     "angular velocity of the segment, world axes"},
    {GROUP_KINEMATICS, "angular_acceleration", ELEMENT_DOUBLE, MOVING, AT(kinematics.angular_acceleration),
     SCHEMA_DERIVED, "rad/s2",
     "angular acceleration of the segment, world axes"},
    {GROUP_KINEMATICS, "velocity", ELEMENT_DOUBLE, MOVING, AT(kinematics.velocity), SCHEMA_DERIVED, "m/s",
     "velocity of the joint centre, world axes"},
    {GROUP_KINEMATICS, "acceleration", ELEMENT_DOUBLE, MOVING, AT(kinematics.acceleration), SCHEMA_DERIVED, "m/s2",
     "acceleration of the joint centre without gravity, world axes"},
    {GROUP_KINEMATICS, "com", ELEMENT_DOUBLE, PER_FRAME_XYZ, AT(kinematics.com), SCHEMA_OPTIONAL | SCHEMA_DERIVED, "m",
     "centre of mass of the whole body, world axes"},
    {GROUP_KINEMATICS, "valid", ELEMENT_BYTE, PER_FRAME, AT(kinematics.valid), SCHEMA_DERIVED, "1",
     "1: derivatives are defined, 0: too near an edge"},

    TIME_AXIS(GROUP_CONTACT),
    {GROUP_CONTACT, "point_joint", ELEMENT_INT, {DIM_POINT}, AT(contact.point_joint), 0, "1",
     "joint that carries the point"},
    {GROUP_CONTACT, "point_position", ELEMENT_DOUBLE, {DIM_POINT, DIM_XYZ}, AT(contact.point_position), 0, "m",
     "contact point, axes of its joint"},
    {GROUP_CONTACT, "force", ELEMENT_DOUBLE, POINTS, AT(contact.force), SCHEMA_SPARSE, "N",
     "force on the body at the point, world axes"},
    {GROUP_CONTACT, "moment", ELEMENT_DOUBLE, POINTS, AT(contact.moment), SCHEMA_OPTIONAL | SCHEMA_SPARSE, "N m",
     "torque on the body about the point, world axes"},
    {GROUP_CONTACT, "state", ELEMENT_DOUBLE, {DIM_FRAME, DIM_POINT}, AT(contact.state), SCHEMA_SPARSE, "1",
     "0 free to 1 in contact"},
    {GROUP_CONTACT, "foot_force", ELEMENT_DOUBLE, FEET, AT(contact.foot_force), 0, "N",
     "ground reaction force, world axes"},
    {GROUP_CONTACT, "foot_cop", ELEMENT_DOUBLE, FEET, AT(contact.foot_cop), 0, "m", "centre of pressure, world axes"},
    {GROUP_CONTACT, "foot_free_moment", ELEMENT_DOUBLE, FEET, AT(contact.foot_free_moment), 0, "N m",
     "free moment about the centre of pressure, world axes"},
    {GROUP_CONTACT, "confidence", ELEMENT_DOUBLE, PER_FRAME, AT(contact.confidence), 0, "1",
     "confidence of the contact forces, 0 to 1"},

    TIME_AXIS(GROUP_DYNAMICS),
    {GROUP_DYNAMICS, "torque", ELEMENT_DOUBLE, MOVING, AT(dynamics.torque), 0, "N m",
     "net moment of the parent on the segment about the joint centre, world axes; root: residual"},
    {GROUP_DYNAMICS, "force", ELEMENT_DOUBLE, MOVING, AT(dynamics.force), SCHEMA_DERIVED, "N",
     "net force of the parent on the segment, world axes; root: residual"},
    {GROUP_DYNAMICS, "power", ELEMENT_DOUBLE, {DIM_FRAME, DIM_JOINT}, AT(dynamics.power), SCHEMA_DERIVED, "W",
     "joint power, positive generates; root: residual power"},
    {GROUP_DYNAMICS, "residual_force", ELEMENT_DOUBLE, PER_FRAME_XYZ, AT(dynamics.residual_force), 0, "N",
     "residual force at the floating base, world axes"},
    {GROUP_DYNAMICS, "residual_torque", ELEMENT_DOUBLE, PER_FRAME_XYZ, AT(dynamics.residual_torque), 0, "N m",
     "residual moment at the floating base about the centre of mass, world axes"},
    {GROUP_DYNAMICS, "torque_sd", ELEMENT_DOUBLE, MOVING, AT(dynamics.torque_sd), SCHEMA_OPTIONAL, "N m",
     "standard deviation of the torque, world axes; root: none"},
    {GROUP_DYNAMICS, "torque_correlation", ELEMENT_DOUBLE, {DIM_FRAME, DIM_JOINT, DIM_PAIR},
     AT(dynamics.torque_correlation), SCHEMA_OPTIONAL | SCHEMA_PAIR, "1",
     "correlation between components of the torque"},

    TIME_AXIS(GROUP_ANGLES),
    {GROUP_ANGLES, "joint_index", ELEMENT_INT, {DIM_COORDINATE}, AT(angles.joint), 0, "1",
     "joint that the coordinate belongs to"},
    {GROUP_ANGLES, "angle", ELEMENT_DOUBLE, COORDINATES_MOVING, AT(angles.angle), SCHEMA_GAPS | SCHEMA_DERIVED, "rad",
     "joint angle, zero in the neutral pose; NaN near a singular pose"},
    {GROUP_ANGLES, "velocity", ELEMENT_DOUBLE, COORDINATES_MOVING, AT(angles.velocity), SCHEMA_GAPS | SCHEMA_DERIVED,
     "rad/s",
     "rate of the angle; NaN near a singular pose"},
    {GROUP_ANGLES, "moment", ELEMENT_DOUBLE, COORDINATES_MOVING, AT(angles.moment), SCHEMA_DERIVED, "N m",
     "internal net moment about the axis: the generalised force of the angle"},
    {GROUP_ANGLES, "power", ELEMENT_DOUBLE, COORDINATES_MOVING, AT(angles.power), SCHEMA_GAPS | SCHEMA_DERIVED, "W",
     "moment times velocity, positive generates; NaN near a singular pose"},
    {GROUP_ANGLES, "moment_sd", ELEMENT_DOUBLE, COORDINATES_MOVING, AT(angles.moment_sd),
     SCHEMA_OPTIONAL | SCHEMA_DERIVED, "N m",
     "standard deviation of the moment about the axis"},
    {GROUP_ANGLES, "axis", ELEMENT_DOUBLE, {DIM_FRAME, DIM_COORDINATE, DIM_XYZ}, AT(angles.axis),
     SCHEMA_OPTIONAL | SCHEMA_DERIVED,
     "1", "axis of the angle, unit vector, world axes"},
    {GROUP_ANGLES, "singular", ELEMENT_BYTE, COORDINATES_MOVING, AT(angles.singular), SCHEMA_DERIVED, "1",
     "1: within 10 degrees of a pose without angles"},

    {GROUP_ANGLES, "capacity", ELEMENT_DOUBLE, COORDINATES_MOVING, AT(angles.capacity),
     SCHEMA_OPTIONAL | SCHEMA_GAPS | SCHEMA_DERIVED, "N m",
     "maximal moment of the subject in this direction; NaN where unknown"},
    {GROUP_ANGLES, "utilization", ELEMENT_DOUBLE, COORDINATES_MOVING, AT(angles.utilization),
     SCHEMA_OPTIONAL | SCHEMA_PAIR | SCHEMA_GAPS | SCHEMA_DERIVED, "1",
     "magnitude of the moment over the capacity; NaN where it is unknown"},
    {GROUP_ANGLES, "utilization_sd", ELEMENT_DOUBLE, COORDINATES_MOVING, AT(angles.utilization_sd),
     SCHEMA_OPTIONAL | SCHEMA_GAPS | SCHEMA_DERIVED, "1",
     "standard deviation of the utilization: of the moment, and of the strength among people"},
    {GROUP_ANGLES, "passive", ELEMENT_DOUBLE, COORDINATES_MOVING, AT(angles.passive),
     SCHEMA_OPTIONAL | SCHEMA_GAPS | SCHEMA_DERIVED, "N m",
     "moment of the tissues about the joint without muscles; NaN where unknown"},

    TIME_AXIS(GROUP_SIMULATION),
    {GROUP_SIMULATION, "kinetic_energy", ELEMENT_DOUBLE, PER_FRAME, AT(simulation.kinetic_energy), 0, "J",
     "kinetic energy of all bodies"},
    {GROUP_SIMULATION, "potential_energy", ELEMENT_DOUBLE, PER_FRAME, AT(simulation.potential_energy), 0, "J",
     "potential energy of gravity and of the springs of joints"},
    {GROUP_SIMULATION, "spring_energy", ELEMENT_DOUBLE, PER_FRAME, AT(simulation.spring_energy), 0, "J",
     "potential energy of springs, bushings, tendons and particles"},
    {GROUP_SIMULATION, "momentum", ELEMENT_DOUBLE, PER_FRAME_XYZ, AT(simulation.momentum), 0, "kg m/s",
     "momentum of all bodies, world axes"},
    {GROUP_SIMULATION, "angular_momentum", ELEMENT_DOUBLE, PER_FRAME_XYZ, AT(simulation.angular_momentum), 0,
     "kg m2/s", "angular momentum of all bodies about the origin, world axes"},
    {GROUP_SIMULATION, "constraint_joint", ELEMENT_INT, {DIM_CONSTRAINT}, AT(simulation.constraint_joint),
     0, "1", "joint whose segment is constrained by a connect, weld, joint equality or attachment"},
    {GROUP_SIMULATION, "constraint_to", ELEMENT_INT, {DIM_CONSTRAINT}, AT(simulation.constraint_to), 0,
     "1", "joint of the other constrained segment, -1: a constant"},
    {GROUP_SIMULATION, "constraint_force", ELEMENT_DOUBLE, CONSTRAINTS, AT(simulation.constraint_force),
     0, "N", "force of the constraint on the segment, world axes; of a joint equality x: on its joint"},
    {GROUP_SIMULATION, "constraint_torque", ELEMENT_DOUBLE, CONSTRAINTS, AT(simulation.constraint_torque),
     0, "N m", "torque of the constraint on the segment, world axes"},
    {GROUP_SIMULATION, "actuator_joint", ELEMENT_INT, {DIM_ACTUATOR}, AT(simulation.actuator_joint), 0, "1",
     "joint that the actuator drives"},
    {GROUP_SIMULATION, "actuator_position", ELEMENT_DOUBLE, {DIM_FRAME, DIM_ACTUATOR},
     AT(simulation.actuator_position), 0, "rad",
     "position that the actuator controls, of a slide in m; of a whole rotation the angle to its target"},
    {GROUP_SIMULATION, "actuator_torque", ELEMENT_DOUBLE, {DIM_FRAME, DIM_ACTUATOR, DIM_XYZ},
     AT(simulation.actuator_torque), 0, "N m",
     "torque of the actuator on a ball joint, axes of the segment; of a hinge or slide (N) x"},

    TIME_AXIS(GROUP_PARTICLES),
    {GROUP_PARTICLES, "joint", ELEMENT_INT, {DIM_PARTICLE}, AT(particles.joint), 0, "1",
     "joint that the particle is attached to, -1: free"},
    {GROUP_PARTICLES, "mass", ELEMENT_DOUBLE, {DIM_PARTICLE}, AT(particles.mass), 0, "kg", "mass of the particle"},
    {GROUP_PARTICLES, "position", ELEMENT_DOUBLE, {DIM_FRAME, DIM_PARTICLE, DIM_XYZ}, AT(particles.position), 0, "m",
     "position of the particle, world axes"},

    {GROUP_SHAPES, "kind", ELEMENT_SHAPE_KIND, SHAPES, AT(shapes.kind), 0, "1",
     "sphere, capsule, cylinder, box, ellipsoid, plane, mesh, spring or tendon"},
    {GROUP_SHAPES, "joint", ELEMENT_INT, SHAPES, AT(shapes.joint), 0, "1",
     "joint whose segment the shape moves with; of a spring or tendon 0"},
    {GROUP_SHAPES, "size", ELEMENT_DOUBLE, {DIM_SHAPE, DIM_XYZ}, AT(shapes.size), 0, "m",
     "radius, half lengths or half axes; plane: 0 without end"},
    {GROUP_SHAPES, "position", ELEMENT_DOUBLE, {DIM_SHAPE, DIM_XYZ}, AT(shapes.position), 0, "m",
     "centre of the shape, axes of the joint"},
    {GROUP_SHAPES, "orientation", ELEMENT_DOUBLE, {DIM_SHAPE, DIM_WXYZ}, AT(shapes.orientation), 0, "1",
     "unit quaternion, axes of the shape to axes of the joint"},
    {GROUP_SHAPES, "color", ELEMENT_DOUBLE, {DIM_SHAPE, DIM_RGBA}, AT(shapes.color), 0, "1", "colour, sRGB, 0 to 1"},
    {GROUP_SHAPES, "point_start", ELEMENT_INT, SHAPES, AT(shapes.point_start), 0, "1",
     "first point of a mesh, spring or tendon"},
    {GROUP_SHAPES, "points", ELEMENT_INT, SHAPES, AT(shapes.points), 0, "1", "number of points"},
    {GROUP_SHAPES, "face_start", ELEMENT_INT, SHAPES, AT(shapes.face_start), 0, "1", "first face of a mesh"},
    {GROUP_SHAPES, "faces", ELEMENT_INT, SHAPES, AT(shapes.faces), 0, "1", "number of faces"},
    {GROUP_SHAPES, "point", ELEMENT_DOUBLE, {DIM_SHAPE_POINT, DIM_XYZ}, AT(shapes.point), 0, "m",
     "point, of a mesh in axes of the shape, of a spring or tendon in axes of its joint"},
    {GROUP_SHAPES, "point_joint", ELEMENT_INT, {DIM_SHAPE_POINT}, AT(shapes.point_joint), 0, "1",
     "joint that the point of a spring or tendon moves with, -1: none"},
    {GROUP_SHAPES, "point_particle", ELEMENT_INT, {DIM_SHAPE_POINT}, AT(shapes.point_particle), 0, "1",
     "particle that a spring holds there, -1: none"},
    {GROUP_SHAPES, "face", ELEMENT_INT, {DIM_SHAPE_FACE, DIM_CORNER}, AT(shapes.face), 0, "1",
     "points of a triangle, counted from the first of the mesh, counter-clockwise from outside"},

    TIME_AXIS(GROUP_MARKERS),
    {GROUP_MARKERS, "marker", ELEMENT_NAME, {DIM_MARKER}, AT(markers.name), SCHEMA_LABELS, "1", "marker name"},
    {GROUP_MARKERS, "position", ELEMENT_DOUBLE, {DIM_FRAME, DIM_MARKER, DIM_XYZ}, AT(markers.position), SCHEMA_GAPS,
     "m", "position of the marker, aligned with the motion, world axes; NaN where it was not seen"},

    {GROUP_TRACKING, "time", ELEMENT_DOUBLE, {DIM_STEP}, AT(tracking.time), SCHEMA_EXACT, "s",
     "time of the simulated step"},
    {GROUP_TRACKING, "carrier", ELEMENT_INT, PER_JOINT, AT(tracking.carrier), 0, "1",
     "index of the joint whose simulated segment the joint moves with"},
    CONTROLLERS(RUN_DATASETS)
};

const char *schema_old_name(const char *name)
{
    static const char *const renamed[][2] = {
        {"root_residual_force", "hand_force"}, {"root_residual_force_rms", "hand_force_rms"},
        {"root_residual_torque", "hand_torque"}, {"root_residual_torque_rms", "hand_torque_rms"},
        {"torque_sum_mean", "torque_effort"}, {"dof", "hinge"}, {"utilization", "use"}, {"segment_role", "segment"},
        {"constraint_torque", "constraint_couple"}, {"meters_per_unit", "metres_per_unit"},
        {"slide_increase_cm_s", "slide_added_cm_s"}, {"penetration_increase_cm", "penetration_added_cm"},
        {"wrist_depth_increase_cm", "wrist_depth_added_cm"}, {"overlap_increase_cm", "overlap_added_cm"},
        {"rest_asymmetry_deg", "rest_unlike_deg"}, {"bone_direction_deg", "direction_deg"},
    };
    for (size_t i = 0; i < sizeof renamed / sizeof *renamed; i++)
        if (strcmp(renamed[i][0], name) == 0)
            return renamed[i][1];
    return NULL;
}

const char *schema_old_group(SchemaGroupId group) { return group == GROUP_ANGLES ? "anatomy" : NULL; }

/* Whether NaN, for unknown, is permitted. */
static int may_be_unknown(const SchemaAttribute *attribute)
{
    return attribute->group == GROUP_RETARGET || attribute->group == GROUP_SIMULATION ||
           !strcmp(attribute->name, "lost_time") || !strcmp(attribute->name, "rest_time");
}

int schema_number_is_known(const SchemaAttribute *attribute, const double *value)
{
    for (size_t i = 0; i < attribute->size; i++)
        if (!may_be_unknown(attribute) || !isnan(value[i]))
            return 1;
    return 0;
}

int schema_number_is_valid(const SchemaAttribute *attribute, const double *value)
{
    for (size_t i = 0; i < attribute->size; i++)
        if (!isfinite(value[i]) && !(may_be_unknown(attribute) && isnan(value[i])))
            return 0;
    return 1;
}

int schema_find(SchemaGroupId group, const char *name)
{
    for (int i = 0; i < SCHEMA_DATASET_COUNT; i++)
        if (schema_datasets[i].group == group && strcmp(schema_datasets[i].name, name) == 0)
            return i;
    return -1;
}

int schema_find_path(const char *path)
{
    char text[64];
    for (int i = 0; i < SCHEMA_DATASET_COUNT; i++) {
        schema_path(&schema_datasets[i], text, sizeof text);
        if (strcmp(text, path) == 0)
            return i;
        for (int which = 0; which < SCHEMA_OLD_PATHS; which++)
            if (schema_old_path(&schema_datasets[i], which, text, sizeof text) && strcmp(text, path) == 0)
                return i;
    }
    return -1;
}

size_t schema_fixed_size(SchemaDim dim)
{
    enum { MAX = sizeof schema_dimensions->label / sizeof *schema_dimensions->label };
    size_t count = 0;
    while (count < MAX && schema_dimensions[dim].label[count])
        count++;
    return count;
}

SchemaGroupId schema_dim_group(SchemaDim dim)
{
    for (int i = 0; i < SCHEMA_DATASET_COUNT; i++)
        if (schema_datasets[i].flags & SCHEMA_LABELS && schema_datasets[i].dim[0] == dim)
            return schema_datasets[i].group;
    return GROUP_ROOT;
}

static size_t count_value(const Clip *clip, const SchemaCount *count)
{
    return (size_t) * (const int *)(const void *)((const char *)clip + count->member);
}

size_t schema_dim_size(const Clip *clip, SchemaDim dim)
{
    for (int i = 0; i < SCHEMA_COUNT_COUNT; i++)
        if (schema_counts[i].dim == dim)
            return schema_has_group(clip, schema_counts[i].group) ? count_value(clip, &schema_counts[i]) : 0;
    return schema_fixed_size(dim);
}

size_t schema_row(const Clip *clip, const SchemaDataset *dataset)
{
    size_t count = 1;
    for (int i = 1; i < schema_rank(dataset); i++)
        count *= schema_dim_size(clip, dataset->dim[i]);
    return count;
}

size_t schema_count(const Clip *clip, const SchemaDataset *dataset)
{
    return schema_dim_size(clip, dataset->dim[0]) * schema_row(clip, dataset);
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
    if (!schema_has_group(clip, dataset->group) || schema_count(clip, dataset) == 0)
        return 0;
    return !(dataset->flags & SCHEMA_OPTIONAL) || schema_array(clip, dataset);
}

int schema_may_be_empty(const SchemaDataset *dataset)
{
    for (int i = 0; i < schema_rank(dataset); i++)
        if (schema_dimensions[dataset->dim[i]].may_be_empty)
            return 1;
    return 0;
}

void *schema_array(const Clip *clip, const SchemaDataset *dataset)
{
    void *array;
    memcpy(&array, (const char *)clip + dataset->member, sizeof array);
    return array;
}

int schema_is_text(SchemaElement element)
{
    return element == ELEMENT_NAME || element == ELEMENT_ROLE || element == ELEMENT_COORDINATE ||
           element == ELEMENT_DOF_KIND || element == ELEMENT_SHAPE_KIND;
}

const char *schema_label(const Clip *clip, const SchemaDataset *dataset, size_t i)
{
    const void *array = schema_array(clip, dataset);
    switch (dataset->element) {
    case ELEMENT_NAME: return ((char *const *)array)[i];
    case ELEMENT_ROLE: return role_name(((const Role *)array)[i]);
    case ELEMENT_COORDINATE: return coordinate_name(((const Coordinate *)array)[i]);
    case ELEMENT_DOF_KIND: return dof_kind_name(((const DofKind *)array)[i]);
    case ELEMENT_SHAPE_KIND: return shape_kind_name(((const ShapeKind *)array)[i]);
    default: return "";
    }
}

size_t schema_element_size(SchemaElement element)
{
    static const size_t size[] = {
        [ELEMENT_DOUBLE] = sizeof(double), [ELEMENT_INT] = sizeof(int),   [ELEMENT_BYTE] = 1,
        [ELEMENT_BITS] = sizeof(uint32_t),
        [ELEMENT_NAME] = sizeof(char *),   [ELEMENT_ROLE] = sizeof(Role),
        [ELEMENT_COORDINATE] = sizeof(Coordinate), [ELEMENT_DOF_KIND] = sizeof(DofKind),
        [ELEMENT_SHAPE_KIND] = sizeof(ShapeKind),
    };
    return size[element];
}

static void put_path(const char *group, const char *name, char *text, size_t size)
{
    snprintf(text, size, "%s%s/%s", *group == '/' ? "" : "/", *group == '/' ? "" : group, name);
}

void schema_path(const SchemaDataset *dataset, char *text, size_t size)
{
    put_path(schema_groups[dataset->group].name, dataset->name, text, size);
}

int schema_old_path(const SchemaDataset *dataset, int which, char *text, size_t size)
{
    static const struct {
        SchemaGroupId group;
        const char *name, *old;
    } moved[] = {
        {GROUP_DOF, "joint", "/simulation/hinge_joint"},
        {GROUP_DOF, "position", "/simulation/hinge_position"},
        {GROUP_DOF, "velocity", "/simulation/hinge_velocity"},
        {GROUP_DOF, "acceleration", "/simulation/hinge_acceleration"},
    };
    for (size_t i = 0; which && i < sizeof moved / sizeof *moved; i++)
        if (dataset->group == moved[i].group && strcmp(dataset->name, moved[i].name) == 0) {
            snprintf(text, size, "%s", moved[i].old);
            return 1;
        }
    const char *old_group = schema_old_group(dataset->group), *old = which ? schema_old_name(dataset->name) : NULL;
    if (which ? !old : !old_group)
        return 0;
    put_path(old_group ? old_group : schema_groups[dataset->group].name, old ? old : dataset->name, text, size);
    return 1;
}

int schema_is_trajectory(const SchemaDataset *dataset)
{
    int over_time = dataset->dim[0] == DIM_FRAME || dataset->dim[0] == DIM_STEP;
    return over_time && dataset->element == ELEMENT_DOUBLE && !(dataset->flags & SCHEMA_EXACT);
}

static Status check_array(const Clip *clip, const SchemaDataset *dataset, Error *err)
{
    char path[64];
    int is_empty = schema_count(clip, dataset) == 0;
    if (!schema_has_group(clip, dataset->group) || dataset->flags & SCHEMA_OPTIONAL ||
        (is_empty ? schema_may_be_empty(dataset) : schema_array(clip, dataset) != NULL))
        return STATUS_OK;
    schema_path(dataset, path, sizeof path);
    return error_set(err, STATUS_INTERNAL, "the clip has no array for %s", path);
}

Status schema_check(const Clip *clip, Error *err)
{
    Status status = STATUS_OK;
    for (int i = 0; i < SCHEMA_COUNT_COUNT; i++) {
        const SchemaCount *count = &schema_counts[i];
        if (schema_has_group(clip, count->group) && count_value(clip, count) != schema_dim_size(clip, count->dim))
            return error_set(err, STATUS_INTERNAL, "the %ss of /%s are not those of the clip",
                             schema_dimensions[count->dim].index_name ? schema_dimensions[count->dim].index_name
                                                                 : schema_dimensions[count->dim].name,
                             schema_groups[count->group].name);
    }
    for (int i = 0; i < SCHEMA_DATASET_COUNT && !status; i++)
        status = check_array(clip, &schema_datasets[i], err);
    return status;
}
