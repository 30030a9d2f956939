/* A mannequin on its way: the pose of the skin, the bones that vertices hang on, and the part that is shaped now. */
#ifndef KANE_MANNEQUIN_HUMAN_BODY_H
#define KANE_MANNEQUIN_HUMAN_BODY_H

#include "analysis/anatomy/coordinates.h"
#include "analysis/base/arena.h"
#include "analysis/base/status.h"
#include "analysis/clip/shapes.h"
#include "analysis/math/vec.h"

/* A smooth shape as a field: the distance to rounded cones that run into one another.
 *
 * A blob is the hull of two spheres; `flat` presses it along `thin`. Blobs of a group blend into
 * one another, and so does a group into the one that it grows from; others do not, so that two legs side by side stay
 * two. The field is about the distance to the surface, m, negative inside.
 *
 * Reference: the exact distance to a round cone and the polynomial smooth minimum are I. Quilez's. */

typedef struct Blob {
    Vec3 a, b;         /* m */
    double ra, rb;     /* m, radius of the spheres about a and b */
    Vec3 thin;         /* unit; not read where flat is 0 */
    double flat;       /* thickness along thin, of the other ways; 0: round */
    int group, bone;   /* bone: what the owner numbers, returned by implicit_nearest */
    Vec3 middle;       /* m; with reach a sphere that holds the blob */
    double reach;      /* m */
} Blob;

typedef struct BlobGroup {
    int from;          /* the group that it grows from, an earlier one; -1: none */
    double blend;      /* m, its blobs with one another */
    double root;       /* m, with the group that it grows from */
} BlobGroup;

enum { IMPLICIT_GROUPS = 512 };

typedef struct Implicit {
    Blob *blob;        /* [blob_count], the blobs of a group side by side, groups ascending; not owned */
    int blob_count, blob_room;
    double widest;     /* m, of all blends and roots */
    BlobGroup group[IMPLICIT_GROUPS];
    int group_count;
    Vec3 floor_normal; /* unit; zero: no floor */
    double floor;      /* m: nothing lies below this height along floor_normal */
} Implicit;

/* Empties the shape but for its room. */
void implicit_clear(Implicit *shape);

/* A new group and its number, and a blob of the last group. What exceeds the room is left out. */
int implicit_add_group(Implicit *shape, BlobGroup group);
void implicit_add(Implicit *shape, const Blob *blob);

double implicit_value(const Implicit *shape, Vec3 p);

/* Unit; away from the inside. */
Vec3 implicit_normal(const Implicit *shape, Vec3 p, double step);

/* The bone whose blob's surface lies nearest. */
int implicit_nearest(const Implicit *shape, Vec3 p);

/* The box that holds all blobs. */
void implicit_box(const Implicit *shape, Vec3 *low, Vec3 *high);

/* The surface of an implicit shape as triangles.
 *
 * Naive surface nets (Gibson 1998, "Constrained elastic surface nets"): a vertex in every cell of a grid that the
 * surface crosses, a quadrilateral about every edge that it crosses. The vertices are then evened out along the surface
 * and put onto it, so that the grid does not show. */

/* Grows; (Surface){0} is empty. */
typedef struct Surface {
    int vertex_count, face_count, vertex_room, face_room;
    Vec3 *position;   /* [vertex] m; owned */
    int (*face)[3];   /* [face] counter-clockwise from outside; owned */
    int failed;       /* 1: no memory */
} Surface;

void surface_free(Surface *s);

/* Number of the new vertex; 0 and s->failed without memory. */
int surface_add_vertex(Surface *s, Vec3 position);
void surface_add_face(Surface *s, int a, int b, int c);

/* Adds the shape's surface, in cells of that edge, m. STATUS_LIMIT where they are too many. */
Status surface_nets(const Implicit *shape, double cell, Surface *out, Error *err);

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
    int is_rigid;           /* 1: of a scene: each vertex moves with its bone alone, and */
    Vec3 *tint;             /* [tint_count] has this colour */
    int tint_count;
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

/* The shapes of a scene, in the rest pose of its skeleton; a bone a joint. */
Status scene_body(FigureBuild *b, const Shapes *shapes, Error *err);

/* The joint that the head moves with, -1: none; and the middle of the skull, m. */
int human_head(const FigureBuild *b);
Vec3 human_skull(const FigureBuild *b);

/* The bone of a role, or -1; and p + a front + b up + c right. */
int figure_role_bone(const FigureBuild *b, Role role);
Vec3 figure_at(const FigureBuild *b, Vec3 p, double front, double up, double right);

#endif
