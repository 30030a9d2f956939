/* Angles, rates, moments and powers about anatomical axes: group /angles of a clip file.
 *
 * Three coordinates per joint, each about a unit axis e_i in world axes. With M the torque of the joint and w the
 * angular velocity of the distal segment relative to the proximal one:
 *   moment_i = M . e_i             the internal moment about the axis: the generalised force of the coordinate
 *   w        = sum velocity_i e_i, so that sum moment_i velocity_i = M . w
 *   M        = sum moment_i d_i    with d_i the dual basis: d_1 = e_2 x e_3 / (e_1 . e_2 x e_3), and so on
 *
 * A joint is singular within 10 degrees of a pose in which its first and third axis are collinear: angle, velocity and
 * power are NaN there. */
#ifndef KANE_CLIP_JOINT_ANGLES_H
#define KANE_CLIP_JOINT_ANGLES_H

#include <stddef.h>
#include <stdint.h>

#include "analysis/base/status.h"
#include "analysis/clip/coordinate.h"
#include "analysis/math/vec.h"

#define ANGLES_TEXT_SIZE 64

typedef struct JointAngles {
    int frame_count;
    int coordinate_count;    /* a multiple of COORDINATES_PER_JOINT; 0: no joint has anatomical axes */
    Coordinate *coordinate;  /* [coordinate] ascending, the three of a joint adjacent */
    int *joint;              /* [coordinate] joint whose torque makes the moment */
    double *angle;           /* [frame][coordinate] rad, -pi to pi */
    double *velocity;        /* [frame][coordinate] rad/s */
    double *moment;          /* [frame][coordinate] N m */
    double *power;           /* [frame][coordinate] W, positive generates */
    double *moment_sd;       /* [frame][coordinate] N m, standard deviation of the moment, with the axis as exact;
                                NULL: not computed */
    Vec3 *axis;              /* [frame][coordinate] unit, world axes; NULL: not kept */
    uint8_t *singular;       /* [frame][coordinate] 1: too near a singular pose */
    double *capacity;        /* [frame][coordinate] N m, strength in the direction of the moment at that angle and
                                velocity; NaN: unknown; NULL: not computed */
    double *utilization;             /* [frame][coordinate] magnitude of the moment over the capacity; NaN, NULL: as
                                        capacity */
    double *utilization_sd;  /* [frame][coordinate] standard deviation of the utilization: of the moment where
                                moment_sd has it, and of strength among people; NaN: as capacity; NULL: not computed */
    double *passive;         /* [frame][coordinate] N m, moment of passive tissues, positive in the direction of the
                                coordinate; NaN: unknown; NULL: strength not computed, or axes not kept */
    char neutral[ANGLES_TEXT_SIZE];   /* the pose in which angles are zero, and its source: "rest" */
    char knee_axis[ANGLES_TEXT_SIZE]; /* "geometry" or "functional", with the knees it applies to */
    char strength[ANGLES_TEXT_SIZE];  /* source of the strength: "athlete"; "" without capacity */
} JointAngles;

static inline size_t joint_angles_index(const JointAngles *a, int frame, int column)
{
    return (size_t)frame * (size_t)a->coordinate_count + (size_t)column;
}

/* Allocates zeroed arrays, axis only if has_axes, without capacity and utilization. The caller fills coordinate and
 * joint. */
Status joint_angles_init(JointAngles *a, int frame_count, int coordinate_count, int has_axes, Error *err);
Status joint_angles_add_spread(JointAngles *a, Error *err);   /* adds a zeroed moment_sd */
/* Adds zeroed capacity, utilization and utilization_sd. */
Status joint_angles_add_strength(JointAngles *a, Error *err);
Status joint_angles_add_passive(JointAngles *a, Error *err);  /* adds a zeroed passive */
void joint_angles_free(JointAngles *a);

/* Index of a coordinate in the clip; -1: none. */
int joint_angles_find(const JointAngles *a, Coordinate coordinate);

/* Index of the first of a joint's coordinates; -1: none. */
int joint_angles_first(const JointAngles *a, int joint);

/* The vector M with M . e_i = moment_i about the axes of the three coordinates from index `first` on: the sum of
 * moment_i d_i. World axes. The angles must have axes. NaN if a moment is. */
Vec3 joint_angles_vector(const JointAngles *a, int frame, int first, const double moment[COORDINATES_PER_JOINT]);

/* The largest strength utilization among the coordinates of a joint; NaN: unknown. */
double joint_angles_utilization(const JointAngles *a, int frame, int joint);

#endif
