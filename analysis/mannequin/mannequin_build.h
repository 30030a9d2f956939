/* A skin under construction: its bones, the part that is being added, and the surface of finished parts. */
#ifndef KANE_MANNEQUIN_MANNEQUIN_BUILD_H
#define KANE_MANNEQUIN_MANNEQUIN_BUILD_H

#include "analysis/base/arena.h"
#include "analysis/base/status.h"
#include "analysis/clip/skeleton.h"
#include "analysis/mannequin/implicit.h"
#include "analysis/mannequin/surface_nets.h"
#include "analysis/math/quat.h"

enum { MANNEQUIN_BLOBS = 1024 };

/* A bone that vertices can be bound to. At the plane through `centre` with normal `along`, the weights of the bone and
 * of its parent are equal; each fades to zero over `radius` beyond the plane. */
typedef struct Bone {
    int joint;
    int from;        /* parent, an earlier bone; -1: none */
    int is_trunk;    /* 1: from hips to head, with weights by height */
    Vec3 centre;     /* m */
    Vec3 along;      /* unit */
    double radius;   /* m */
} Bone;

typedef struct MannequinBuild {
    const Skeleton *skeleton;
    const double *mass;     /* [joint] kg; NULL: unknown */
    int joint[ROLE_COUNT];  /* -1: absent */
    Vec3 *position;         /* [joint] m, position in the pose of the skin */
    Quat *orientation;      /* [joint] orientation in that pose */
    Vec3 front, up, right;  /* unit, axes x, y, z of that pose */
    double stature;         /* m; humans */
    double girth;           /* humans: 1 at a body mass index of MANNEQUIN_BMI, in proportion to the root of mass */
    Bone *bone;             /* one per joint, and one for the skull */
    int bone_count;
    int *bone_of;           /* [joint] -1: none */
    Implicit shape;         /* part under construction */
    Surface surface;
    int *bound;             /* [bound_count] bone of each vertex, ordered by part */
    int bound_count;
    int is_rigid;           /* 1: a scene; each vertex moves with one bone */
    Vec3 *tint;             /* [tint_count] colour of each vertex of a scene */
    int tint_count;
    Arena arena;
} MannequinBuild;

#define MANNEQUIN_BMI 22.5 /* kg/m2 */

/* Adds a round cone to the part's last group. */
void mannequin_cone(MannequinBuild *b, int bone, Vec3 a, double ra, Vec3 c, double rc);

/* Triangulates the part and binds each vertex to the bone of the nearest blob. cell: m. */
Status mannequin_finish_part(MannequinBuild *b, double cell, Error *err);

/* Binds all unbound vertices to a bone. */
Status mannequin_bind(MannequinBuild *b, int bone, Error *err);

/* Adds a bone for a joint; returns its number. */
int mannequin_bone(MannequinBuild *b, int joint, Vec3 along, double radius);

/* The joint that moves the head; -1: none. */
int human_head(const MannequinBuild *b);

/* The bone of a role or -1; and the point p + a front + b up + c right. */
int mannequin_role_bone(const MannequinBuild *b, Role role);
Vec3 mannequin_at(const MannequinBuild *b, Vec3 p, double front, double up, double right);

#endif
