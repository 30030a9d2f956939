/* What a clip moves: the tree of joints and its rest pose, the degrees of freedom of a model's joints, and the shapes
 * of a scene; groups /skeleton, /dof and /shapes of a clip file.
 *
 * Body j is the rigid segment that moves with joint j; its joint centre is its proximal end. parent[j] < j; the root
 * is joint 0 with parent -1. Lengths in m, world axes +Y up. Functions: clip.c; memory: clip_groups.c. */
#ifndef KANE_CLIP_SKELETON_H
#define KANE_CLIP_SKELETON_H

#include <stddef.h>
#include <stdint.h>

#include "analysis/base/status.h"
#include "analysis/math/quat.h"
#include "analysis/math/vec.h"

/* Anatomical roles of joints: names that are common to clips of all sources.
 *
 * A role names the joint at the proximal end of its segment: left_knee is the proximal end of the left shank. */
typedef enum Role {
    ROLE_NONE = 0,
    ROLE_HIPS,
    ROLE_SPINE,
    ROLE_CHEST,
    ROLE_NECK,
    ROLE_HEAD,
    ROLE_LEFT_CLAVICLE,
    ROLE_LEFT_SHOULDER,
    ROLE_LEFT_ELBOW,
    ROLE_LEFT_WRIST,
    ROLE_LEFT_HIP,
    ROLE_LEFT_KNEE,
    ROLE_LEFT_ANKLE,
    ROLE_LEFT_TOE,
    ROLE_RIGHT_CLAVICLE,
    ROLE_RIGHT_SHOULDER,
    ROLE_RIGHT_ELBOW,
    ROLE_RIGHT_WRIST,
    ROLE_RIGHT_HIP,
    ROLE_RIGHT_KNEE,
    ROLE_RIGHT_ANKLE,
    ROLE_RIGHT_TOE,
    ROLE_COUNT
} Role;

/* Returns a name such as "left_knee"; "" for ROLE_NONE. Static storage. */
const char *role_name(Role role);

/* Returns ROLE_NONE for an unknown name. */
Role role_from_name(const char *name);

/* Exchanges left and right; midline roles are unchanged. */
Role role_mirror(Role role);

/* Whether the role's segment is a thigh or a shank. */
static inline int role_is_leg(Role role)
{
    return role == ROLE_LEFT_HIP || role == ROLE_LEFT_KNEE || role == ROLE_RIGHT_HIP || role == ROLE_RIGHT_KNEE;
}

typedef struct Skeleton {
    int joint_count;
    int end_count;     /* end sites: tips without a rotation */
    char **name;       /* [joint] owned */
    int *parent;       /* [joint] */
    Vec3 *offset;      /* [joint] m, in parent axes; root: rest position in the world */
    Role *role;        /* [joint] at most one joint per role */
    Role *segment;     /* [joint] role of the segment the joint moves with: its own or the nearest ancestor's */
    Vec3 *end_offset;  /* [end] m, in axes of end_parent */
    int *end_parent;   /* [end] joint */
    int *channels;     /* [joint] owned; channels of the joint in the order of the file, packed as in
                          formats/bvh/bvh.h; NULL: no file */
} Skeleton;

/* Allocates zeroed arrays, parents -1, names and channels NULL. On failure *s is empty and may be freed. */
Status skeleton_init(Skeleton *s, int joint_count, int end_count, Error *err);
void skeleton_free(Skeleton *s);
/* Adds zeroed channels if there are none. */
Status skeleton_add_channels(Skeleton *s, Error *err);
Status skeleton_copy(Skeleton *to, const Skeleton *from, Error *err);

/* Number of position channels of a joint in the file; 0 without a file. */
int skeleton_position_channels(const Skeleton *s, int joint);

/* Copies name to a joint. */
Status skeleton_set_name(Skeleton *s, int joint, const char *name, Error *err);

/* Whether a joint is `above` or a descendant of it. */
int skeleton_is_below(const Skeleton *s, int joint, int above);

/* Length of the bones from a joint down to its descendant `to`, m. */
double skeleton_distance(const Skeleton *s, int from, int to);

/* Length of the longest bone, m. */
double skeleton_longest_offset(const Skeleton *s);

/* Sum of the lengths of all offsets except the root's, m. */
double skeleton_offset_sum(const Skeleton *s);

/* Index of the joint with a name or role; -1: none. */
int skeleton_find(const Skeleton *s, const char *name);
int skeleton_find_role(const Skeleton *s, Role role);

/* The joint with this name or, if there is none, with this role ("left_knee"); -1: none. */
int skeleton_find_name_or_role(const Skeleton *s, const char *name);

/* Fills rest[joint] with the positions in the world without rotations, m. */
void skeleton_rest_positions(const Skeleton *s, Vec3 *rest);

/* Fills reach[joint] with the largest distance along bones from the joint to a tip, m. */
void skeleton_reach(const Skeleton *s, double *reach);

/* The longest distance along bones from the root to a joint, m. */
double skeleton_longest_chain(const Skeleton *s);

/* The neutral pose as numbers: value of an option, and shared by the clips of one skeleton. */

enum { NEUTRAL_JOINTS = 48 };

/* For every joint with a role or with such a descendant, in the skeleton's order: the rotation vector from joint axes
 * to body axes (x left, y up, z front) in the neutral pose, tenths of a degree. count 0: unknown. */
typedef struct NeutralAngles {
    int16_t count;
    int16_t tenth[NEUTRAL_JOINTS][3];
} NeutralAngles;

/* Degrees of freedom of a model's joints: group /dof of a clip file.
 *
 * Clips from motion capture have none: each of their joints rotates freely. Clips of a scene or robot list the axes
 * about and along which its joints move. One row per degree of freedom: a hinge or slide has one row, a ball three, a
 * free joint six. Rows of one joint are adjacent, ordered from the parent's side; each moves the axes of the following
 * rows.
 *   segment at rest:  rest_rotation, at the joint's offset in the parent's axes
 *   hinge, custom:    rotates by position - zero about `axis` through `anchor`
 *   slide:            translates by position - zero along `axis`
 *   ball:             three rows, axes x, y, z; position: the rotation vector, velocity: the angular velocity in axes
 *                     of the segment
 *   free:             six rows: position and velocity of the joint in the parent's axes, then as a ball
 *
 * A custom row rotates about an axis that itself moves (OpenSim's CustomJoint): moving_axis through moving_anchor, per
 * frame; its position is that of the source. A coupled row follows another row of its clip,
 *   position - zero = sum_k coupling[k] (position of the other - its zero)^k,
 * and is still a rotation or translation, so coupling is not a kind. */

typedef enum DofKind {
    DOF_UNKNOWN = 0, /* in files of earlier versions */
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
    int *joint;            /* [dof] joint whose segment it moves */
    DofKind *kind;         /* [dof] */
    Vec3 *axis;            /* [dof] unit, axes of the segment after the previous rows */
    Vec3 *anchor;          /* [dof] m, in the same axes, from the joint's centre */
    double *zero;          /* [dof] rad or m, position of the segment at rest */
    Quat *rest_rotation;   /* [dof] segment at rest to parent axes; equal in all rows of a joint */
    double *range;         /* [dof][2] rad or m, minimum and maximum; NaN: no limit */
    double *effort_limit;  /* [dof][2] N m or N, minimum and maximum; NaN: no limit */
    double *speed_limit;   /* [dof] rad/s or m/s; NaN: no limit */
    double *armature;      /* [dof] kg m2 or kg, inertia of its actuator */
    unsigned char *locked; /* [dof] 1: it does not move */
    int *coupled_to;       /* [dof] the row that it follows; -1: none */
    double *coupling;      /* [dof][5] coefficients of powers of the other's position minus its zero */
    double *position;      /* [frame][dof] rad or m; this and the following NULL: unknown */
    double *velocity;      /* [frame][dof] rad/s or m/s */
    double *acceleration;  /* [frame][dof] rad/s2 or m/s2 */
    double *effort;        /* [frame][dof] N m or N, generalised force; coupled rows: 0, included in the row they
                              follow */
    Vec3 *moving_axis;     /* [frame][dof] unit, parent axes; custom rows only, NULL: none */
    Vec3 *moving_anchor;   /* [frame][dof] m, from the parent's joint centre, parent axes */
} Dofs;

/* Allocates rows without names, of unknown kind, without limits, with identity rest rotation and without values over
 * time. On failure *d is empty. */
Status dofs_init(Dofs *d, int frame_count, int count, Error *err);
void dofs_free(Dofs *d);

/* Sets the defaults that are not zero. */
void dofs_set_defaults(Dofs *d);

/* dof_kind_name returns a name such as "hinge", "" for DOF_UNKNOWN, in static storage. dof_kind_from_name returns 0 for
 * an unknown name. */
const char *dof_kind_name(DofKind kind);
int dof_kind_from_name(const char *name, DofKind *kind);

/* Copies a name into a row. */
Status dofs_set_name(Dofs *d, int row, const char *name, Error *err);

/* First row of the joint of a row, and one past its last row. */
int dofs_first(const Dofs *d, int row);
int dofs_end(const Dofs *d, int row);

/* Whether a row is a rotation (rad, N m) or a translation (m, N); the first three of a free joint are translations. */
int dofs_is_rotation(const Dofs *d, int row);

static inline size_t dofs_index(const Dofs *d, int frame, int row)
{
    return (size_t)frame * (size_t)d->count + (size_t)row;
}

/* Checks joints, order, numbers of rows, axes and couplings. STATUS_BAD_INPUT names the inconsistent row. */
Status dofs_check(const Dofs *d, int joint_count, Error *err);

/* Geometry of the bodies of a simulated scene: group /shapes of a clip file.
 *
 * A solid is given in the axes of its joint. A spring or tendon is a line of points, each in the axes of a joint or a
 * particle of /particles. Sizes are those of MJCF: sphere: radius; capsule and cylinder: radius and half length along
 * z; box: half edges; ellipsoid: half axes; plane: half lengths along x and y (0: infinite), normal +z; mesh, spring
 * and tendon: none. */

typedef enum ShapeKind {
    SHAPE_SPHERE,
    SHAPE_CAPSULE,
    SHAPE_CYLINDER,
    SHAPE_BOX,
    SHAPE_ELLIPSOID,
    SHAPE_PLANE,
    SHAPE_MESH,
    SHAPE_SPRING,
    SHAPE_TENDON,
    SHAPE_KIND_COUNT
} ShapeKind;

typedef struct Shapes {
    int count, point_count, face_count;
    ShapeKind *kind;      /* [shape] */
    int *joint;           /* [shape] joint of its segment; springs and tendons: 0 */
    Vec3 *size;           /* [shape] m */
    Vec3 *position;       /* [shape] m, axes of the joint */
    Quat *orientation;    /* [shape] unit, shape to joint axes */
    double *color;        /* [shape][4] red, green, blue, opacity, 0 to 1, sRGB */
    int *point_start;     /* [shape] its first point; this and the next: meshes, springs and tendons */
    int *points;          /* [shape] number of points */
    int *face_start;      /* [shape] its first face; this and the next: meshes */
    int *faces;           /* [shape] number of faces */
    Vec3 *point;          /* [point] m; mesh: axes of the shape, otherwise of the point's joint */
    int *point_joint;     /* [point] -1: of a mesh or a particle */
    int *point_particle;  /* [point] of /particles; -1: none */
    int *face;            /* [face][3] indices of points, relative to the mesh's first, counter-clockwise from
                             outside */
} Shapes;

/* Allocates zeroed arrays; orientations are identity, joints and particles of points -1. On failure *s is empty. */
Status shapes_init(Shapes *s, int count, int point_count, int face_count, Error *err);
void shapes_free(Shapes *s);

/* Sets the defaults that are not zero. */
void shapes_set_defaults(Shapes *s);

/* shape_kind_name returns a name such as "sphere", in static storage. shape_kind_from_name returns 0 for an unknown
 * name. */
const char *shape_kind_name(ShapeKind kind);
int shape_kind_from_name(const char *name, ShapeKind *kind);

static inline int shape_is_solid(ShapeKind kind) { return kind < SHAPE_SPRING; }

/* Checks indices, sizes, orientations and colours. particle_count: of /particles, -1: none. STATUS_BAD_INPUT names the
 * inconsistent shape or point. */
Status shapes_check(const Shapes *s, int joint_count, int particle_count, Error *err);

#endif
