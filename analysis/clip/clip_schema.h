/* The schema of a clip: dimensions, groups, attributes and arrays (docs/formats/clip_file.md).
 *
 * One row per fact: name, shape, unit, meaning, axes and the member of Clip. Memory of groups (clip_groups.c), clip
 * files, their checks, info, exports and the library follow from the rows. Their order is that of a file. To add an
 * array, add its member and its row, and run `make reference`. */
#ifndef KANE_CLIP_CLIP_SCHEMA_H
#define KANE_CLIP_CLIP_SCHEMA_H

#include <stddef.h>

#include "analysis/clip/clip.h"

typedef enum SchemaDim {
    DIM_NONE = 0,
    DIM_FRAME,
    DIM_JOINT,
    DIM_XYZ,
    DIM_WXYZ,
    DIM_END,
    DIM_INERTIA,
    DIM_POINT,
    DIM_FOOT,
    DIM_STEP,
    DIM_COORDINATE,
    DIM_PARTICLE,
    DIM_PAIR,
    DIM_CONSTRAINT,
    DIM_ACTUATOR,
    DIM_DOF,
    DIM_BOUND,
    DIM_TERM,
    DIM_SHAPE,
    DIM_SHAPE_POINT,
    DIM_SHAPE_FACE,
    DIM_RGBA,
    DIM_CORNER,
    DIM_MARKER,
    DIM_COUNT
} SchemaDim;

typedef struct SchemaDimension {
    const char *name;
    const char *label[6];   /* fixed dimensions: labels of the indices; NULL: sized by the clip */
    const char *long_name;  /* of the label variable; NULL: no variable */
    const char *index_name; /* name of an index in messages, and of the dimension in older files; NULL: as the name */
    int may_be_empty;       /* 1: a clip may have size 0 along it */
} SchemaDimension;

typedef enum SchemaGroupId {
    GROUP_ROOT = 0,
    GROUP_SKELETON,
    GROUP_DOF,
    GROUP_MOTION,
    GROUP_TRUST,
    GROUP_BODY,
    GROUP_KINEMATICS,
    GROUP_CONTACT,
    GROUP_DYNAMICS,
    GROUP_ANGLES,
    GROUP_RETARGET, /* attributes only; unknown metrics are omitted */
    GROUP_SIMULATION,
    GROUP_PARTICLES,
    GROUP_SHAPES,
    GROUP_MARKERS,
    GROUP_TRACKING,
    GROUP_RUN, /* first of CONTROLLER_COUNT controllers */
    GROUP_COUNT = GROUP_RUN + CONTROLLER_COUNT
} SchemaGroupId;

#define SCHEMA_ALWAYS ((size_t)-1)

typedef struct SchemaGroup {
    const char *name;
    size_t present;       /* offset in Clip of its has_ flag; SCHEMA_ALWAYS: always present */
    size_t start, size;   /* offset and size of its struct in Clip, bytes; 0: no struct of its own */
    unsigned bit;         /* its ClipGroup */
    unsigned sources;     /* the ClipGroups that it is computed from, directly or indirectly */
} SchemaGroup;

/* The member of a group that stores the size of a dimension. The first row of a dimension is that of the clip. */
typedef struct SchemaCount {
    SchemaGroupId group;
    SchemaDim dim;
    size_t member; /* offset in Clip of an int */
} SchemaCount;

typedef enum SchemaElement {
    ELEMENT_DOUBLE, /* float64, double in memory */
    ELEMENT_INT,    /* int32 */
    ELEMENT_BYTE,   /* uint8 */
    ELEMENT_BITS,   /* uint32 */
    ELEMENT_NAME,   /* variable-length UTF-8, char * in memory */
    ELEMENT_ROLE,   /* variable-length UTF-8, Role in memory */
    ELEMENT_COORDINATE, /* variable-length UTF-8, Coordinate in memory */
    ELEMENT_DOF_KIND,   /* variable-length UTF-8, DofKind in memory */
    ELEMENT_SHAPE_KIND  /* variable-length UTF-8, ShapeKind in memory */
} SchemaElement;

enum {
    SCHEMA_OPTIONAL = 1, /* omitted if the member is NULL */
    SCHEMA_EXACT = 2,    /* never written as float32 */
    SCHEMA_REASONS = 4,  /* bits of TrustReason: flag_masks and flag_meanings describe them (CF conventions) */
    SCHEMA_GAPS = 8,     /* NaN: no value */
    SCHEMA_LABELS = 16,  /* written as the labels of its dimension */
    SCHEMA_SCALE = 32,   /* coordinate variable of its only dimension, with the same name, within its group */
    SCHEMA_COPY = 64,    /* copy of the root's dataset of that name, which is the one read; files may lack it */
    SCHEMA_PAIR = 128,   /* optional together with the row before */
    SCHEMA_LATER = 256,  /* files of earlier versions may lack it: the default of a new group applies */
    SCHEMA_DERIVED = 512, /* a lean file leaves it out, and formats/container/container_restore.h computes it */
    SCHEMA_SPARSE = 1024, /* mostly zeros, or equal in every frame: a lean file deflates it */
};

#define SCHEMA_MAX_RANK 3

typedef struct SchemaDataset {
    SchemaGroupId group;
    const char *name;
    SchemaElement element;
    SchemaDim dim[SCHEMA_MAX_RANK]; /* DIM_NONE ends the list */
    size_t member;                  /* offset in Clip of the pointer to the array */
    int flags;
    const char *units;
    const char *long_name;
} SchemaDataset;

typedef enum SchemaAttributeKind {
    ATTRIBUTE_OWNED,  /* char *, NULL reads as "" */
    ATTRIBUTE_INLINE, /* char[size] */
    ATTRIBUTE_NUMBER  /* size doubles */
} SchemaAttributeKind;

typedef struct SchemaAttribute {
    SchemaGroupId group;
    const char *name;
    SchemaAttributeKind kind;
    size_t member; /* offset in Clip */
    size_t size;
    const char *units;
    const char *long_name;
} SchemaAttribute;

enum {
    SCHEMA_COUNT_COUNT = 29,
    SCHEMA_DATASET_COUNT = 121 + DOF_LIMIT_COUNT + 12 * CONTROLLER_COUNT,
    SCHEMA_ATTRIBUTE_COUNT = 30 + (int)(offsetof(RetargetScore, worst_frame) / sizeof(double)) + 11 * CONTROLLER_COUNT
};

extern const SchemaDimension schema_dimensions[DIM_COUNT];
extern const SchemaGroup schema_groups[GROUP_COUNT];
extern const SchemaCount schema_counts[SCHEMA_COUNT_COUNT];
extern const SchemaDataset schema_datasets[SCHEMA_DATASET_COUNT];
extern const SchemaAttribute schema_attributes[SCHEMA_ATTRIBUTE_COUNT];

/* schema_number_is_known: whether an attribute is written. schema_number_is_valid: whether its values are permitted:
 * finite, in /retarget and /simulation also NaN for unknown. */
int schema_number_is_known(const SchemaAttribute *attribute, const double *value);
int schema_number_is_valid(const SchemaAttribute *attribute, const double *value);

/* Name of a dataset, attribute or dimension in files of earlier versions, which is read but not written; NULL:
 * unchanged. schema_old_group: the same of a group. */
const char *schema_old_name(const char *name);
const char *schema_old_group(SchemaGroupId group);

/* Index of a dataset by group and name, or by path such as "/motion/rotation" (also an old one); -1: not in the
 * table. */
int schema_find(SchemaGroupId group, const char *name);
int schema_find_path(const char *path);

/* Size of a dimension in this clip; schema_fixed_size: for any clip. */
size_t schema_dim_size(const Clip *clip, SchemaDim dim);
size_t schema_fixed_size(SchemaDim dim); /* 0: sized by the clip */

/* The group that defines the dimension and its labels: the root, or the only group that uses it. */
SchemaGroupId schema_dim_group(SchemaDim dim);

/* Number of dimensions of a dataset, 1 to SCHEMA_MAX_RANK. */
int schema_rank(const SchemaDataset *dataset);

/* Number of elements of a dataset in this clip: in total, and per index of its first dimension. */
size_t schema_count(const Clip *clip, const SchemaDataset *dataset);
size_t schema_row(const Clip *clip, const SchemaDataset *dataset);

int schema_has_group(const Clip *clip, SchemaGroupId group);

/* Whether the clip has the array with a non-zero size: an empty array is omitted from files. */
int schema_has_dataset(const Clip *clip, const SchemaDataset *dataset);

/* Whether the array may be empty. */
int schema_may_be_empty(const SchemaDataset *dataset);

/* The array: the member of Clip as a plain pointer. */
void *schema_array(const Clip *clip, const SchemaDataset *dataset);

/* Whether an element is text in the file; schema_label: the text at index i. */
int schema_is_text(SchemaElement element);
const char *schema_label(const Clip *clip, const SchemaDataset *dataset, size_t i);

/* Size of an element in memory, bytes. */
size_t schema_element_size(SchemaElement element);

/* Whether it is a trajectory, to which 32-bit storage and compression apply. */
int schema_is_trajectory(const SchemaDataset *dataset);

/* schema_path writes the path, such as "/motion/rotation". schema_old_path writes the path in files of earlier
 * versions: 0 with the old name of the group, 1 also with that of the dataset; returns 0 if that did not change. */
enum { SCHEMA_OLD_PATHS = 2 };
void schema_path(const SchemaDataset *dataset, char *text, size_t size);
int schema_old_path(const SchemaDataset *dataset, int which, char *text, size_t size);

/* Checks that every present group has the frame, joint and other counts of the clip, and its arrays. STATUS_INTERNAL
 * names what is missing. */
Status schema_check(const Clip *clip, Error *err);

/* Memory of one group. `group` is its struct, in a clip or alone (a Motion *); for a controller's run it is the
 * Tracking. Sets the sizes by dimension and allocates zeroed arrays for the required rows and one optional row (NULL:
 * none); sets the defaults that are not zero. On failure the group is empty. */
Status group_init(SchemaGroupId id, void *group, const int size[DIM_COUNT], const char *optional, Error *err);

/* The same for a group of the clip, which is then present. */
Status clip_add_group(Clip *c, SchemaGroupId id, const int size[DIM_COUNT], Error *err);

/* Allocates zeroed arrays for an optional row and its pair if they are missing. */
Status group_add(SchemaGroupId id, void *group, const char *name, Error *err);

/* Frees every array, including names; the struct is zero afterwards. NULL is accepted. */
void group_free(SchemaGroupId id, void *group);

/* Makes a deep copy. On failure *to is empty. */
Status group_copy(SchemaGroupId id, void *to, const void *from, Error *err);

#endif
