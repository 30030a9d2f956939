/* A scene as its file describes it: a tree of bodies under joints with axes, ranges and drives, and what lies on them.
 *
 * Body 0 is the world; parent[b] < b. Poses of a body, joint, geom and site are given in the axes of the body that
 * carries them (of a body: of its parent) at the reference configuration. Lengths in m, angles in rad, SI; axes of the
 * file, of which `gravity` tells where down is. Only formats/model makes one; analysis/model and analysis/sim read it.
 *
 * Coordinates q, speeds v: joint after joint in the order of their bodies. A hinge or slide has one of each; a ball a
 * quaternion (w, x, y, z) and three components of the relative angular velocity in axes of its body; a free joint
 * the body's place and quaternion, three of velocity in world axes, three of angular velocity in axes of the body. */
#ifndef KANE_MODEL_MODEL_H
#define KANE_MODEL_MODEL_H

#include "analysis/base/arena.h"
#include "analysis/base/status.h"
#include "analysis/math/quat.h"

typedef enum ModelJointKind { MODEL_HINGE, MODEL_SLIDE, MODEL_BALL, MODEL_FREE, MODEL_JOINT_KIND_COUNT } ModelJointKind;

typedef enum ModelShape {
    MODEL_SPHERE,    /* size.x radius */
    MODEL_CAPSULE,   /* size.x radius, size.y half length along z without the caps */
    MODEL_CYLINDER,  /* the same */
    MODEL_BOX,       /* size half lengths */
    MODEL_ELLIPSOID, /* size half axes */
    MODEL_PLANE,     /* through the origin, normal +z; size 0: without end */
    MODEL_HULL,      /* that of a mesh; size half lengths of a box around it */
    MODEL_SHAPE_COUNT
} ModelShape;

/* The convex hull of a mesh of the file, about its COM in principal axes, as MuJoCo has it. */
typedef struct ModelMesh {
    const char *name;
    int vertex_count, face_count;
    Vec3 *vertex;  /* [vertex_count] m */
    int (*face)[3]; /* [face_count] counter-clockwise from outside */
    Vec3 *normal;  /* [face_count] unit, outwards */
    double reach;  /* m, of the vertex farthest from the origin */
} ModelMesh;

/* How a constraint gives way in MJCF (solref, solimp): analysis/sim/scene_softness.h. */
typedef struct ModelSoftness {
    int is_soft;    /* 0: it is rigid, as MuJoCo's defaults are read */
    double ref[2];  /* s and damping ratio; negative: stiffness and damping per inertia, 1/s2 and 1/s */
    double imp[5];  /* impedance at 0 and from `width` on, width (m or rad), midpoint, power */
} ModelSoftness;

typedef struct ModelBody {
    const char *name; /* "" without */
    int parent;
    Vec3 position;
    Quat orientation;
    int joint_start, joint_count;
    int q_start, v_start; /* of the first joint */
    double mass;
    Vec3 com;
    Sym3 inertia; /* kg m2, about the COM */
    double lift;  /* share of its weight that is taken off it (gravcomp) */
} ModelBody;

typedef struct ModelJoint {
    const char *name;
    ModelJointKind kind;
    int body;
    Vec3 anchor, axis;           /* axis: unit, of hinge and slide */
    double reference;            /* q of the file's configuration, rad or m */
    double stiffness, rest;      /* Nm/rad or N/m; q where the spring is at rest */
    double damping, armature;    /* Nms/rad; kg m2 */
    double friction;             /* Nm or N, of dry friction along each of its speeds */
    int limited;
    double least, most;          /* of q; of a ball: `most` of the angle from the file's configuration */
    ModelSoftness softness;      /* of the limit */
    int force_limited;
    double force_least, force_most; /* Nm or N, of all actuators together */
    int q_start, v_start;
} ModelJoint;

typedef struct ModelGeom {
    const char *name;
    ModelShape shape;
    int body;
    Vec3 position;
    Quat orientation;
    Vec3 size;
    int mesh; /* of MODEL_HULL */
    int type_bits, affinity_bits; /* two geoms collide where type & affinity meet either way */
    double friction;              /* sliding */
    int dimensions;               /* of contact forces: 1 without friction, 3 with */
    int priority;                 /* the geom with the higher one decides on dimensions and friction of a contact */
    ModelSoftness softness;       /* of its contacts */
    double margin, gap;           /* m: two geoms touch at the larger margin less the larger gap */
    int line;
    int is_colored;               /* the file gives a colour: */
    double color[4];              /* red, green, blue, opacity, 0 to 1, sRGB */
} ModelGeom;

typedef struct ModelSite {
    const char *name;
    int body;
    Vec3 position;
    Quat orientation;
} ModelSite;

typedef enum ModelEqualityKind { MODEL_CONNECT, MODEL_WELD, MODEL_COUPLE, MODEL_PIN } ModelEqualityKind;

typedef struct ModelEquality {
    const char *name;
    ModelEqualityKind kind;
    int first, second;      /* bodies; of MODEL_COUPLE joints, second -1: a constant */
    Vec3 anchor;            /* of connect and weld: in axes of the first body */
    Vec3 second_anchor;     /* the same point in axes of the second */
    Quat relative;          /* of a weld: second to first */
    Vec3 axis, second_axis; /* of a pin, which turns about one axis: in axes of either body */
    double stiffness, damping; /* N/m, Ns/m, with which the anchor of a connect or pin gives way; 0: it is hard */
    ModelSoftness softness; /* of all rows; where stiffness is 0 */
    double torque_scale;    /* of a weld that is soft so: its rotation counts as so many m per half rad */
    double polynomial[5];   /* q1 - q1' = sum p_k (q2 - q2')^k, ' of the file's configuration */
} ModelEquality;

typedef struct ModelTendon {
    const char *name;
    int site_start, site_count; /* of tendon_site */
    double stiffness, damping;  /* N/m, Ns/m */
    double least, most;         /* m, between which it is slack */
} ModelTendon;

/* Drives a hinge or slide by gear (gain u + bias . (1, l, l')), l = gear q, u the control. */
typedef struct ModelActuator {
    const char *name;
    int joint;
    double gear, gain, bias[3];
    int control_limited, force_limited;
    double control_least, control_most, force_least, force_most;
} ModelActuator;

typedef struct ModelKey {
    const char *name;
    double time;
    double *q, *v, *control; /* [q_count], [v_count], [actuator_count] */
} ModelKey;

typedef struct ModelPair {
    int first, second; /* bodies that do not collide */
} ModelPair;

/* Two geoms that collide regardless of their bits. */
typedef struct ModelContactPair {
    int first, second;
    double friction; /* 0: they slide freely */
} ModelContactPair;

/* What the file excludes. */
typedef struct ModelSwitches {
    int no_contact, no_limits, no_equality, no_passive, no_actuation, no_friction, parents_collide;
    int no_bits, no_pairs; /* which geoms collide: by pairs alone, or by bits alone */
} ModelSwitches;

typedef struct Model {
    const char *name;
    Vec3 gravity;
    double time_step;  /* s */
    ModelSwitches off;
    int q_count, v_count;
    int body_count, joint_count, geom_count, site_count, equality_count, tendon_count, tendon_site_count;
    int actuator_count, key_count, exclude_count, contact_pair_count, mesh_count;
    ModelBody *body;
    ModelJoint *joint;
    ModelGeom *geom;
    ModelSite *site;
    ModelEquality *equality;
    ModelTendon *tendon;
    int *tendon_site; /* [tendon_site_count] sites, tendon after tendon */
    ModelActuator *actuator;
    ModelKey *key;
    ModelPair *exclude;
    ModelContactPair *contact_pair;
    ModelMesh *mesh;
    Arena memory; /* of all of these and their names */
} Model;

/* (Model){0} is an empty one. */
void model_free(Model *m);

/* The body that a body moves with: itself, or the nearest one above that has joints; 0: it does not move. */
int model_mover(const Model *m, int body);

/* Numbers of coordinates and of speeds of a joint of a kind. */
int model_joint_coordinates(ModelJointKind kind);
int model_joint_speeds(ModelJointKind kind);

/* -1 where none is called so. */
int model_find_body(const Model *m, const char *name);
int model_find_joint(const Model *m, const char *name);
int model_find_site(const Model *m, const char *name);

/* Mass by which gravity pulls a body, kg. */
double model_weighing(const ModelBody *b);

/* Sliding friction between two geoms: 0 where their contact has one dimension. */
double model_pair_friction(const ModelGeom *a, const ModelGeom *b);

/* Numbers the coordinates and speeds of all joints, which are in place. */
void model_number_coordinates(Model *m);

/* Gives a body of the world that has no joints a free one, as for a mocap body that is to be driven. Joints,
 * coordinates and keys are numbered again. STATUS_BAD_INPUT where the body has joints or hangs on another. */
Status model_release(Model *m, int body, Error *err);

/* q[q_count] of the file's configuration. */
void model_reference(const Model *m, double *q);

/* Volume, m3, and per density the moments of inertia about the axes of a shape, m5. A plane has none. */
double model_shape_volume(ModelShape shape, Vec3 size);
Vec3 model_shape_inertia(ModelShape shape, Vec3 size);

#endif
