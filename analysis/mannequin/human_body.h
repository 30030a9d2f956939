/* Construction of a mannequin: the pose of its skin, the bones that vertices are bound to, and the shape of the part
 * under construction. */
#ifndef KANE_MANNEQUIN_HUMAN_BODY_H
#define KANE_MANNEQUIN_HUMAN_BODY_H

#include "analysis/base/arena.h"
#include "analysis/base/status.h"
#include "analysis/clip/skeleton.h"
#include "analysis/math/vec.h"

/* A smooth shape as an implicit function: the distance to blended round cones.
 *
 * A blob is the convex hull of two spheres; `flat` compresses it along `thin`. Blobs of a group blend with each other,
 * and a group blends with its parent group; others do not, so that two adjacent legs stay separate. The value is
 * approximately the distance to the surface, m, negative inside.
 *
 * Reference: the exact distance to a round cone and the polynomial smooth minimum are by I. Quilez. */

typedef struct Blob {
    Vec3 a, b;         /* m */
    double ra, rb;     /* m, radius of the spheres about a and b */
    Vec3 thin;         /* unit; not read where flat is 0 */
    double flat;       /* thickness along thin over that in the other directions; 0: round */
    int group, bone;   /* bone: a number of the caller, returned by implicit_nearest */
    Vec3 along;        /* m, a to b, scaled along thin by 1 / flat */
    Vec3 middle;       /* m; centre of a bounding sphere */
    double reach;      /* m; its radius */
} Blob;

typedef struct BlobGroup {
    int from;          /* parent group, an earlier one; -1: none */
    double blend;      /* m, blend distance among its blobs */
    double root;       /* m, blend distance to the parent group */
} BlobGroup;

enum { IMPLICIT_GROUPS = 512 };

typedef struct Implicit {
    Blob *blob;        /* [blob_count], ordered by group; not owned */
    int blob_count, blob_room;
    double widest;     /* m, largest blend distance */
    double steepest;   /* largest gradient of the value: more than 1 with flat blobs */
    BlobGroup group[IMPLICIT_GROUPS];
    int group_count;
    Vec3 floor_normal; /* unit, up; zero: no floor */
    double floor;      /* m: the shape is cut off below this height along floor_normal */
} Implicit;

/* Empties the shape; keeps its memory. */
void implicit_clear(Implicit *shape);

/* Add a group, returning its number, and a blob to the last group. Groups and blobs beyond the capacity are dropped. */
int implicit_add_group(Implicit *shape, BlobGroup group);
void implicit_add(Implicit *shape, const Blob *blob);

double implicit_value(const Implicit *shape, Vec3 p);

/* The bone of the blob whose surface is nearest. */
int implicit_nearest(const Implicit *shape, Vec3 p);

/* A box that contains all blobs. */
void implicit_box(const Implicit *shape, Vec3 *low, Vec3 *high);

/* Triangulation of an implicit shape.
 *
 * Naive surface nets (Gibson 1998, "Constrained elastic surface nets"): a vertex in every grid cell that the surface
 * crosses and a quadrilateral around every edge that it crosses. Vertices are then smoothed along the surface and
 * projected onto it, so that the grid does not show. */

/* A growing triangle mesh; (Surface){0} is empty. */
typedef struct Surface {
    int vertex_count, face_count, vertex_room, face_room;
    Vec3 *position;   /* [vertex] m; owned */
    int (*face)[3];   /* [face] counter-clockwise from outside; owned */
    int failed;       /* 1: out of memory */
} Surface;

void surface_free(Surface *s);

/* Returns the number of the new vertex; if out of memory, 0 with s->failed set. */
int surface_add_vertex(Surface *s, Vec3 position);
void surface_add_face(Surface *s, int a, int b, int c);

/* Adds the shape's surface with cells of edge `cell`, m. STATUS_LIMIT if there are too many cells. */
Status surface_nets(const Implicit *shape, double cell, Surface *out, Error *err);

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

/* Add trunk and limbs, or head, feet and hands of a human; the capsules of a creature. */
Status human_body(MannequinBuild *b, Error *err);
Status human_ends(MannequinBuild *b, Error *err);
Status creature_body(MannequinBuild *b, Error *err);

/* Adds the shapes of a scene in the rest pose of its skeleton, one bone per joint. */
Status scene_body(MannequinBuild *b, const Shapes *shapes, Error *err);

/* The joint that moves the head (-1: none), and the centre of the skull, m. */
int human_head(const MannequinBuild *b);
Vec3 human_skull(const MannequinBuild *b);

/* The bone of a role or -1; and the point p + a front + b up + c right. */
int mannequin_role_bone(const MannequinBuild *b, Role role);
Vec3 mannequin_at(const MannequinBuild *b, Vec3 p, double front, double up, double right);

#endif
