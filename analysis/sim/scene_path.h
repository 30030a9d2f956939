/* Path of a driven joint over time (docs/sources.md, notes 0.21): a cubic spline through rows, with not-a-knot ends
 * (continuous third derivative at the second row and the last but one). Outside the rows the joint is at rest. */
#ifndef KANE_SIM_SCENE_PATH_H
#define KANE_SIM_SCENE_PATH_H

#include "analysis/base/status.h"

enum { PATH_OF_BODY = 7 };

typedef struct ScenePath {
    int joint;
    int row_count;
    int width;     /* 1: hinge or slide, rad or m; PATH_OF_BODY: free joint, position and quaternion w x y z */
    double *time;  /* [row] s, increasing */
    double *value; /* [row][width] model axes */
    double *curve; /* [row][width] second derivatives: scene_path_prepare */
} ScenePath;

/* Computes the second derivatives; changes the sign of quaternions to that of the previous row. */
Status scene_path_prepare(ScenePath *p, Error *err);

/* Evaluates value[width] and its rate[width]; the quaternion is not normalised. */
void scene_path_at(const ScenePath *p, double time, double *value, double *rate);

#endif
