/* An XML file as a tree of elements with line numbers, parsed by libexpat.
 *
 * Files are untrusted: document types, and therefore entities, are refused; size, depth and number of elements are
 * limited. Text is kept on request, of elements without children. `<include file="..."/>` is replaced by the children
 * of that file's root element. The path must be relative and inside the folder of the first file; each file can be
 * included once, so there are no cycles. */
#ifndef KANE_BASE_XML_TREE_H
#define KANE_BASE_XML_TREE_H

#include <stdarg.h>

#include "analysis/base/arena.h"
#include "analysis/base/status.h"

typedef struct XmlAttribute {
    const char *name, *value;
} XmlAttribute;

typedef struct XmlElement XmlElement;
struct XmlElement {
    const char *name;
    const char *file; /* path of an included file; NULL: the first file */
    const char *text; /* between its tags, without blanks at its ends; "": none, or not kept */
    int line;
    int attribute_count;
    XmlAttribute *attribute;
    XmlElement *parent, *first, *last, *next; /* children in file order */
};

typedef struct XmlDef {
    size_t max_bytes;  /* total of all files; default 16 MiB */
    int max_elements;  /* default 50000 */
    int max_depth;     /* default 256 */
    int max_files;     /* default 64 */
    int keeps_text;    /* default 0 */
} XmlDef;

typedef struct XmlTree {
    XmlElement *root;
    const char *folder; /* of the first file, absolute; NULL: standard input or text */
    Arena memory; /* owns all elements and strings */
} XmlTree;

XmlDef xml_default_def(void);

/* path "-": standard input. On failure *out is empty; STATUS_LIMIT if a limit is exceeded, STATUS_BAD_INPUT with line
 * and column (and the name of an included file) for invalid or refused XML. */
Status xml_tree_read(const char *path, const XmlDef *def, XmlTree *out, Error *err);

/* Parses from memory. Without a folder, includes are refused. */
Status xml_tree_parse(const char *text, size_t size, const XmlDef *def, XmlTree *out, Error *err);

void xml_tree_free(XmlTree *t);

/* Returns the value, or NULL if the element lacks the attribute. */
const char *xml_attribute(const XmlElement *e, const char *name);

/* Returns the text of the first child of this name, or NULL. */
const char *xml_child_text(const XmlElement *e, const char *name);

/* Return the first child or the next sibling of this name, or NULL. */
const XmlElement *xml_first(const XmlElement *e, const char *name);
const XmlElement *xml_next(const XmlElement *e, const char *name);

/* Sets an error with the element's line and, if included, file. */
Status xml_error(const XmlElement *e, Status status, Error *err, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
Status xml_error_list(const XmlElement *e, Status status, Error *err, const char *format, va_list arguments)
    __attribute__((format(printf, 4, 0)));

#endif
