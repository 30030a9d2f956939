/* What a clip holds, as tables: dimensions, groups, attributes and arrays (docs/formats/clip_file.md).
 *
 * Each fact - a name, a shape, a unit, what it means and in which axes, the member of Clip - has one row. Memory of
 * groups (clip_groups.c), the container, its checks, info, exports and the library follow from the rows, in their
 * order, which is that of a file. To add an array: its member, its row, and `make reference`. */
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
    DIM_COUNT
} SchemaDim;

typedef struct SchemaDimension {
    const char *name;
    const char *label[6];  /* fixed dimensions: what their places are called; NULL: sized by the clip */
    const char *long_name; /* of the label variable; NULL: a dimension without a variable */
    const char *place;     /* what messages call a place along it, and older files the dimension; NULL: as the name */
    int may_be_empty;      /* 1: a clip without any place along it is whole */
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
    GROUP_ANATOMY,
    GROUP_RETARGET, /* attributes only; an unknown metric is left out */
    GROUP_SIMULATION,
    GROUP_PARTICLES,
    GROUP_SHAPES,
    GROUP_TRACKING,
    GROUP_RUN, /* the first controller of CONTROLLER_COUNT */
    GROUP_COUNT = GROUP_RUN + CONTROLLER_COUNT
} SchemaGroupId;

#define SCHEMA_ALWAYS ((size_t)-1)

typedef struct SchemaGroup {
    const char *name;
    size_t present;       /* offset in Clip of its has_ flag; SCHEMA_ALWAYS: every clip has it */
    size_t start, size;   /* its struct in Clip: offset and bytes; 0 bytes: none of its own */
    unsigned bit;         /* the ClipGroup that it belongs to */
    unsigned sources;     /* the ClipGroups that it is computed from, directly or not */
} SchemaGroup;

/* Where a group keeps how many places a dimension has. The first row of a dimension is the clip's own. */
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
    SCHEMA_OPTIONAL = 1, /* a NULL member is left out */
    SCHEMA_EXACT = 2,    /* never written as float32 */
    SCHEMA_REASONS = 4,  /* bits of TrustReason: flag_masks and flag_meanings describe them (CF conventions) */
    SCHEMA_GAPS = 8,     /* NaN where there is no value */
    SCHEMA_LABELS = 16,  /* written as the labels of its dimension */
    SCHEMA_SCALE = 32,   /* the coordinate variable of its one dimension, whose name it has, within its group */
    SCHEMA_COPY = 64,    /* holds what the root's dataset of that name does, which is read: files may lack it */
    SCHEMA_PAIR = 128,   /* optional together with the row before */
    SCHEMA_LATER = 256,  /* files of earlier versions may lack it: it is then as a new group has it */
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
} SchemaAttribute;

enum {
    SCHEMA_COUNT_COUNT = 27,
    SCHEMA_DATASET_COUNT = 114 + 8 * CONTROLLER_COUNT,
    SCHEMA_ATTRIBUTE_COUNT = 24 + (int)(offsetof(RetargetScore, worst_frame) / sizeof(double)) + 8 * CONTROLLER_COUNT
};

extern const SchemaDimension schema_dimensions[DIM_COUNT];
extern const SchemaGroup schema_groups[GROUP_COUNT];
extern const SchemaCount schema_counts[SCHEMA_COUNT_COUNT];
extern const SchemaDataset schema_datasets[SCHEMA_DATASET_COUNT];
extern const SchemaAttribute schema_attributes[SCHEMA_ATTRIBUTE_COUNT];

/* Whether a number is there to be written, and whether it may be there: all are finite, and those of /retarget that
 * are not known NaN. */
int schema_number_is_known(const SchemaAttribute *attribute, const double *value);
int schema_number_is_valid(const SchemaAttribute *attribute, const double *value);

/* What files of earlier versions call a dataset, an attribute or a dimension; NULL: as this version does. Read, never
 * written. */
const char *schema_old_name(const char *name);

/* Index of a dataset of the table, -1 for a name that is not in it; the same by its path, "/motion/rotation", also by
 * an old one. */
int schema_find(SchemaGroupId group, const char *name);
int schema_find_path(const char *path);

/* Places along a dimension in this clip; of one that the schema sizes, for any clip. */
size_t schema_dim_size(const Clip *clip, SchemaDim dim);
size_t schema_fixed_size(SchemaDim dim); /* 0: the clip sizes it */

/* The group that has the dimension, and its labels: the root, or the one that alone uses it. */
SchemaGroupId schema_dim_group(SchemaDim dim);

/* Dimensions of a dataset, 1 to SCHEMA_MAX_RANK. */
int schema_rank(const SchemaDataset *dataset);

/* Elements of a dataset in this clip: in all, and behind one place of its first dimension. */
size_t schema_count(const Clip *clip, const SchemaDataset *dataset);
size_t schema_row(const Clip *clip, const SchemaDataset *dataset);

int schema_has_group(const Clip *clip, SchemaGroupId group);

/* Whether the clip has the array, and all its dimensions have a place: an array without elements is left out of files,
 * as if it were not there. */
int schema_has_dataset(const Clip *clip, const SchemaDataset *dataset);

/* Whether an array without elements still leaves the clip whole. */
int schema_may_be_empty(const SchemaDataset *dataset);

/* The array itself: the Clip's member as a plain pointer. */
void *schema_array(const Clip *clip, const SchemaDataset *dataset);

/* The element is text in the file; schema_label is that of place i. */
int schema_is_text(SchemaElement element);
const char *schema_label(const Clip *clip, const SchemaDataset *dataset, size_t i);

/* Bytes of one element in memory. */
size_t schema_element_size(SchemaElement element);

/* Whether it is a trajectory: what storing as 32-bit and compression act on. */
int schema_is_trajectory(const SchemaDataset *dataset);

/* "/motion/rotation" into text; the same by the old name, 0 where there is none. */
void schema_path(const SchemaDataset *dataset, char *text, size_t size);
int schema_old_path(const SchemaDataset *dataset, char *text, size_t size);

/* Whether every group that is there has the clip's frames, joints and so on, and its arrays. STATUS_INTERNAL names what
 * has not. */
Status schema_check(const Clip *clip, Error *err);

/* Memory of one group. `group` is its struct, in a clip or alone (a Motion *); of a controller's run the Tracking. */

/* Sizes the group by dimension, with zeroed arrays for its needed rows and an optional one (NULL: none); what is not
 * zero in a new group is set. On failure it is empty. */
Status group_init(SchemaGroupId id, void *group, const int size[DIM_COUNT], const char *optional, Error *err);

/* The same of a group of the clip, which is then there. */
Status clip_add_group(Clip *c, SchemaGroupId id, const int size[DIM_COUNT], Error *err);

/* Zeroed arrays for an optional row and its pair, where there are none yet. */
Status group_add(SchemaGroupId id, void *group, const char *name, Error *err);

/* Frees every array, also of what the group holds; the struct is zeros afterwards. NULL is accepted. */
void group_free(SchemaGroupId id, void *group);

/* A copy with arrays of its own. On failure *to is empty. */
Status group_copy(SchemaGroupId id, void *to, const void *from, Error *err);

#endif
