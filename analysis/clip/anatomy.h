/* Angles, rates, moments and powers about anatomical axes: group /anatomy of a container.
 *
 * Three coordinates a joint (analysis/clip/coordinate.h), each about a unit axis e_i in world axes. With M the torque
 * of the joint and w the angular velocity of the distal segment less that of the proximal one:
 *     moment_i = M . e_i             the internal moment about the axis: the generalised force of the coordinate
 *     w        = sum velocity_i e_i, so that sum moment_i velocity_i = M . w
 *     M        = sum moment_i d_i    with d_i the dual basis: d_1 = e_2 x e_3 / (e_1 . e_2 x e_3), and so on
 * A joint within 10 degrees of a pose in which its first and third axis fall into one line is singular there: angle,
 * velocity and power are NaN. */
#ifndef KANE_CLIP_ANATOMY_H
#define KANE_CLIP_ANATOMY_H

#include <stddef.h>
#include <stdint.h>

#include "analysis/base/status.h"
#include "analysis/clip/coordinate.h"
#include "analysis/math/vec.h"

#define ANATOMY_TEXT_SIZE 64

typedef struct Anatomy {
    int frame_count;
    int coordinate_count;    /* a multiple of COORDINATES_PER_JOINT; 0: no joint has anatomical axes */
    Coordinate *coordinate;  /* [coordinate] ascending, the three of a joint side by side */
    int *joint;              /* [coordinate] joint that it belongs to: its torque makes the moment */
    double *angle;           /* [frame][coordinate] rad, -pi to pi */
    double *velocity;        /* [frame][coordinate] rad/s */
    double *moment;          /* [frame][coordinate] Nm */
    double *power;           /* [frame][coordinate] W, positive generates */
    double *moment_sd;       /* [frame][coordinate] Nm, standard deviation of the moment about the axis as it stands;
                                NULL: nobody asked for that of the torque */
    Vec3 *axis;              /* [frame][coordinate] unit, world axes; NULL: not kept */
    uint8_t *singular;       /* [frame][coordinate] 1: too near a singular pose */
    double *capacity;        /* [frame][coordinate] Nm that the person could exert in the direction of the moment, at
                                that angle and speed; NaN: not known; NULL: nobody asked */
    double *use;             /* [frame][coordinate] size of the moment over the capacity; NaN, NULL: the same */
    double *passive;         /* [frame][coordinate] Nm that tissues exert without muscles, positive in the direction of
                                the coordinate; NaN: not known; NULL: nobody asked for strength, or axes not kept */
    char neutral[ANATOMY_TEXT_SIZE];   /* "rest": the pose in which angles are zero, and why */
    char knee_axis[ANATOMY_TEXT_SIZE]; /* "geometry" or "functional", with the knees that it holds for */
    char strength[ANATOMY_TEXT_SIZE];  /* whose: "athlete"; "" without capacity */
} Anatomy;

static inline size_t anatomy_index(const Anatomy *a, int frame, int place)
{
    return (size_t)frame * (size_t)a->coordinate_count + (size_t)place;
}

/* Zeroed, axis only when has_axes, without capacity and use; coordinate and joint are the caller's to fill. */
Status anatomy_init(Anatomy *a, int frame_count, int coordinate_count, int has_axes, Error *err);
Status anatomy_add_spread(Anatomy *a, Error *err);   /* zeroed moment_sd */
Status anatomy_add_strength(Anatomy *a, Error *err); /* zeroed capacity and use */
Status anatomy_add_passive(Anatomy *a, Error *err);  /* zeroed passive */
void anatomy_free(Anatomy *a);

/* Place of a coordinate among those of the clip; -1 where it has not got it. */
int anatomy_find(const Anatomy *a, Coordinate coordinate);

/* Place of the first of a joint's coordinates; -1: it has none. */
int anatomy_of_joint(const Anatomy *a, int joint);

/* The vector M with M . e_i = moment_i about the axes of three coordinates, of which first is the place of the first:
 * the sum of moment_i d_i. World axes. The anatomy has its axes; NaN where a moment is. */
Vec3 anatomy_vector(const Anatomy *a, int frame, int first, const double moment[COORDINATES_PER_JOINT]);

/* The largest share of strength over the coordinates of a joint; NaN where none is known. */
double anatomy_joint_use(const Anatomy *a, int frame, int joint);

#endif
