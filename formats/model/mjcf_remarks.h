/* Remarks on an MJCF file: features that are ignored or handled differently. */
#ifndef KANE_MODEL_MJCF_REMARKS_H
#define KANE_MODEL_MJCF_REMARKS_H

#include "analysis/base/arena.h"
#include "analysis/base/status.h"
#include "formats/base/xml_tree.h"

typedef struct MjcfRemark {
    int line;         /* of its first occurrence; 0: in the text, or none */
    int count;        /* number of occurrences */
    const char *text; /* owned by MjcfRemarks */
} MjcfRemark;

/* A list of remarks; (MjcfRemarks){0} is empty. */
typedef struct MjcfRemarks {
    int count;
    MjcfRemark *remark; /* [count] owned */
    Arena memory;       /* owns the texts */
} MjcfRemarks;

void mjcf_remarks_free(MjcfRemarks *r);

/* Adds a remark about an element; counts it if the text is already there. */
Status mjcf_remark(MjcfRemarks *remarks, const XmlElement *e, Error *err, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#endif
