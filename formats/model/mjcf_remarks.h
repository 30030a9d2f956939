/* What of an MJCF file is left out or done another way, with its line. */
#ifndef KANE_FORMATS_MJCF_REMARKS_H
#define KANE_FORMATS_MJCF_REMARKS_H

#include "analysis/base/arena.h"
#include "formats/model/xml_tree.h"

typedef struct MjcfRemark {
    int line;         /* of the first place; 0: the text names it, or there is none */
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

/* Adds a remark about an element; the same words again are counted. */
Status mjcf_remark(MjcfRemarks *remarks, const XmlElement *e, Error *err, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#endif
