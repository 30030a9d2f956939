/* Readers of input tables (docs/formats/input_tables.md). Body tables: `joint mass com_x com_y com_z Ixx Iyy Izz Ixy
 * Ixz Iyz`, SI, joint axes. */
#ifndef KANE_TABLES_BODY_TABLES_H
#define KANE_TABLES_BODY_TABLES_H

#include <stdio.h>

#include "analysis/anatomy/strength_curve.h"
#include "analysis/base/status.h"
#include "analysis/clip/skeleton.h"
#include "analysis/control/playback.h"
#include "analysis/dynamics/inverse_dynamics.h"
#include "analysis/model/equations.h"
#include "analysis/sim/rigid_body.h"
#include "analysis/sim/scene.h"
#include "analysis/sim/springs.h"

/* Reads a body table; joints without a row are massless. STATUS_BAD_INPUT for an unknown or repeated joint, a negative
 * mass, or an inertia that is not positive semi-definite; the triangle inequality is not required. */
Status segments_read(const char *path, const Skeleton *skeleton, Body *out, Error *err);

/* Writes one row per joint with mass; numbers parse to the same doubles. */
Status segments_write(const Skeleton *skeleton, const Body *body, FILE *stream, Error *err);

/* Strength of one subject: the table of --strength. */

/* Reads a table with the columns of data/strength_athlete.tsv, one row per motion, torques in N m. The caller frees
 * *curves. Errors have line and column. */
Status strength_table_read(const char *path, PersonCurve **curves, int *count, Error *err);

/* Tables of compliant joints: `joint stiffness damping`, N/m and Ns/m. Joints by name or role. */

/* The caller frees out->joint. STATUS_BAD_INPUT with line and column for an unknown or repeated joint, the root, an
 * invalid number, a stiffness that is not positive or a negative damping. */
Status soft_joints_read(const char *path, const Skeleton *skeleton, SoftJoints *out, Error *err);

/* Tables of controller gains: `joint stiffness damping`, optionally `integral` and `torque_max_nm`; an empty cell keeps
 * the default of the joint. Joints by name or role. */

/* Fills gains[joint]; NaN where the table has no value. STATUS_BAD_INPUT with line and column for an unknown or
 * repeated joint, an invalid number, a stiffness that is not positive or another negative value. */
Status joint_gains_read(const char *path, const Skeleton *skeleton, JointGains *gains, Error *err);

/* Tables of targets: `time joint x y z`, positions of joint centres, m, world axes. Joints by name or role. */

/* The caller frees out->memory. STATUS_BAD_INPUT with line and column for an unknown joint or an invalid number. */
Status targets_read(const char *path, const Skeleton *skeleton, TargetRows *out, Error *err);

/* Tables of springs: `name kind joint_a ax ay az joint_b bx by bz stiffness damping rest`, SI, points in m in joint
 * axes. Joints by name or role, or "world". Rest `start` is the length at the start. Optional columns: `law`, the name
 * of a law with rows `law length rate force` in a second table, and the rotation vectors of frames, `rotation_ax` to
 * `rotation_bz`. Kinds: analysis/sim/springs.h. */

typedef struct SpringFiles {
    const char *springs, *laws; /* paths; laws NULL: none */
    const ParticleGrid *grid;   /* [grid_count] grids whose particles can be spring ends; NULL: none */
    int grid_count;
} SpringFiles;

/* STATUS_BAD_INPUT with file, line and column for an unknown kind, joint or law, an invalid number or an invalid
 * spring; STATUS_USAGE if laws are given and no spring uses one. */
Status springs_read(const SpringFiles *files, const Skeleton *skeleton, Springs *out, Error *err);

/* Tables of measured forces, in long form: `time joint fx fy fz px py pz tx ty tz`, world axes, SI. */

/* STATUS_BAD_INPUT for an unknown joint, an invalid number or decreasing times. */
Status external_read(const char *path, const Skeleton *skeleton, ExternalRows *out, Error *err);

/* Tables of generalised speeds: `speed of coefficient`, one row per term. A new speed is the sum of coefficient times
 * old speed. */

/* Free *out with speed_forms_free. STATUS_BAD_INPUT with line and column for an old speed that is not in name[count],
 * an invalid number, or different numbers of new speeds and old speeds in them. */
Status speed_forms_read(const char *path, const SpeedName *name, int count, SpeedForms *out, Error *err);
void speed_forms_free(SpeedForms *forms);

/* Tables beside an MJCF scene, for what MJCF cannot express: forces and torques over time, controllers, paths.
 *
 *     forces       time joint fx fy fz px py pz tx ty tz     as measured forces (above); joint: a body
 *     torques      time joint torque                         joint: a hinge or slide, N m or N
 *     controllers  joint stiffness damping target angle      torque k (target - q) - d q'; angle: of a ball roll,
 *                                                            pitch, yaw (rad), or rotation (target w x y z)
 *                                                            optional integral, integral_max: plus integral times
 *                                                            the bounded sum of target - q
 *     limits       joint roll_min roll_max pitch_min pitch_max yaw_min yaw_max    of a ball, degrees
 *     compliance   kind name compliance time_constant axis other    compliance (notes 0.11); kind: equality, limit,
 *                                                            geom or body (contacts); read after limits
 *     rolling      kind body x y z ax ay az radius nx ny nz     edges and wheels (analysis/sim/scene_constraints.h)
 *     particles    nx ny nz x y z spacing mass stiffness damping body face    a grid; body and face may be empty;
 *                                                            optional name, for springs: name:i,j,k
 *     attachments  body to kind                              kind: rigid, or point (rotates freely)
 *     joint paths  joint time position                       prescribed motion of a hinge or slide, rad or m
 *     body paths   body time x y z                           prescribed motion of a body; optional columns
 *                                                            rotation_x rotation_y rotation_z: rotation vector, rad
 *
 * Axes of the scene, SI. Times of one body or joint increase. */

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
    Arena memory;       /* of the drives, paths and names */
} SceneTables;

/* Each function adds to *tables; (SceneTables){0} is empty. STATUS_BAD_INPUT with line and column. */
Status scene_forces_read(const char *path, const Skeleton *bodies, SceneTables *tables, Error *err);
Status scene_torques_read(const char *path, const Model *model, SceneTables *tables, Error *err);
Status scene_controllers_read(const char *path, const Model *model, SceneTables *tables, Error *err);
Status scene_limits_read(const char *path, const Model *model, SceneTables *tables, Error *err);
Status scene_compliance_read(const char *path, const Model *model, SceneTables *tables, Error *err);
Status scene_rolling_read(const char *path, const Model *model, SceneTables *tables, Error *err);
Status scene_particles_read(const char *path, const Model *model, SceneTables *tables, Error *err);
Status scene_attachments_read(const char *path, const Model *model, SceneTables *tables, Error *err);

/* Adds a free joint to each prescribed body of the world without joints, such as a mocap body. Read this table before
 * tables that name joints. */
Status scene_body_paths_read(const char *path, Model *model, SceneTables *tables, Error *err);
Status scene_joint_paths_read(const char *path, const Model *model, SceneTables *tables, Error *err);
void scene_tables_free(SceneTables *t);

#endif
