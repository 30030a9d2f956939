/* An OpenSim model (.osim, versions 30000 and 40000): bodies, joints, coordinates, and points of the feet.
 *
 * A joint connects a frame F in its parent body to a frame M in its child:
 *   M in F:  translation sum_k t_k e_k in axes of F, rotation R(a_1, r_1) R(a_2, r_2) R(a_3, r_3),
 * with each t_k and r_k a function of one coordinate (or constant). All joints are of this form; an ellipsoid joint
 * adds the point of its ellipsoid where M's z axis is the normal. SI units, rad. */
#ifndef KANE_OPENSIM_OSIM_H
#define KANE_OPENSIM_OSIM_H

#include "analysis/base/arena.h"
#include "analysis/base/status.h"
#include "analysis/math/quat.h"
#include "formats/base/source_format.h"
#include "formats/opensim/osim_frames.h"
#include "formats/opensim/osim_function.h"

enum { OSIM_GROUND = -1, OSIM_NONE = -1, OSIM_AXES = 6, OSIM_ROTATIONS = 3 };

typedef struct OsimBody {
    const char *name;
    double mass;  /* kg */
    Vec3 com;     /* m, body axes */
    Sym3 inertia; /* kg m2, about the COM, body axes */
    int joint;    /* whose child it is; OSIM_NONE: none */
    int line;
} OsimBody;

/* How values of a coordinate are written in storage files: a rotation can be in degrees. */
typedef enum OsimMotionType { OSIM_TRANSLATION, OSIM_ROTATION, OSIM_COUPLED } OsimMotionType;

typedef struct OsimCoordinate {
    const char *name;
    int joint;
    OsimMotionType type;
    double value;      /* default */
    int is_locked, is_clamped;
    double range[2];   /* if clamped */
    int follows;       /* coordinate that determines it (CoordinateCouplerConstraint); OSIM_NONE: none */
    OsimFunction coupling;
} OsimCoordinate;

typedef struct OsimAxis {
    int coordinate; /* OSIM_NONE: the function is constant */
    Vec3 axis;      /* unit */
    OsimFunction function;
} OsimAxis;

typedef struct OsimJoint {
    const char *name;
    int parent, child;         /* bodies; OSIM_GROUND */
    OsimFrame in_parent;       /* F in the parent body */
    OsimFrame in_child;        /* M in the child body */
    OsimAxis axis[OSIM_AXES];  /* three rotations, three translations */
    Vec3 radii;                /* of an ellipsoid joint; else zero */
    int coordinate_start, coordinate_count;
    int line;
} OsimJoint;

/* A point of a body, for soles: a sphere of contact, or a marker (radius 0). */
typedef struct OsimPoint {
    const char *name;
    int body;
    Vec3 x;        /* m, body axes */
    double radius; /* m */
} OsimPoint;

typedef struct Osim {
    const char *name;
    Vec3 gravity;  /* m/s2 */
    int body_count, joint_count, coordinate_count, sphere_count, marker_count;
    OsimBody *body;
    OsimJoint *joint;
    OsimCoordinate *coordinate; /* ordered by joint */
    OsimPoint *sphere, *marker;
    Arena memory;  /* of all arrays and names */
} Osim;

/* file: path in messages. STATUS_BAD_INPUT with the line for what is no model, another version, a joint or function of
 * an unsupported kind; STATUS_LIMIT for more joints than def allows. On failure *out is empty. */
Status osim_parse(const SourceFile *file, const SourceDef *def, Osim *out, Error *err);
void osim_free(Osim *model);

/* Return OSIM_NONE if there is none of this name. */
int osim_find_coordinate(const Osim *model, const char *name);

/* Motion of M in F for values[coordinate]. rate (or NULL)[coordinate of the joint]: rotation and translation of M per
 * unit of the coordinate, axes of F. */
typedef struct OsimRate {
    Vec3 omega, v;
} OsimRate;
OsimFrame osim_joint_pose(const OsimJoint *joint, const double *values, OsimRate *rate);

#endif
