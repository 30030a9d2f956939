/* MJCF, the scene format of MuJoCo (documentation "XML Reference"), into a Model.
 *
 * Read: compiler, option, default classes, bodies with joints, inertia, geoms and sites, connect, weld and joint
 * equalities, spatial tendons over sites, motor, position and velocity actuators, contact exclusions, keyframes.
 * Meshes are told and left out. What kane does not know is told with its line, and is an error where it changes the
 * physics: no file is simulated as something else than it says. */
#ifndef KANE_FORMATS_MJCF_H
#define KANE_FORMATS_MJCF_H

#include "analysis/model/model.h"
#include "formats/model/xml_tree.h"

/* What was left out or is done another way. */
typedef struct MjcfRemark {
    int line;         /* of the first place */
    int count;        /* of places */
    const char *text; /* of MjcfRemarks */
} MjcfRemark;

/* (MjcfRemarks){0} is an empty list. */
typedef struct MjcfRemarks {
    int count;
    MjcfRemark *remark; /* [count] owned */
    Arena memory;       /* of the texts */
} MjcfRemarks;

void mjcf_remarks_free(MjcfRemarks *r);

/* "-" is standard input. On failure *out is empty; err names line and, of an included one, file. Remarks are added,
 * also on failure. */
Status mjcf_read(const char *path, const XmlDef *limits, Model *out, MjcfRemarks *remarks, Error *err);
Status mjcf_parse(const char *text, size_t size, const XmlDef *limits, Model *out, MjcfRemarks *remarks, Error *err);

#endif
