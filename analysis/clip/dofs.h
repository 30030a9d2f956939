/* Degrees of freedom of a model's joints: group /dof of a container.
 *
 * A clip from motion capture has none: each of its joints turns freely. A clip of a scene or robot names the axes about
 * and along which its joints move. One row is one number: a hinge or slide has one, a ball three, a free joint six.
 * Rows of one joint stand side by side, from the parent's side on: each moves the axes of those behind it.
 *
 *     segment at rest:  rest_rotation, at the joint's offset in the parent's axes
 *     hinge, custom:    turns by position - zero about `axis` through `anchor`
 *     slide:            moves by position - zero along `axis`
 *     ball:             three rows, axes x, y, z: its position is the rotation vector, its velocity the angular
 *                       velocity in axes of the segment
 *     free:             six rows: the place of the joint and its velocity in the parent's axes, then as a ball
 *
 * A custom one turns about an axis that itself moves (OpenSim's CustomJoint): moving_axis through moving_anchor, frame
 * by frame; its position is as it came. A row that is coupled follows another of its clip,
 *     position - zero = sum_k coupling[k] (position of the other - its zero)^k,
 * and still turns or slides: so coupling is no kind of its own. */
#ifndef KANE_CLIP_DOFS_H
#define KANE_CLIP_DOFS_H

#include <stddef.h>

#include "analysis/base/status.h"
#include "analysis/math/quat.h"
#include "analysis/math/vec.h"

typedef enum DofKind {
    DOF_UNKNOWN = 0, /* of a file of an earlier version */
    DOF_HINGE,
    DOF_SLIDE,
    DOF_BALL,
    DOF_FREE,
    DOF_CUSTOM,
    DOF_KIND_COUNT
} DofKind;

enum { DOF_BOUNDS = 2, DOF_TERMS = 5, DOFS_PER_BALL = 3, DOFS_PER_FREE = 6, DOFS_PER_JOINT = 6 };

typedef struct Dofs {
    int frame_count, count;
    char **name;           /* [dof] owned */
    int *joint;            /* [dof] whose segment it moves */
    DofKind *kind;         /* [dof] */
    Vec3 *axis;            /* [dof] unit, axes of the segment as the rows before leave it */
    Vec3 *anchor;          /* [dof] m, in the same axes, from the joint's centre */
    double *zero;          /* [dof] rad or m, where the segment is at rest */
    Quat *rest_rotation;   /* [dof] segment at rest to parent axes; the same in all rows of a joint */
    double *range;         /* [dof][2] rad or m, least and most; NaN: no limit */
    double *effort_limit;  /* [dof][2] Nm or N, least and most; NaN: no limit */
    double *speed_limit;   /* [dof] rad/s or m/s; NaN: no limit */
    double *armature;      /* [dof] kg m2 or kg */
    unsigned char *locked; /* [dof] 1: it does not move */
    int *coupled_to;       /* [dof] row that it follows; -1: none */
    double *coupling;      /* [dof][5] by powers of the other's position less its zero */
    double *position;      /* [frame][dof] rad or m; this and the next NULL where they are not known */
    double *velocity;      /* [frame][dof] rad/s or m/s */
    double *acceleration;  /* [frame][dof] rad/s2 or m/s2 */
    double *effort;        /* [frame][dof] Nm or N: the generalised force; of a coupled one 0: it is in the other's */
    Vec3 *moving_axis;     /* [frame][dof] of custom ones, unit, parent axes; NULL where there are none */
    Vec3 *moving_anchor;   /* [frame][dof] m, from the parent's joint centre, parent axes */
} Dofs;

/* Rows without names, of unknown kind and limits, at rest as their parents are; nothing over time. On failure *d is
 * empty. */
Status dofs_init(Dofs *d, int frame_count, int count, Error *err);
void dofs_free(Dofs *d);

/* What is not zero in new rows. */
void dofs_set_defaults(Dofs *d);

/* "hinge"; "" for DOF_UNKNOWN. Valid for the life of the program. 0 where no kind has the name. */
const char *dof_kind_name(DofKind kind);
int dof_kind_from_name(const char *name, DofKind *kind);

/* Copies a name into a row. */
Status dofs_set_name(Dofs *d, int row, const char *name, Error *err);

/* Rows of the joint that a row belongs to: the first, and one past the last. */
int dofs_first(const Dofs *d, int row);
int dofs_end(const Dofs *d, int row);

/* Whether a row turns (rad, Nm) or slides (m, N): of a free joint the first three slide. */
int dofs_turns(const Dofs *d, int row);

static inline size_t dofs_index(const Dofs *d, int frame, int row)
{
    return (size_t)frame * (size_t)d->count + (size_t)row;
}

/* What does not hold together, by row and name: joints, order, numbers of rows, axes, couplings. STATUS_BAD_INPUT. */
Status dofs_check(const Dofs *d, int joint_count, Error *err);

#endif
