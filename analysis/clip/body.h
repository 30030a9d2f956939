/* Mass properties of every segment: group /body of a clip file. */
#ifndef KANE_CLIP_BODY_H
#define KANE_CLIP_BODY_H

#include "analysis/base/status.h"
#include "analysis/math/vec.h"

#define BODY_MODEL_SIZE 64
#define OPENSIM_OTHER_UP ", not Y up" /* ends the model's name if its ground is otherwise than kane's world */

typedef struct Body {
    int joint_count;
    double *mass;      /* [joint] kg */
    Vec3 *com;         /* [joint] m, from the joint centre, joint axes */
    Sym3 *inertia;     /* [joint] kg m2, about the centre of mass, joint axes */
    double total_mass; /* kg */
    double stature;    /* m, standing height; 0: unknown */
    char model[BODY_MODEL_SIZE]; /* "deleva male", "segments", "capsules", "opensim gait10dof" */
} Body;

Status body_init(Body *b, int joint_count, Error *err);
void body_free(Body *b);
Status body_copy(Body *to, const Body *from, Error *err);

#endif
