/* Tables beside an MJCF scene, for what MJCF cannot express: forces and torques over time, controllers, paths.
 *
 *     forces       time joint fx fy fz px py pz tx ty tz     as measured forces (external_table.h); joint: a body
 *     torques      time joint torque                         joint: a hinge or slide, N m or N
 *     controllers  joint stiffness damping target angle      torque k (target - q) - d q'; angle: of a ball roll,
 *                                                            pitch, yaw (rad), or rotation (target w x y z)
 *                                                            optional integral, integral_max: plus integral times
 *                                                            the bounded sum of target - q
 *     limits       joint roll_min roll_max pitch_min pitch_max yaw_min yaw_max    of a ball, degrees
 *     compliance   kind name compliance time_constant axis other    compliance (notes 0.11); kind: equality, limit,
 *                                                            geom or body (contacts); read after limits
 *     rolling      kind body x y z ax ay az radius nx ny nz     edges and wheels (analysis/sim/scene_rolling.h)
 *     particles    nx ny nz x y z spacing mass stiffness damping body face    a grid; body and face may be empty;
 *                                                            optional name, for springs: name:i,j,k
 *     attachments  body to kind                              kind: rigid, or point (rotates freely)
 *     joint paths  joint time position                       prescribed motion of a hinge or slide, rad or m
 *     body paths   body time x y z                           prescribed motion of a body; optional columns
 *                                                            rotation_x rotation_y rotation_z: rotation vector, rad
 *
 * Axes of the scene, SI. Times of one body or joint increase. */
#ifndef KANE_TABLES_SCENE_TABLES_H
#define KANE_TABLES_SCENE_TABLES_H

#include "analysis/base/arena.h"
#include "analysis/base/status.h"
#include "analysis/clip/skeleton.h"
#include "analysis/model/model.h"
#include "analysis/sim/scene_def.h"

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
