/* The inside of the MJCF reader, shared by its files: values of elements with their defaults, and where they go.
 *
 * The first error of a file stays in `status`: what is asked for then returns its fallback, so that a function takes
 * all it needs and asks once. */
#ifndef KANE_MODEL_MJCF_VALUES_H
#define KANE_MODEL_MJCF_VALUES_H

#include "analysis/model/mesh.h"
#include "formats/model/xml_tree.h"

/* A default class: an element <default> with its name and the class that it lies in. */
typedef struct MjcfClass {
    const char *name;
    const XmlElement *element;
    int parent;  /* -1: none */
    int section; /* number of the top section that contains it */
} MjcfClass;

/* A name of --leave-out. */
typedef struct MjcfLeft {
    const char *name;
    int is_met; /* 1: something of that name was left out */
} MjcfLeft;

/* What a function reads: the element, and the tag of the default behind it. */
typedef struct MjcfItem {
    const XmlElement *element;
    const char *tag; /* NULL: none */
    int class;       /* -1: no default */
} MjcfItem;

/* A mesh of the asset section. */
typedef struct MjcfMesh {
    const XmlElement *element;
    const char *name;
    int is_read, is_missing;
    MeshTriangles triangles;
    MeshMoments moments;
    int hull; /* of the model, about the COM; -1: none yet */
} MjcfMesh;

typedef struct MjcfReader {
    Model *model;
    MjcfRemarks *remarks;
    Error *err;
    Status status;
    Arena scratch;
    int class_count;
    MjcfClass *classes; /* the first is the one that all lie in */
    /* compiler */
    double angle;     /* rad of a unit of angle */
    char sequence[4]; /* of Euler angles */
    int auto_limits;
    int inertia_of_geoms; /* 0: never, 1: always, 2: where a body has no inertial */
    int balance;
    double least_mass, least_inertia, total_mass;
    int inertia_groups[2];
    const char *mesh_folder;        /* meshdir */
    int strips_paths, exact_meshes; /* strippath, exactmeshinertia */
    int clamps_controls, no_springs, no_dampers; /* of option flag */
    /* what is left out or refused: mjcf_leave.c */
    int left_count;
    MjcfLeft *left;
    const XmlElement *refused; /* the first; NULL: none yet */
    char refusal[256];         /* what it says */
    char refused_names[256];   /* "frictionloss,mesh": all that the file needs */
    const char *folder; /* of the file; NULL: standard input, or a text */
    int mesh_count;
    MjcfMesh *mesh; /* [mesh_count] */
    /* what later sections refer to */
    MjcfItem *geom;            /* [geom of the model] */
    int control_count;         /* actuators of the file */
    int *control;              /* [actuator of the file] that of the model; -1: left out */
} MjcfReader;

#define MJCF_ACTUATOR "actuator" /* the tag of all actuators: they share one default */
#define MJCF_MOST_CLASSES 64     /* that lie in each other */

/* <default> sections into classes. */
void mjcf_read_classes(MjcfReader *r, const XmlElement *root);

/* The item of an element; checks its attributes, their values and its children against the words of data/mjcf_words.tsv
 * for `words`. */
MjcfItem mjcf_item(MjcfReader *r, const XmlElement *e, const char *words);

/* The element that has an attribute of an item: itself, or a default; NULL: none. */
const XmlElement *mjcf_holder(const MjcfReader *r, const MjcfItem *i, const char *name);

/* Default elements of an actuator, those of the outermost class first; returns how many. */
int mjcf_actuator_defaults(const MjcfReader *r, const MjcfItem *i, const XmlElement *found[], int most);

/* Values of attributes that the words of `words` refuse. */
void mjcf_check_values(MjcfReader *r, const MjcfItem *i, const char *words);

/* Something of an element changes the motion and is not simulated: it is left out where `name` is one of --leave-out,
 * else the file is refused at its end. The text says what it is: "geom with condim=\"4\"". */
void mjcf_leave(MjcfReader *r, const XmlElement *e, const char *name, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* solref and solimp, or those of a limit, by their names: soft where they are not MuJoCo's defaults. */
void mjcf_softness(MjcfReader *r, const MjcfItem *i, const char *ref, const char *imp, ModelSoftness *out);

/* As mjcf_leave for an element that no one reads here; one that is not known is an error, one that moves nothing is
 * none. */
void mjcf_unread(MjcfReader *r, const XmlElement *e, const char *words);

/* Before the first and behind the last of these: the list of --leave-out, NULL: none; the refusal of the file. */
void mjcf_begin_leaving(MjcfReader *r, const char *list);
void mjcf_end_leaving(MjcfReader *r, const XmlElement *root);

/* Names that are given twice within one kind. */
void mjcf_check_names(MjcfReader *r, const XmlElement *root);

/* Own attribute, or that of the class or one that it lies in; NULL: none has it. */
const char *mjcf_text(const MjcfReader *r, const MjcfItem *i, const char *name);

/* Numbers of an attribute, up to `most`; returns how many of them it or a default gives. Values that are not given
 * stay. Fewer than `least` or more than `most` are an error. */
int mjcf_numbers(MjcfReader *r, const MjcfItem *i, const char *name, int least, int most, double *values);

double mjcf_number(MjcfReader *r, const MjcfItem *i, const char *name, double fallback);
Vec3 mjcf_vec3(MjcfReader *r, const MjcfItem *i, const char *name, Vec3 fallback);
int mjcf_integer(MjcfReader *r, const MjcfItem *i, const char *name, int fallback);

/* Place of a word in a list that ends with NULL. */
int mjcf_word(MjcfReader *r, const MjcfItem *i, const char *name, const char *const *words, int fallback);
int mjcf_bool(MjcfReader *r, const MjcfItem *i, const char *name, int fallback);

/* Whether a range applies: `name` is true, or "auto" and the range has a width. */
int mjcf_limited(MjcfReader *r, const MjcfItem *i, const char *name, const char *range_name, double *least,
                 double *most);

/* Copy of a text in the model. */
const char *mjcf_copy(MjcfReader *r, const char *text);

/* Name of an element, "" without. */
const char *mjcf_name(MjcfReader *r, const MjcfItem *i);

/* The turn that takes z to a direction, which is not zero. */
Quat mjcf_turn_to(Vec3 z);

/* pos, and quat, axisangle, xyaxes, zaxis or euler, within the frames around the element. */
void mjcf_pose(MjcfReader *r, const MjcfItem *i, Vec3 *position, Quat *orientation);

/* A pose in the frames around an element (<frame>) becomes one in its body; nothing changes without frames. */
void mjcf_in_frames(MjcfReader *r, const XmlElement *e, Vec3 *position, Quat *orientation);

/* Sets the error of an element, where there is none yet. */
void mjcf_fail(MjcfReader *r, const XmlElement *e, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* The meshes of a file, none of them read. */
void mjcf_list_meshes(MjcfReader *r, const XmlElement *root);

/* The mesh that a geom names, read where it was not yet; is_missing where there is none to read. NULL after an error.
 */
MjcfMesh *mjcf_mesh(MjcfReader *r, const XmlElement *geom, const char *name);

/* A warning where the file of a mesh that moves nothing is missing. */
void mjcf_look_for_mesh(MjcfReader *r, const XmlElement *geom, const char *name);

/* Geoms of a body, and the mass that they have together. */
typedef struct MjcfMass {
    double mass;
    Vec3 moment;  /* kg m */
    Sym3 inertia; /* kg m2, about the body's origin */
    int is_asked; /* 1: the body's mass is that of its geoms */
    const MjcfMesh *missing; /* a mesh that would have had a part; NULL: none */
} MjcfMass;
void mjcf_read_geom(MjcfReader *r, const XmlElement *e, int body, MjcfMass *sum);

/* What only contacts feel of a geom that can meet another: refused where kane does not simulate it. */
void mjcf_check_collider(MjcfReader *r, int geom);

/* All bodies with what lies on them; joints, sites and geoms. */
void mjcf_read_bodies(MjcfReader *r, const XmlElement *root);

/* Sections that name bodies, joints and sites: equality, tendon, actuator, contact, keyframe. */
void mjcf_read_relations(MjcfReader *r, const XmlElement *root);

/* Which elements and attributes of MJCF kane reads, and what it does with the others (data/mjcf_words.tsv). */

typedef enum MjcfUse {
    MJCF_READ,
    MJCF_SOME,   /* read; some values are refused */
    MJCF_SKIP,   /* does not change the motion */
    MJCF_METHOD, /* a choice of the numerical method, which options of kane make */
    MJCF_REFUSE, /* changes the motion and is not simulated */
} MjcfUse;

typedef struct MjcfWord {
    const char *element, *attribute; /* "*": the element itself, with all that is in it */
    MjcfUse use;
    const char *neutral; /* value that changes nothing; "": every one does */
} MjcfWord;

/* Compiled in from data/mjcf_words.tsv, ordered by element. */
extern const MjcfWord mjcf_words[];
extern const int mjcf_words_count;

/* The first row of an attribute, or of an element ("*"); NULL: there is none. */
const MjcfWord *mjcf_word_of(const char *element, const char *attribute);

/* 1 where a row of the attribute has this value as its neutral one. */
int mjcf_is_neutral(const char *element, const char *attribute, const char *value);

/* 1 where something of that name, an attribute or an element, may be refused. */
int mjcf_may_refuse(const char *name);

/* 1 for an element or attribute of the table. */
int mjcf_is_word(const char *name);

/* "; did you mean a, b or c?", of the names that --leave-out accepts. */
void mjcf_near_names(const char *wrong, char *text, size_t size);

/* An attribute that no row of `element` names is an error; choices of the method become remarks. */
Status mjcf_check_attributes(const XmlElement *e, const char *element, MjcfRemarks *remarks, Error *err);

#endif
