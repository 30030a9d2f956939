/* MJCF, the scene format of MuJoCo (documentation "XML Reference"), into a Model.
 *
 * Read: compiler, option, default classes, bodies with joints, inertia, geoms and sites, meshes beside the file,
 * connect, weld and joint equalities, spatial tendons over sites, motor, position, velocity and general actuators,
 * contact pairs and exclusions, keyframes. data/mjcf_words.tsv has every element and attribute: read, without effect on
 * the motion, or refused with file and line. No file is simulated as something else than it says, unless the caller
 * names what to leave out. */
#ifndef KANE_MODEL_MJCF_H
#define KANE_MODEL_MJCF_H

#include "analysis/model/model.h"
#include "formats/model/xml_tree.h"

typedef struct MjcfDef {
    XmlDef limits;
    const char *leave_out; /* names with commas, of elements and attributes that are left out where they would be
                              refused; NULL: none */
} MjcfDef;

MjcfDef mjcf_default_def(void);

/* "-" is standard input. On failure *out is empty; err names line and, of an included one, file. Remarks are added,
 * also on failure. */
Status mjcf_read(const char *path, const MjcfDef *def, Model *out, MjcfRemarks *remarks, Error *err);
Status mjcf_parse(const char *text, size_t size, const MjcfDef *def, Model *out, MjcfRemarks *remarks, Error *err);

#endif
