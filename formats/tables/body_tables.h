/* Body tables: `joint mass com_x com_y com_z Ixx Iyy Izz Ixy Ixz Iyz`, SI, joint axes. */
#ifndef KANE_TABLES_BODY_TABLES_H
#define KANE_TABLES_BODY_TABLES_H

#include <stdio.h>

#include "analysis/anatomy/strength.h"
#include "analysis/base/status.h"
#include "analysis/clip/motion.h"
#include "analysis/clip/skeleton.h"
#include "analysis/control/playback.h"
#include "analysis/dynamics/inverse_dynamics.h"
#include "analysis/model/equations.h"
#include "analysis/sim/scene.h"
#include "analysis/sim/soft_joints.h"
#include "analysis/sim/springs.h"

/* Joints without a row weigh nothing. STATUS_BAD_INPUT for an unknown or repeated joint, a negative mass, an inertia
 * that is not positive semi-definite; it need not satisfy the triangle inequality. */
Status segments_read(const char *path, const Skeleton *skeleton, Body *out, Error *err);

/* One row per joint with a mass; what is read back is the same to the last digit. */
Status segments_write(const Skeleton *skeleton, const Body *body, FILE *stream, Error *err);

/* Strength of one person: the table of --strength. */

/* A table with the columns of data/strength_athlete.tsv, a row a motion, torques in Nm of this person. The caller frees
 * *curves. Errors name line and column. */
Status strength_table_read(const char *path, PersonCurve **curves, int *count, Error *err);

/* Tables of joints that give way: `joint stiffness damping`, N/m and Ns/m. Joints go by name or role. */

/* out->joint is the caller's to free. STATUS_BAD_INPUT with line and column for an unknown joint, one named twice, the
 * root, a number that is none, a stiffness that is not positive and a damping below zero. */
Status soft_joints_read(const char *path, const Skeleton *skeleton, SoftJoints *out, Error *err);

/* Tables of controllers' gains: `joint stiffness damping`, and where they are wanted `integral` and `torque_max_nm`; an
 * empty cell leaves the joint what all have. Joints go by name or role. */

/* gains[joint] of the skeleton are filled: NaN where the table has no value. STATUS_BAD_INPUT with line and column for
 * an unknown joint, one named twice, a number that is none, a stiffness that is not positive, others below zero. */
Status joint_gains_read(const char *path, const Skeleton *skeleton, JointGains *gains, Error *err);

/* Tables of targets: `time joint x y z`, places of joint centres, m, world axes. Joints go by name or role. */

/* The caller frees out->memory. STATUS_BAD_INPUT with line and column for an unknown joint or a number that is none. */
Status targets_read(const char *path, const Skeleton *skeleton, TargetRows *out, Error *err);

/* Tables of springs: `name kind joint_a ax ay az joint_b bx by bz stiffness damping rest`, points in m in axes of the
 * joint, SI. Joints go by name or role, "world" stands for the world; the rest `start` is that of the start. Further
 * columns: `law`, which names rows `law length rate force` of a second table, and the rotation vectors of frames,
 * `rotation_ax` to `rotation_bz`. Kinds: analysis/sim/springs.h. */

typedef struct SpringFiles {
    const char *springs, *laws; /* paths; laws NULL: none */
    const ParticleGrid *grid;   /* [grid_count] whose particles ends may name; NULL: none */
    int grid_count;
} SpringFiles;

/* STATUS_BAD_INPUT with file, line and column for an unknown kind, joint or law, a number that is none, or a spring
 * that makes no sense; STATUS_USAGE where no spring follows a law. */
Status springs_read(const SpringFiles *files, const Skeleton *skeleton, Springs *out, Error *err);

/* Tables of measured forces, long form: `time joint fx fy fz px py pz tx ty tz`, world axes, SI. */

/* STATUS_BAD_INPUT for an unknown joint or a number that is none. */
Status external_read(const char *path, const Skeleton *skeleton, ExternalRows *out, Error *err);

/* Tables of generalised speeds: `speed of coefficient`, a row per term; a new speed is the sum of coefficient times
 * old speed. */

/* For speed_forms_free. STATUS_BAD_INPUT with line and column for an old speed that is not in name[count], a number
 * that is none, and where there are not as many new speeds as old ones that they are of. */
Status speed_forms_read(const char *path, const SpeedName *name, int count, SpeedForms *out, Error *err);
void speed_forms_free(SpeedForms *forms);

/* What a scene in MJCF has no word for, in tables beside it: forces and torques over time, drives by joint.
 *
 *     forces       time joint fx fy fz px py pz tx ty tz     as measured forces (body_tables.h); joint: a body
 *     torques      time joint torque                         joint: a hinge or slide, Nm or N
 *     controllers  joint stiffness damping target angle      the drive k (target - q) - d q'; angle: of a ball roll,
 *                                                            pitch, yaw (rad), or rotation (target w x y z)
 *                                                            optional integral, integral_max: + integral times the
 *                                                            sum of target - q, which is bounded
 *     limits       joint roll_min roll_max pitch_min pitch_max yaw_min yaw_max    of a ball, degrees
 *     compliance   kind name compliance time_constant axis other    what gives way (notes 0.11); kind: equality, limit,
 *                                                            geom or body (contacts); after limits, whose joints count
 *     rolling      kind body x y z ax ay az radius nx ny nz     edges and wheels (analysis/sim/scene_rolling.h)
 *     particles    nx ny nz x y z spacing mass stiffness damping body face    a grid; body and face may be empty;
 *                                                            optional name, for springs: name:i,j,k
 *     attachments  body to kind                              kind: rigid, or point, which turns freely
 *     joint paths  joint time position                       a hinge or slide that is driven, rad or m
 *     body paths   body time x y z                           a body that is driven; its rotation vectors in
 *                                                            the optional columns rotation_x rotation_y rotation_z, rad
 *
 * Axes of the scene, SI. Of one body or joint the times grow. */

typedef struct SceneTables {
    int drive_count;
    SceneDrive *drive; /* [drive_count] owned */
    int controller_count;
    SceneController *controller; /* [controller_count] owned */
    int grid_count;
    ParticleGrid *grid; /* [grid_count] owned */
    int attachment_count;
    SceneAttachment *attachment; /* [attachment_count] owned */
    int angle_limit_count;
    SceneAngleLimits *angle_limit; /* [angle_limit_count] owned */
    int compliance_count;
    SceneCompliance *compliance; /* [compliance_count] owned */
    int rolling_count;
    SceneRolling *rolling; /* [rolling_count] owned */
    int path_count;
    ScenePath *path; /* [path_count] owned */
    Arena memory;       /* of the drives' rows */
} SceneTables;

/* (SceneTables){0} is empty; each adds to what is there. STATUS_BAD_INPUT with line and column. */
Status scene_forces_read(const char *path, const Skeleton *bodies, SceneTables *tables, Error *err);
Status scene_torques_read(const char *path, const Model *model, SceneTables *tables, Error *err);
Status scene_controllers_read(const char *path, const Model *model, SceneTables *tables, Error *err);
Status scene_limits_read(const char *path, const Model *model, SceneTables *tables, Error *err);
Status scene_compliance_read(const char *path, const Model *model, SceneTables *tables, Error *err);
Status scene_rolling_read(const char *path, const Model *model, SceneTables *tables, Error *err);
Status scene_particles_read(const char *path, const Model *model, SceneTables *tables, Error *err);
Status scene_attachments_read(const char *path, const Model *model, SceneTables *tables, Error *err);

/* A driven body of the world without joints, such as a mocap body, gets a free one: to be read before tables that name
 * joints. */
Status scene_body_paths_read(const char *path, Model *model, SceneTables *tables, Error *err);
Status scene_joint_paths_read(const char *path, const Model *model, SceneTables *tables, Error *err);
void scene_tables_free(SceneTables *t);

#endif
