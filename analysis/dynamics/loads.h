/* External loads on the bodies as inverse dynamics reads them: a force and a moment about the world origin per loaded
 * joint and frame. Measured tables and contact forces are converted to loads. */
#ifndef KANE_DYNAMICS_LOADS_H
#define KANE_DYNAMICS_LOADS_H

#include "analysis/base/status.h"
#include "analysis/clip/contact.h"
#include "analysis/clip/joint_kinematics.h"
#include "analysis/clip/motion.h"

typedef struct Loads {
    int frame_count;
    int load_count; /* loaded joints */
    int *joint;     /* [load] increasing, each once */
    Vec3 *force;    /* [frame][load] N, world axes, on the body */
    Vec3 *moment;   /* [frame][load] N m, about the world origin, world axes */
} Loads;

/* Rows of an external-force table with resolved joints (long form; docs/formats/input_tables.md). */
typedef struct ExternalRows {
    int row_count;
    double *time;  /* [row] s */
    int *joint;    /* [row] */
    Vec3 *force;   /* [row] N, world */
    Vec3 *point;   /* [row] m, world */
    Vec3 *couple;  /* [row] N m, world */
} ExternalRows;

Status external_rows_init(ExternalRows *rows, int row_count, Error *err);
void external_rows_free(ExternalRows *rows);

/* Allocates zero loads for the joints with loaded[joint] set. */
Status loads_init(Loads *l, int frame_count, const char *loaded, int joint_count, Error *err);
void loads_free(Loads *l);

/* Converts a table to loads. Rows of one joint at the same time are added. Between times, force and moment about the
 * world origin are interpolated linearly, not the point. The first and last row extend by half a frame; beyond that the
 * load is zero. STATUS_BAD_INPUT if the times of a joint decrease. */
Status loads_from_external(const ExternalRows *rows, const Motion *motion, Loads *out, Error *err);

/* Sums the contact points of each joint; the kinematics give their positions. */
Status loads_from_contact(const Contact *contact, const Kinematics *kinematics, Loads *out, Error *err);

#endif
