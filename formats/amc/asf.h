/* ASF: the skeleton of an Acclaim motion (AMC). A bone begins where its parent ends; its rotation is C B C^-1, with C
 * the orientation of its axes and B the product of its degrees of freedom, the first one applied first. Lengths in file
 * units, at rest in world axes.
 *
 * Limits of joints are skipped: the clip file has none for ball joints. */
#ifndef KANE_AMC_ASF_H
#define KANE_AMC_ASF_H

#include "analysis/base/status.h"
#include "analysis/clip/skeleton.h"
#include "formats/base/source_format.h"

enum { ASF_MAX_DOFS = 7 };

typedef enum AsfDof { ASF_TX, ASF_TY, ASF_TZ, ASF_RX, ASF_RY, ASF_RZ, ASF_LENGTH, ASF_DOF_COUNT } AsfDof;

typedef struct AsfBone {
    char *name;  /* owned */
    int parent;  /* -1: the root, or not yet known */
    Vec3 vector; /* from its beginning to its end; of the root: its rest position */
    Quat axes;   /* C */
    int dof_count;
    AsfDof dof[ASF_MAX_DOFS]; /* in the order of the file */
    int line;
} AsfBone;

typedef struct Asf {
    int bone_count;
    AsfBone *bone;      /* [bone] parents first; 0 is the root */
    double unit_length; /* length of :units; 0: not stated */
    double angle;       /* degrees per unit of angles: 1, or 180 / pi */
} Asf;

/* file: path in messages. STATUS_BAD_INPUT with the line, STATUS_LIMIT for more bones or levels than def allows. On
 * failure *out is empty. */
Status asf_parse(const SourceFile *file, const SourceDef *def, Asf *out, Error *err);
void asf_free(Asf *asf);

/* The skeleton in file units and axes: a joint at the beginning of each bone, an end site at the end of the last ones.
 * Free *out also after failure. */
Status asf_skeleton(const Asf *asf, Skeleton *out, Error *err);

/* Metres per file unit by the format's rule, an inch over the length of :units, if an adult fits it; 0: otherwise, to
 * be detected. */
double asf_unit(const Asf *asf, const Skeleton *skeleton);

#endif
