/* The inside of the MJCF reader, shared by its files: values of elements with their defaults, and where they go.
 *
 * The first error of a file stays in `status`: what is asked for then returns its fallback, so that a function takes
 * all it needs and asks once. */
#ifndef KANE_FORMATS_MJCF_READER_H
#define KANE_FORMATS_MJCF_READER_H

#include "formats/model/mjcf.h"

/* A default class: an element <default> with its name and the class that it lies in. */
typedef struct MjcfClass {
    const char *name;
    const XmlElement *element;
    int parent; /* -1: none */
} MjcfClass;

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
} MjcfReader;

/* What a function reads: the element, and the tag of the default that stands behind it. */
typedef struct MjcfItem {
    const XmlElement *element;
    const char *tag;
    int class; /* -1: no default */
} MjcfItem;

/* <default> sections into classes. */
void mjcf_read_classes(MjcfReader *r, const XmlElement *root);

/* The item of an element; checks its attributes against the words of `tag`. */
MjcfItem mjcf_item(MjcfReader *r, const XmlElement *e, const char *tag);

/* Own attribute, or that of the class or one that it lies in; NULL: none has it. */
const char *mjcf_text(const MjcfReader *r, const MjcfItem *i, const char *name);

/* Numbers of an attribute, up to `most`; returns how many. Values that are not given stay. Fewer than `least` or more
 * than `most` are an error. */
int mjcf_numbers(MjcfReader *r, const MjcfItem *i, const char *name, int least, int most, double *values);

double mjcf_number(MjcfReader *r, const MjcfItem *i, const char *name, double fallback);
Vec3 mjcf_vec3(MjcfReader *r, const MjcfItem *i, const char *name, Vec3 fallback);
int mjcf_integer(MjcfReader *r, const MjcfItem *i, const char *name, int fallback);

/* Place of a word in a list that ends with NULL. */
int mjcf_word(MjcfReader *r, const MjcfItem *i, const char *name, const char *const *words, int fallback);
int mjcf_bool(MjcfReader *r, const MjcfItem *i, const char *name, int fallback);

/* Whether a range applies: `name` says so, or it is "auto" and the range has a width. */
int mjcf_limited(MjcfReader *r, const MjcfItem *i, const char *name, const char *range_name, double *least,
                 double *most);

/* Copy of a text in the model. */
const char *mjcf_copy(MjcfReader *r, const char *text);

/* Name of an element, "" without. */
const char *mjcf_name(MjcfReader *r, const MjcfItem *i);

/* pos, and quat, axisangle, xyaxes, zaxis or euler. */
void mjcf_pose(MjcfReader *r, const MjcfItem *i, Vec3 *position, Quat *orientation);

/* Sets the error of an element, where there is none yet. */
void mjcf_fail(MjcfReader *r, const XmlElement *e, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Geoms of a body, and the mass that they have together. */
typedef struct MjcfMass {
    double mass;
    Vec3 moment;  /* kg m */
    Sym3 inertia; /* kg m2, about the body's origin */
    int has_mesh; /* 1: some mesh would have had a part */
} MjcfMass;
void mjcf_read_geom(MjcfReader *r, const XmlElement *e, int body, MjcfMass *sum);

/* All bodies with what lies on them; joints, sites and geoms. */
void mjcf_read_bodies(MjcfReader *r, const XmlElement *root);

/* Sections that name bodies, joints and sites: equality, tendon, actuator, contact, keyframe. */
void mjcf_read_relations(MjcfReader *r, const XmlElement *root);

#endif
