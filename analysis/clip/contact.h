/* External forces on the body: group /contact of a clip file.
 *
 * Estimated forces act straight below points fixed in a body, at sole level; `moment` is the moment of that lever about
 * the point. Measured forces (--external) and those of a simulated scene are stored as one point per loaded joint, at
 * its centre, with the couple about it in `moment`. */
#ifndef KANE_CLIP_CONTACT_H
#define KANE_CLIP_CONTACT_H

#include "analysis/base/status.h"
#include "analysis/math/vec.h"

enum { FOOT_LEFT = 0, FOOT_RIGHT = 1, FOOT_COUNT = 2 };

typedef struct Contact {
    int frame_count;
    int point_count;        /* 0: no contact model, or method none */
    int *point_joint;       /* [point] */
    Vec3 *point_position;   /* [point] m, in axes of point_joint */
    Vec3 *force;            /* [frame][point] N, world axes, on the body */
    Vec3 *moment;           /* [frame][point] N m, couple about the point, world axes; NULL: none */
    double *state;          /* [frame][point] 0 free .. 1 in contact */
    Vec3 *foot_force;       /* [frame][foot] N, world axes; foot = left, right */
    Vec3 *foot_cop;         /* [frame][foot] m, world, on the ground; zero where the foot is unloaded */
    Vec3 *foot_free_moment; /* [frame][foot] N m, about the ground normal through the COP */
    double *confidence;     /* [frame] 0 .. 1 */
    double ground_height;   /* m, world y where the ground plane meets the y axis */
    Vec3 ground_normal;     /* unit */
    double friction;        /* mu of the friction cones of the estimate; 0: unknown */
    double linear_reduction;  /* m/s2, RMS acceleration that residual reduction added to the body; 0: none */
    double angular_reduction; /* rad/s2, RMS angular acceleration that it added to the trunk */
} Contact;

/* Allocates zeroed arrays; ground y = 0 with normal +Y, confidence 1; moment only if has_moment. */
Status contact_init(Contact *c, int frame_count, int point_count, int has_moment, Error *err);
void contact_free(Contact *c);

#endif
