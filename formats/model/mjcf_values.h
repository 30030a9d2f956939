/* Internals of the MJCF reader, shared by its files: attribute values with defaults, and the state of reading.
 *
 * The first error of a file is kept in `status`. After it functions return their fallback, so a caller can read several
 * values and check once. */
#ifndef KANE_MODEL_MJCF_VALUES_H
#define KANE_MODEL_MJCF_VALUES_H

#include "analysis/model/model.h"
#include "formats/model/mjcf_remarks.h"
#include "formats/base/xml_tree.h"

/* A default class: a <default> element, its name and parent class. */
typedef struct MjcfClass {
    const char *name;
    const XmlElement *element;
    int parent;  /* -1: none */
    int section; /* index of its top-level section */
} MjcfClass;

/* A name of --leave-out. */
typedef struct MjcfLeft {
    const char *name;
    int is_met; /* 1: something of this name was ignored */
} MjcfLeft;

/* An element to read, and the tag of its default elements. */
typedef struct MjcfItem {
    const XmlElement *element;
    const char *tag; /* NULL: no defaults */
    int class;       /* -1: none */
} MjcfItem;

/* A mesh of the asset section. */
typedef struct MjcfMesh {
    const XmlElement *element;
    const char *name;
    int is_read, is_missing;
    MeshTriangles triangles;
    MeshMoments moments;
    int hull; /* index in the model, about the centre of mass; -1: not computed */
} MjcfMesh;

typedef struct MjcfReader {
    Model *model;
    MjcfRemarks *remarks;
    Error *err;
    Status status;
    Arena scratch;
    int class_count;
    MjcfClass *classes; /* [class_count]; the first is the main class */
    /* of compiler */
    double angle;     /* rad per unit of angle */
    char sequence[4]; /* of Euler angles */
    int auto_limits;
    int inertia_of_geoms; /* 0: never, 1: always, 2: for bodies without inertial */
    int balance;
    double min_mass, min_inertia, total_mass;
    int inertia_groups[2];
    const char *mesh_folder;        /* meshdir */
    int strips_paths, exact_meshes; /* strippath, exactmeshinertia */
    int clamps_controls, no_springs, no_dampers; /* of option's flag */
    /* ignored or refused features: mjcf_leave.c */
    int left_count;
    MjcfLeft *left;
    const XmlElement *refused; /* first refused element; NULL: none */
    char refusal[256];         /* message about it */
    char refused_names[256];   /* "frictionloss,mesh": all names that the file requires */
    const char *folder; /* of the file; NULL: standard input or text */
    int mesh_count;
    MjcfMesh *mesh; /* [mesh_count] */
    /* for later sections */
    MjcfItem *geom;            /* [geom of the model] its item */
    int control_count;         /* number of actuators in the file */
    int *control;              /* [actuator of the file] index in the model; -1: left out */
} MjcfReader;

#define MJCF_ACTUATOR "actuator" /* tag of all actuators, which share one default */
#define MJCF_MAX_CLASSES 64     /* largest nesting depth */

/* Reads the <default> sections into classes. */
void mjcf_read_classes(MjcfReader *r, const XmlElement *root);

/* Returns the index of the default class of an element, -1 without one. */
int mjcf_class(MjcfReader *r, const XmlElement *e);

/* Makes the item of an element; checks its attributes, their values and its children against the rows of
 * data/mjcf_words.tsv for `words`. */
MjcfItem mjcf_item(MjcfReader *r, const XmlElement *e, const char *words);

/* Returns the element that has an attribute of an item, itself or a default, or NULL. */
const XmlElement *mjcf_holder(const MjcfReader *r, const MjcfItem *i, const char *name);

/* Finds the default elements of an actuator, outermost class first; returns their number. */
int mjcf_actuator_defaults(const MjcfReader *r, const MjcfItem *i, const XmlElement *found[], int max);

/* Refuses or ignores attribute values that the table does not support for `words`. */
void mjcf_check_values(MjcfReader *r, const MjcfItem *i, const char *words);

/* Reports a feature that affects the motion and is not supported: ignored with a remark if --leave-out has `name`, else
 * the file is refused at its end. The text describes it: "geom with condim=\"4\"". */
void mjcf_leave(MjcfReader *r, const XmlElement *e, const char *name, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Reads solref and solimp, or those of a limit, by attribute names; is_soft is 1 if they differ from MuJoCo's
 * defaults. */
void mjcf_softness(MjcfReader *r, const MjcfItem *i, const char *ref, const char *imp, ModelSoftness *out);

/* Handles an element that is not read: calls mjcf_leave if it affects the motion; an unknown element is an error; one
 * without effect is skipped. */
void mjcf_unread(MjcfReader *r, const XmlElement *e, const char *words);

/* Begin with the list of --leave-out (NULL: none); end with the error of refused features and remarks on unused
 * names. */
void mjcf_begin_leaving(MjcfReader *r, const char *list);
void mjcf_end_leaving(MjcfReader *r, const XmlElement *root);

/* An error if two elements of one kind have the same name. */
void mjcf_check_names(MjcfReader *r, const XmlElement *root);

/* Returns the attribute of an item, its class or a parent class; NULL if none has it. */
const char *mjcf_text(const MjcfReader *r, const MjcfItem *i, const char *name);

/* Reads up to `max` numbers of an attribute; returns how many are given by the item or a default. Others stay
 * unchanged. Fewer than `min` or more than `max` are an error. */
int mjcf_numbers(MjcfReader *r, const MjcfItem *i, const char *name, int min, int max, double *values);

double mjcf_number(MjcfReader *r, const MjcfItem *i, const char *name, double fallback);
Vec3 mjcf_vec3(MjcfReader *r, const MjcfItem *i, const char *name, Vec3 fallback);
int mjcf_integer(MjcfReader *r, const MjcfItem *i, const char *name, int fallback);

/* Returns the index of a word in a NULL-terminated list. */
int mjcf_word(MjcfReader *r, const MjcfItem *i, const char *name, const char *const *words, int fallback);
int mjcf_bool(MjcfReader *r, const MjcfItem *i, const char *name, int fallback);

/* Reads a range; returns 1 if it applies: `name` is true, or "auto" and the range is not empty. */
int mjcf_limited(MjcfReader *r, const MjcfItem *i, const char *name, const char *range_name, double *min,
                 double *max);

/* Copies a string to the model's memory. */
const char *mjcf_copy(MjcfReader *r, const char *text);

/* Returns the name of an element, "" if it has none. */
const char *mjcf_name(MjcfReader *r, const MjcfItem *i);

/* Returns the rotation of z to a direction, which must not be zero. */
Quat mjcf_turn_to(Vec3 z);

/* Reads pos and quat, axisangle, xyaxes, zaxis or euler; the pose includes the frames around the element. */
void mjcf_pose(MjcfReader *r, const MjcfItem *i, Vec3 *position, Quat *orientation);

/* Converts a pose in the frames around an element (<frame>) to one in its body. */
void mjcf_in_frames(MjcfReader *r, const XmlElement *e, Vec3 *position, Quat *orientation);

/* Sets the error of an element unless there already is one. */
void mjcf_fail(MjcfReader *r, const XmlElement *e, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Lists the meshes of a file without reading them. */
void mjcf_list_meshes(MjcfReader *r, const XmlElement *root);

/* Returns the mesh that a geom names, and reads it the first time; is_missing if its file is. NULL after an error. */
MjcfMesh *mjcf_mesh(MjcfReader *r, const XmlElement *geom, const char *name);

/* Warns if the file of a mesh that is only drawn is missing. */
void mjcf_look_for_mesh(MjcfReader *r, const XmlElement *geom, const char *name);

/* Checks the contact attributes of a geom that can collide; unsupported ones are refused. */
void mjcf_check_collider(MjcfReader *r, int geom);

/* Reads all bodies with their joints, sites and geoms. */
void mjcf_read_bodies(MjcfReader *r, const XmlElement *root);

#endif
