/* Degrees of freedom of a model's joints: group /dof of a clip file.
 *
 * Clips from motion capture have none: each of their joints rotates freely. Clips of a scene or robot list the axes
 * about and along which its joints move. One row per degree of freedom: a hinge or slide has one row, a ball three, a
 * free joint six. Rows of one joint are adjacent, ordered from the parent's side; each moves the axes of the following
 * rows.
 *   segment at rest:  rest_rotation, at the joint's offset in the parent's axes
 *   hinge:            rotates by position - zero about `axis` through `anchor`
 *   slide:            translates by position - zero along `axis`
 *   ball:             three rows, axes x, y, z; position: the rotation vector, velocity: the angular velocity in axes
 *                     of the segment
 *   free:             six rows: position and velocity of the joint in the parent's axes, then as a ball
 *
 * A custom row moves its segment along a curve (OpenSim's CustomJoint): per frame, moving_axis and moving_velocity are
 * the segment's angular velocity and its joint centre's velocity per unit of the row's speed; its position is that of
 * the source. A coupled row follows another row of its clip,
 *   position - zero = sum_k coupling[k] (position of the other - its zero)^k,
 * and is still a rotation or translation, so coupling is not a kind. */
#ifndef KANE_CLIP_DOFS_H
#define KANE_CLIP_DOFS_H

#include <stddef.h>

#include "analysis/base/status.h"
#include "analysis/clip/dof_limits.h"
#include "analysis/math/quat.h"
#include "analysis/math/vec.h"

typedef enum DofKind {
    DOF_UNKNOWN = 0, /* in files of earlier versions */
    DOF_HINGE,
    DOF_SLIDE,
    DOF_BALL,
    DOF_FREE,
    DOF_CUSTOM,
    DOF_KIND_COUNT
} DofKind;

enum { DOF_TERMS = 5, DOFS_PER_BALL = 3, DOFS_PER_FREE = 6, DOFS_PER_JOINT = 6 };

typedef struct Dofs {
    int frame_count, count;
    char **name;           /* [dof] owned */
    int *joint;            /* [dof] joint whose segment it moves */
    DofKind *kind;         /* [dof] */
    Vec3 *axis;            /* [dof] unit, axes of the segment after the previous rows */
    Vec3 *anchor;          /* [dof] m, in the same axes, from the joint's centre */
    double *zero;          /* [dof] rad or m, position of the segment at rest */
    Quat *rest_rotation;   /* [dof] segment at rest to parent axes; equal in all rows of a joint */
    DOF_LIMITS(DOF_LIMIT_MEMBER) /* [dof][DOF_LIMIT_NUMBERS of its form]: range, speed_limit, effort_limit */
    double *armature;      /* [dof] kg m2 or kg, inertia of its actuator */
    unsigned char *locked; /* [dof] 1: it does not move */
    int *coupled_to;       /* [dof] the row that it follows; -1: none */
    double *coupling;      /* [dof][5] coefficients of powers of the other's position minus its zero */
    double *position;      /* [frame][dof] rad or m; this and the following NULL: unknown */
    double *velocity;      /* [frame][dof] rad/s or m/s */
    double *acceleration;  /* [frame][dof] rad/s2 or m/s2 */
    double *effort;        /* [frame][dof] N m or N, generalised force; coupled rows: 0, included in the row they
                              follow */
    double *actuator_force; /* [frame][dof] N m or N, of a simulated scene: the generalised force of its actuators; */
    double *passive_force;  /* of springs and dampers; */
    double *applied_force;  /* of tabulated forces; */
    double *constraint_force; /* of limits, dry friction and equalities, mean over the steps around the frame; */
    double *contact_force;  /* of contacts, likewise */
    Vec3 *moving_axis;     /* [frame][dof] rad per unit, parent axes; custom rows only, NULL: none */
    Vec3 *moving_velocity; /* [frame][dof] m per unit, parent axes */
} Dofs;

/* Allocates rows without names, of unknown kind, without limits, with identity rest rotation and without values over
 * time. On failure *d is empty. */
Status dofs_init(Dofs *d, int frame_count, int count, Error *err);
void dofs_free(Dofs *d);

/* Sets the defaults that are not zero. */
void dofs_set_defaults(Dofs *d);

typedef struct DofLimit {
    DofQuantity quantity;
    DofLimitForm form;
    int numbers;    /* per row */
    size_t member;  /* offset in Dofs */
} DofLimit;

/* By DOF_LIMIT_range, ... */
extern const DofLimit dof_limits[DOF_LIMIT_COUNT];

/* The numbers of a limit of a row. */
double *dofs_limit(const Dofs *d, int limit, int row);

/* Fraction of the limit that a value of its quantity reaches; NaN: no limit, or an unknown value. */
double dofs_limit_fraction(const Dofs *d, int limit, int row, double value);

/* dof_kind_name returns a name such as "hinge", "" for DOF_UNKNOWN, in static storage. dof_kind_from_name returns 0 for
 * an unknown name. */
const char *dof_kind_name(DofKind kind);
int dof_kind_from_name(const char *name, DofKind *kind);

/* Removes the first frame of the arrays over time; there must be one. */
void dofs_drop_first_frame(Dofs *d);

/* Copies a name into a row. */
Status dofs_set_name(Dofs *d, int row, const char *name, Error *err);

/* First row of the joint of a row, and one past its last row. */
int dofs_first(const Dofs *d, int row);
int dofs_end(const Dofs *d, int row);

/* Whether a row is a rotation (rad, N m) or a translation (m, N). A free joint has three translations, then three
 * rotations; a custom row that turns its segment is a rotation. */
int dofs_is_rotation(const Dofs *d, int row);

static inline size_t dofs_index(const Dofs *d, int frame, int row)
{
    return (size_t)frame * (size_t)d->count + (size_t)row;
}

/* Checks joints, order, numbers of rows, axes and couplings. STATUS_BAD_INPUT names the inconsistent row. */
Status dofs_check(const Dofs *d, int joint_count, Error *err);

#endif
