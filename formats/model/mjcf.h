/* Reads MJCF, the scene format of MuJoCo (documentation "XML Reference"), into a Model.
 *
 * Supported are compiler, option, default classes, bodies with joints, inertia, geoms and sites, meshes in files or
 * attributes, connect, weld and joint equalities, spatial tendons over sites, motor, position, velocity and general
 * actuators, contact pairs and exclusions, keyframes. data/mjcf_words.tsv lists for every element and attribute whether
 * it is read, has no effect on the motion, or is refused with file and line. A file with an unsupported feature is
 * never simulated without it, unless the caller lists the feature in leave_out. */
#ifndef KANE_MODEL_MJCF_H
#define KANE_MODEL_MJCF_H

#include "analysis/model/model.h"
#include "formats/model/mjcf_remarks.h"
#include "formats/base/xml_tree.h"

typedef struct MjcfDef {
    XmlDef limits;
    const char *leave_out; /* comma-separated names of elements and attributes to ignore where they would be refused;
                              NULL: none */
} MjcfDef;

MjcfDef mjcf_default_def(void);

/* path "-": standard input. On failure *out is empty, and err has the line and, for an included file, its name. Remarks
 * are added also on failure. */
Status mjcf_read(const char *path, const MjcfDef *def, Model *out, MjcfRemarks *remarks, Error *err);
Status mjcf_parse(const char *text, size_t size, const MjcfDef *def, Model *out, MjcfRemarks *remarks, Error *err);

#endif
