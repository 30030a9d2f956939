/* A scene as its file describes it: a tree of bodies with joints, drives, geoms, meshes, sites and constraints.
 *
 * Body 0 is the world; parent[b] < b. Poses of bodies, joints, geoms and sites are in the axes of their body (of a
 * body: of its parent) at the reference configuration. SI units, angles in rad; axes of the file, in which `gravity`
 * gives the downward direction. formats/model creates models; analysis/model and analysis/sim read them.
 *
 * Coordinates q and speeds v are ordered by joint, joints by body. A hinge or slide has one of each. A ball has a
 * quaternion (w, x, y, z) and three components of the relative angular velocity in axes of its body. A free joint has
 * the body's position and quaternion, three components of velocity in world axes and three of angular velocity in axes
 * of the body. */
#ifndef KANE_MODEL_MODEL_H
#define KANE_MODEL_MODEL_H

#include "analysis/base/arena.h"
#include "analysis/base/status.h"
#include "analysis/math/quat.h"
#include "analysis/model/mesh.h"
#include "analysis/motion/joint_motion.h"

typedef enum ModelShape {
    MODEL_SPHERE,    /* size.x: radius */
    MODEL_CAPSULE,   /* size.x: radius; size.y: half length along z without the caps */
    MODEL_CYLINDER,  /* as MODEL_CAPSULE */
    MODEL_BOX,       /* size: half lengths */
    MODEL_ELLIPSOID, /* size: half axes */
    MODEL_PLANE,     /* through the origin, normal +z; size 0: infinite */
    MODEL_HULL,      /* hull of a mesh; size: half lengths of its bounding box */
    MODEL_SHAPE_COUNT
} ModelShape;

/* Softness of a constraint in MJCF (solref, solimp): analysis/sim/scene_softness.h. */
typedef struct ModelSoftness {
    int is_soft;    /* 0: rigid, which MuJoCo's defaults are read as */
    double ref[2];  /* s and damping ratio; negative: stiffness and damping per inertia, 1/s2 and 1/s */
    double imp[5];  /* impedance at 0 and from `width` on, width (m or rad), midpoint, power */
} ModelSoftness;

typedef struct ModelBody {
    const char *name; /* "": unnamed */
    int parent;
    Vec3 position;
    Quat orientation;
    int joint_start, joint_count;
    int q_start, v_start; /* of the first joint */
    double mass;
    Vec3 com;
    Sym3 inertia; /* kg m2, about the COM */
    double lift;  /* fraction of its weight that is compensated (gravcomp) */
} ModelBody;

typedef struct ModelJoint {
    const char *name;
    ModelJointKind kind;
    int body;
    Vec3 anchor, axis;           /* axis: unit, of hinge and slide */
    double reference;            /* q in the file's configuration, rad or m */
    double stiffness, rest;      /* N m/rad or N/m; q at which the spring is relaxed */
    double damping, armature;    /* Nms/rad; kg m2 */
    double friction;             /* N m or N, dry friction along each of its speeds */
    int limited;
    double min, max;             /* of q; for a ball `max` limits the angle from the file's configuration */
    ModelSoftness softness;      /* of the limit */
    int force_limited;
    double force_min, force_max;    /* N m or N, limits of the total force of all actuators */
    int q_start, v_start;
} ModelJoint;

/* Coefficients of friction of a contact. The couples about its normal and about its tangents are at most these lengths
 * times the normal force. */
typedef struct ModelFriction {
    double slide;
    double spin, roll; /* m */
} ModelFriction;

typedef struct ModelGeom {
    const char *name;
    ModelShape shape;
    int body;
    Vec3 position;
    Quat orientation;
    Vec3 size;
    int mesh; /* of MODEL_HULL */
    int type_bits, affinity_bits; /* two geoms collide if one's type bits meet the other's affinity bits */
    ModelFriction friction;
    int dimensions;               /* of contact forces: 1 without friction, 3 against sliding, 4 also against spinning,
                                     6 also against rolling */
    int priority;                 /* the geom of higher priority sets dimensions and friction of a contact */
    ModelSoftness softness;       /* of its contacts */
    double margin, gap;           /* m: contact begins at the larger margin minus the larger gap */
    int line;
    int is_colored;               /* 1: the file gives a colour */
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
    int first, second;      /* bodies; for MODEL_COUPLE joints, second -1: a constant */
    Vec3 anchor;            /* for connect and weld: in axes of the first body */
    Vec3 second_anchor;     /* the same point in axes of the second */
    Quat relative;          /* for a weld: second to first */
    Vec3 axis, second_axis; /* for a pin (rotation about one axis): in axes of either body */
    double stiffness, damping; /* N/m, Ns/m of the anchor of a connect or pin; stiffness 0: rigid */
    ModelSoftness softness; /* of all rows, if stiffness is 0 */
    double torque_scale;    /* m per half rad: weight of the rotation in a soft weld */
    double polynomial[5];   /* q1 - q1' = sum p_k (q2 - q2')^k, with ' in the file's configuration */
} ModelEquality;

typedef struct ModelTendon {
    const char *name;
    int site_start, site_count; /* range in tendon_site */
    double stiffness, damping;  /* N/m, Ns/m */
    double min, max;            /* m: slack in this range */
} ModelTendon;

/* Applies gear (gain u + bias . (1, l, l')) to a hinge or slide, l = gear q, u the control. */
typedef struct ModelActuator {
    const char *name;
    int joint;
    double gear, gain, bias[3];
    int control_limited, force_limited;
    double control_min, control_max, force_min, force_max;
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
    ModelFriction friction;
} ModelContactPair;

/* What the file disables. */
typedef struct ModelSwitches {
    int no_contact, no_limits, no_equality, no_passive, no_actuation, no_friction, parents_collide;
    int no_bits, no_pairs; /* collisions by contact pairs only, or by bits only */
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
    int *tendon_site; /* [tendon_site_count] sites, ordered by tendon */
    ModelActuator *actuator;
    ModelKey *key;
    ModelPair *exclude;
    ModelContactPair *contact_pair;
    ModelMesh *mesh;
    Arena memory; /* of all arrays and names */
} Model;

/* Frees the model; (Model){0} is an empty one. */
void model_free(Model *m);

/* The body that moves a body: itself, or its nearest ancestor with joints; 0: it is fixed. */
int model_mover(const Model *m, int body);

/* Return -1 if no object has the name. */
int model_find_body(const Model *m, const char *name);
int model_find_joint(const Model *m, const char *name);
int model_find_site(const Model *m, const char *name);

/* Mass of a body on which gravity acts, kg. */
double model_weighing(const ModelBody *b);

/* Dimensions and friction of the contacts of two geoms: the larger values, or those of the geom of higher priority. */
int model_pair_dimensions(const ModelGeom *a, const ModelGeom *b);
ModelFriction model_pair_friction(const ModelGeom *a, const ModelGeom *b);

/* The friction that contacts of so many dimensions have. */
ModelFriction model_limit_friction(ModelFriction f, int dimensions);

/* Numbers the coordinates and speeds of all joints. */
void model_number_coordinates(Model *m);

/* Gives a child of the world without joints a free joint, such as a mocap body that is to be driven. Renumbers joints,
 * coordinates and keys. STATUS_BAD_INPUT if the body has joints or another parent. */
Status model_release(Model *m, int body, Error *err);

/* Fills q[q_count] with the file's configuration. */
void model_reference(const Model *m, double *q);

/* Volume, m3, and moments of inertia about the axes of a shape at density 1, m5. Zero for a plane. */
double model_shape_volume(ModelShape shape, Vec3 size);
Vec3 model_shape_inertia(ModelShape shape, Vec3 size);

#endif
