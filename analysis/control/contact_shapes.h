/* What of a simulated body meets the ground: points of soles, hands, knees, seat and back (analysis/contact), and, of a
 * body that may fall, spheres at all joints and tips of bones, which enclose the bones between them. */
#ifndef KANE_CONTROL_CONTACT_SHAPES_H
#define KANE_CONTROL_CONTACT_SHAPES_H

#include "analysis/clip/joint_kinematics.h"
#include "analysis/control/lumped_body.h"

typedef struct ContactShapesDef {
    const LumpedBody *lumped;
    const Kinematics *reference; /* of the simulated bodies */
    double ground;               /* m, y where the ground meets the y axis */
    Vec3 normal;                 /* unit, upwards */
    int whole;                   /* 1: with the spheres */
} ContactShapesDef;

typedef struct ContactShapes {
    int count;
    int sole_count; /* the first ones are the points, without a radius */
    int *joint;     /* [count] simulated joint */
    Vec3 *point;    /* [count] m, joint axes */
    double *radius; /* [count] m */
    Arena memory;   /* owns the arrays */
} ContactShapes;

/* Shapes are fitted to the reference, which never passes through the ground: points that come near it just touch it in
 * their lowest pass, and a sphere is no larger than its smallest height. Reads skeleton, body and motion of the
 * clip. */
Status contact_shapes_init(ContactShapes *out, const ContactShapesDef *def, const ClipView *clip, Error *err);
void contact_shapes_free(ContactShapes *s);

#endif
