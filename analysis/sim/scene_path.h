/* The way of a driven joint over time (docs/sources.md, notes 0.21): a cubic spline through rows, whose third
 * derivative goes on over the second and the last but one of them. Before the first row and behind the last it stands
 * still. */
#ifndef KANE_SIM_SCENE_PATH_H
#define KANE_SIM_SCENE_PATH_H

#include "analysis/base/status.h"

enum { PATH_OF_BODY = 7 };

typedef struct ScenePath {
    int joint;
    int row_count;
    int width;     /* 1: of a hinge or slide, rad or m; PATH_OF_BODY: of a free joint, place and quaternion w x y z */
    double *time;  /* [row] s, growing */
    double *value; /* [row][width] in axes of the model */
    double *curve; /* [row][width] second derivatives: scene_path_prepare */
} ScenePath;

/* Fills in the second derivatives; quaternions take the nearer sign to the one before. */
Status scene_path_prepare(ScenePath *p, Error *err);

/* value[width] and its rate[width]; the quaternion is not of unit length. */
void scene_path_at(const ScenePath *p, double time, double *value, double *rate);

#endif
