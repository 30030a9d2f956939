/* An XML file as a tree of elements with their places, read by libexpat.
 *
 * Made for files from strangers: a document type, and with it every entity of its own, is refused, and size, depth
 * and number of elements are bounded. Text between elements is left out: MJCF has none. `<include file="..."/>` is
 * replaced by the elements within the root of that file: a relative path inside the folder of the first file, each file
 * once, so that there are no loops. */
#ifndef KANE_MODEL_XML_TREE_H
#define KANE_MODEL_XML_TREE_H

#include <stdarg.h>

#include "analysis/base/arena.h"
#include "analysis/base/status.h"

typedef struct XmlAttribute {
    const char *name, *value;
} XmlAttribute;

typedef struct XmlElement XmlElement;
struct XmlElement {
    const char *name;
    const char *file; /* path of an included file; NULL: the file itself */
    int line;
    int attribute_count;
    XmlAttribute *attribute;
    XmlElement *parent, *first, *last, *next; /* children in their order */
};

typedef struct XmlDef {
    size_t most_bytes; /* of all files together; default 16 MiB */
    int most_elements; /* default 50000 */
    int most_depth;    /* default 256 */
    int most_files;    /* default 64 */
} XmlDef;

typedef struct XmlTree {
    XmlElement *root;
    const char *folder; /* of the first file, absolute; NULL: standard input, or a text */
    Arena memory; /* of all elements and texts */
} XmlTree;

XmlDef xml_default_def(void);

/* "-" is standard input. On failure *out is empty; STATUS_LIMIT beyond a limit, STATUS_BAD_INPUT with line and column
 * (and the file, where it is an included one) for what is no XML or is refused. */
Status xml_tree_read(const char *path, const XmlDef *def, XmlTree *out, Error *err);

/* The same from memory; there is no folder, so includes are refused. */
Status xml_tree_parse(const char *text, size_t size, const XmlDef *def, XmlTree *out, Error *err);

void xml_tree_free(XmlTree *t);

/* NULL where the element does not have it. */
const char *xml_attribute(const XmlElement *e, const char *name);

/* First child, and next sibling, of that name; NULL: there is none. */
const XmlElement *xml_first(const XmlElement *e, const char *name);
const XmlElement *xml_next(const XmlElement *e, const char *name);

/* error_set_at with the element's line, and its file where it is an included one. */
Status xml_error(const XmlElement *e, Status status, Error *err, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
Status xml_error_list(const XmlElement *e, Status status, Error *err, const char *format, va_list arguments)
    __attribute__((format(printf, 4, 0)));

/* What of an MJCF file is left out or done another way, with its line. */

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
