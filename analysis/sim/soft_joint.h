/* Compliant joints of a clip: springs and dampers (docs/sources.md, notes 0.11). */
#ifndef KANE_SIM_SOFT_JOINT_H
#define KANE_SIM_SOFT_JOINT_H

typedef struct SoftJoint {
    int joint;                 /* of the clip */
    double stiffness, damping; /* N/m, Ns/m, of its translation */
} SoftJoint;

typedef struct SoftJoints {
    int count;
    SoftJoint *joint; /* [count] owned: free it */
} SoftJoints;

#endif
