/* Loads of the surroundings on the bodies, ready for inverse dynamics: a force and a moment about the world origin
 * for each loaded joint and frame. Measured tables and contact forces both become this. */
#ifndef KANE_DYNAMICS_LOADS_H
#define KANE_DYNAMICS_LOADS_H

#include "analysis/base/status.h"
#include "analysis/clip/contact.h"
#include "analysis/clip/motion.h"

typedef struct Loads {
    int frame_count;
    int load_count; /* loaded joints */
    int *joint;     /* [load] increasing, each once */
    Vec3 *force;    /* [frame][load] N, world axes, on the body */
    Vec3 *moment;   /* [frame][load] Nm, about the world origin, world axes */
} Loads;

/* Rows of an external-force table, joints resolved (long form; docs/formats.md "Tables"). */
typedef struct ExternalRows {
    int row_count;
    double *time;  /* [row] s */
    int *joint;    /* [row] */
    Vec3 *force;   /* [row] N, world */
    Vec3 *point;   /* [row] m, world */
    Vec3 *couple;  /* [row] Nm, world */
} ExternalRows;

Status external_rows_init(ExternalRows *rows, int row_count, Error *err);
void external_rows_free(ExternalRows *rows);

/* Zeroed loads of the joints whose loaded[joint] is set. */
Status loads_init(Loads *l, int frame_count, const char *loaded, int joint_count, Error *err);
void loads_free(Loads *l);

/* Several rows of one joint at one time add up; between rows force and moment about the world origin are
 * interpolated linearly, never the point; first and last row hold half a frame beyond, then there is no load.
 * STATUS_BAD_INPUT where the times of a joint decrease. */
Status loads_from_external(const ExternalRows *rows, const Motion *motion, Loads *out, Error *err);

/* Sum of the contact points of each joint; points are moved by the kinematics. */
Status loads_from_contact(const Contact *contact, const Kinematics *kinematics, Loads *out, Error *err);

#endif
