/* A mannequin on its way: the pose of the skin, the bones that vertices hang on, and the part that is shaped now. */
#ifndef KANE_MANNEQUIN_HUMAN_BODY_H
#define KANE_MANNEQUIN_HUMAN_BODY_H

#include "analysis/anatomy/coordinates.h"
#include "analysis/mannequin/implicit.h"

enum { FIGURE_BLOBS = 1024 };

/* What a vertex can hang on. Behind the plane through centre, across along, its joint's share fades from half to none
 * over radius, and before it that of the bone that it comes from. */
typedef struct Bone {
    int joint;
    int from;        /* an earlier bone; -1: none */
    int is_trunk;    /* hips to head: the share changes half way from joint to joint */
    Vec3 centre;     /* m */
    Vec3 along;      /* unit */
    double radius;   /* m */
} Bone;

typedef struct FigureBuild {
    const Skeleton *skeleton;
    const double *mass;     /* [joint] kg; NULL: not known */
    int joint[ROLE_COUNT];  /* -1 where absent */
    Vec3 *place;            /* [joint] m, of the pose of the skin */
    Quat *turn;             /* [joint] */
    Vec3 front, up, right;  /* unit, of the trunk; of a creature the axes */
    double stature;         /* m, of a human */
    double girth;           /* of a human: 1 at a body mass index of FIGURE_BMI, grows with the root of mass */
    Bone *bone;             /* room for one a joint, and the skull */
    int bone_count;
    int *bone_of;           /* [joint] -1: none */
    Implicit shape;         /* the part */
    Surface surface;
    int *bound;             /* [bound_count] bone of each vertex, part by part */
    int bound_count;
    Arena arena;
} FigureBuild;

#define FIGURE_BMI 22.5 /* kg/m2 */

/* A round cone of the part's last group. */
void figure_cone(FigureBuild *b, int bone, Vec3 a, double ra, Vec3 c, double rc);

/* Makes the surface of the part, each vertex bound to the bone of the nearest blob. */
Status figure_finish_part(FigureBuild *b, double cell, Error *err);

/* Binds the vertices that are bound to none yet. */
Status figure_bind(FigureBuild *b, int bone, Error *err);

/* A new bone of a joint; its number. */
int figure_bone(FigureBuild *b, int joint, Vec3 along, double radius);

/* Trunk, limbs, head, feet and hands of a human; the capsules of a creature. */
Status human_body(FigureBuild *b, Error *err);
Status human_ends(FigureBuild *b, Error *err);
Status human_hand(FigureBuild *b, Role elbow, Role wrist, Error *err);
Status creature_body(FigureBuild *b, Error *err);

/* The joint that the head moves with, -1: none; and the middle of the skull, m. */
int human_head(const FigureBuild *b);
Vec3 human_skull(const FigureBuild *b);

/* The bone of a role, or -1; and p + a front + b up + c right. */
int figure_role_bone(const FigureBuild *b, Role role);
Vec3 figure_at(const FigureBuild *b, Vec3 p, double front, double up, double right);

#endif
