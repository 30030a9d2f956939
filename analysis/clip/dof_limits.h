/* The limits of a degree of freedom, a row each: a member of Dofs, a dataset of /dof and a column of dof_stat in the
 * index. What fills a limit is its source, such as analysis/sim/scene_bodies.c. */
#ifndef KANE_CLIP_DOF_LIMITS_H
#define KANE_CLIP_DOF_LIMITS_H

/* LIMIT(member and dataset, quantity, form, unit, meaning, column, its meaning); rad or m and N m or N, NaN: no limit.
 * A limit has the dimension of its quantity. */
#define DOF_LIMITS(LIMIT) \
    LIMIT(range, POSITION, RANGE, "1", "smallest and largest position, rad or m; NaN: no limit", range_fraction_max, \
          "0 in the middle of its range, 1 at an end, above 1 beyond; NULL: no range") \
    LIMIT(speed_limit, VELOCITY, SIZE, "1/s", "largest speed, rad/s or m/s; NaN: no limit", speed_limit_fraction, \
          "largest speed over its limit; NULL: no limit") \
    LIMIT(effort_limit, EFFORT, SIDES, "1", "smallest and largest effort of its actuator, N m or N; NaN: no limit", \
          effort_limit_fraction, "largest effort over the limit on its side; NULL: no limit")

typedef enum DofQuantity { DOF_POSITION, DOF_VELOCITY, DOF_ACCELERATION, DOF_EFFORT, DOF_QUANTITY_COUNT } DofQuantity;

/* Numbers of a form, [dof][numbers], and the fraction of the limit that a value reaches. */
typedef enum DofLimitForm {
    DOF_RANGE, /* minimum and maximum: 0 in the middle, 1 at an end */
    DOF_SIDES, /* minimum below 0 and maximum above: the value over the one on its side */
    DOF_SIZE   /* largest magnitude: the magnitude over it */
} DofLimitForm;

enum { DOF_BOUNDS = 2 };
#define DOF_LIMIT_NUMBERS(form) ((form) == DOF_SIZE ? 1 : DOF_BOUNDS)

#define DOF_LIMIT_MEMBER(name, ...) double *name;
#define DOF_LIMIT_ID(name, ...) DOF_LIMIT_##name,
enum { DOF_LIMITS(DOF_LIMIT_ID) DOF_LIMIT_COUNT };

#endif
