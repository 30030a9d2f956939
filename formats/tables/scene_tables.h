/* What a scene in MJCF has no word for, in tables beside it: forces and torques over time, drives by joint.
 *
 *     forces       time joint fx fy fz px py pz tx ty tz     as measured forces (body_tables.h); joint: a body
 *     torques      time joint torque                         joint: a hinge or slide, Nm or N
 *     controllers  joint stiffness damping target            the drive k (target - q) - d q'
 *     particles    nx ny nz x y z spacing mass stiffness damping body face    a grid; body and face may be empty
 *     attachments  body to kind                              kind: rigid, or point, which turns freely
 *
 * Axes of the scene, SI. Of one body or joint the times grow. */
#ifndef KANE_FORMATS_SCENE_TABLES_H
#define KANE_FORMATS_SCENE_TABLES_H

#include "analysis/clip/skeleton.h"
#include "analysis/sim/scene.h"

typedef struct SceneTables {
    int drive_count;
    SceneDrive *drive; /* [drive_count] owned */
    int controller_count;
    SceneController *controller; /* [controller_count] owned */
    int grid_count;
    ParticleGrid *grid; /* [grid_count] owned */
    int attachment_count;
    SceneAttachment *attachment; /* [attachment_count] owned */
    Arena memory;       /* of the drives' rows */
} SceneTables;

/* (SceneTables){0} is empty; each adds to what is there. STATUS_BAD_INPUT with line and column. */
Status scene_forces_read(const char *path, const Skeleton *bodies, SceneTables *tables, Error *err);
Status scene_torques_read(const char *path, const Model *model, SceneTables *tables, Error *err);
Status scene_controllers_read(const char *path, const Model *model, SceneTables *tables, Error *err);
Status scene_particles_read(const char *path, const Model *model, SceneTables *tables, Error *err);
Status scene_attachments_read(const char *path, const Model *model, SceneTables *tables, Error *err);
void scene_tables_free(SceneTables *t);

#endif
