/* See xml_tree.h. */
#include "formats/base/xml_tree.h"

#include <expat.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/base/bytes.h"

#define MAX_BYTES ((size_t)1 << 26) /* of a scene file: 64 MB; meshes have files of their own */

/* State while files are read into one tree. */
typedef struct XmlReading {
    const XmlDef *def;
    XmlTree *tree;
    char folder[PATH_MAX]; /* absolute; "": none */
    const char **seen;     /* [max_files] absolute paths */
    int file_count, element_count;
    size_t bytes;
    Error *err;
} XmlReading;

/* State of one file. */
typedef struct Source {
    XmlReading *reading;
    XML_Parser parser;
    const char *file; /* value of XmlElement.file */
    XmlElement *root, *open;
    int depth;
    char *text;       /* [text_size] of the open element, since its last tag; owned */
    size_t text_size, text_capacity;
    Status status;
} Source;

XmlDef xml_default_def(void)
{
    return (XmlDef){.max_bytes = (size_t)16 << 20, .max_elements = 50000, .max_depth = 256, .max_files = 64};
}

void xml_tree_free(XmlTree *t)
{
    if (!t)
        return;
    arena_free(&t->memory);
    *t = (XmlTree){0};
}

const char *xml_attribute(const XmlElement *e, const char *name)
{
    for (int i = 0; i < e->attribute_count; i++)
        if (!strcmp(e->attribute[i].name, name))
            return e->attribute[i].value;
    return NULL;
}

static const XmlElement *named(const XmlElement *e, const char *name)
{
    while (e && strcmp(e->name, name) != 0)
        e = e->next;
    return e;
}

const char *xml_child_text(const XmlElement *e, const char *name)
{
    const XmlElement *child = xml_first(e, name);
    return child ? child->text : NULL;
}

const XmlElement *xml_first(const XmlElement *e, const char *name) { return named(e->first, name); }
const XmlElement *xml_next(const XmlElement *e, const char *name) { return named(e->next, name); }

Status xml_error_list(const XmlElement *e, Status status, Error *err, const char *format, va_list arguments)
{
    char text[ERROR_TEXT_SIZE];
    vsnprintf(text, sizeof text, format, arguments);
    error_set_at(err, status, e->line, 0, "%s", text);
    return e->file ? error_of_file(err, e->file, status) : status;
}

Status xml_error(const XmlElement *e, Status status, Error *err, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    status = xml_error_list(e, status, err, format, arguments);
    va_end(arguments);
    return status;
}

static const char *copy_part(Arena *memory, const char *text, size_t length)
{
    char *copy = arena_array(memory, length + 1, 1, 1);
    return copy ? memcpy(copy, text, length) : "";
}

static const char *copy_text(Arena *memory, const char *text) { return copy_part(memory, text, strlen(text)); }

/* Stops the parser with an error at the current position. */
static void stop(Source *s, Status status, const char *what)
{
    if (s->status)
        return;
    s->status = error_set_at(s->reading->err, status, (int)XML_GetCurrentLineNumber(s->parser),
                             (int)XML_GetCurrentColumnNumber(s->parser) + 1, "%s", what);
    XML_StopParser(s->parser, XML_FALSE);
}

static void append(XmlElement *parent, XmlElement *e)
{
    e->parent = parent;
    if (parent->last)
        parent->last->next = e;
    else
        parent->first = e;
    parent->last = e;
}

static void fill_attributes(Arena *memory, XmlElement *e, const XML_Char **attributes)
{
    int count = 0;
    while (attributes[2 * count])
        count++;
    e->attribute = arena_array(memory, (size_t)count, 1, sizeof *e->attribute);
    if (memory->failed)
        return;
    e->attribute_count = count;
    for (int i = 0; i < count; i++)
        e->attribute[i] = (XmlAttribute){copy_text(memory, attributes[2 * i]),
                                         copy_text(memory, attributes[2 * i + 1])};
}

static XmlElement *new_element(const Source *s, const XML_Char *name, const XML_Char **attributes)
{
    Arena *memory = &s->reading->tree->memory;
    XmlElement *e = arena_array(memory, 1, 1, sizeof *e);
    if (!e)
        return NULL;
    e->name = copy_text(memory, name);
    e->file = s->file;
    e->text = "";
    e->line = (int)XML_GetCurrentLineNumber(s->parser);
    fill_attributes(memory, e, attributes);
    return e;
}

static void on_start(void *context, const XML_Char *name, const XML_Char **attributes)
{
    Source *s = context;
    XmlReading *r = s->reading;
    if (++s->depth > r->def->max_depth) {
        stop(s, STATUS_LIMIT, "elements lie too deep in each other");
        return;
    }
    if (++r->element_count > r->def->max_elements) {
        stop(s, STATUS_LIMIT, "there are too many elements");
        return;
    }
    XmlElement *e = new_element(s, name, attributes);
    if (!e || r->tree->memory.failed) {
        stop(s, STATUS_NO_MEMORY, "out of memory");
        return;
    }
    if (s->open)
        append(s->open, e);
    else
        s->root = e;
    s->open = e;
    s->text_size = 0;
}

static void on_text(void *context, const XML_Char *text, int length)
{
    Source *s = context;
    size_t size = s->text_size + (size_t)length;
    if (s->status)
        return;
    if (size > s->text_capacity) {
        char *grown = realloc(s->text, 2 * size);
        if (!grown) {
            stop(s, STATUS_NO_MEMORY, "out of memory");
            return;
        }
        s->text = grown;
        s->text_capacity = 2 * size;
    }
    memcpy(s->text + s->text_size, text, (size_t)length);
    s->text_size = size;
}

static int is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

static void keep_text(Source *s)
{
    size_t first = 0, end = s->text_size;
    while (first < end && is_blank(s->text[first]))
        first++;
    while (end > first && is_blank(s->text[end - 1]))
        end--;
    if (end > first)
        s->open->text = copy_part(&s->reading->tree->memory, s->text + first, end - first);
}

static void on_end(void *context, const XML_Char *name)
{
    Source *s = context;
    (void)name;
    if (s->status)
        return;
    if (!s->open->first)
        keep_text(s);
    s->text_size = 0;
    s->open = s->open->parent;
    s->depth--;
}

/* Refuses document types, and with them entities, expanding or external. */
static void on_doctype(void *context, const XML_Char *name, const XML_Char *system, const XML_Char *public,
                       int internal)
{
    (void)name;
    (void)system;
    (void)public;
    (void)internal;
    stop(context, STATUS_BAD_INPUT, "document types are not supported");
}

static Status run_parser(Source *s, const char *text, size_t size)
{
    XML_SetUserData(s->parser, s);
    XML_SetElementHandler(s->parser, on_start, on_end);
    if (s->reading->def->keeps_text)
        XML_SetCharacterDataHandler(s->parser, on_text);
    XML_SetStartDoctypeDeclHandler(s->parser, on_doctype);
    enum XML_Status done = XML_Parse(s->parser, text, (int)size, 1);
    if (s->status || done == XML_STATUS_OK)
        return s->status;
    return error_set_at(s->reading->err, STATUS_BAD_INPUT, (int)XML_GetCurrentLineNumber(s->parser),
                        (int)XML_GetCurrentColumnNumber(s->parser) + 1, "no XML: %s",
                        XML_ErrorString(XML_GetErrorCode(s->parser)));
}

static Status parse_text(XmlReading *r, const char *text, size_t size, const char *file, XmlElement **root)
{
    if (size > r->def->max_bytes || (r->bytes += size) > r->def->max_bytes)
        return error_set(r->err, STATUS_LIMIT, "more than %zu bytes of XML", r->def->max_bytes);
    Source s = {.reading = r, .file = file, .parser = XML_ParserCreate("UTF-8")};
    if (!s.parser)
        return error_no_memory(r->err);
    Status status = run_parser(&s, text, size);
    XML_ParserFree(s.parser);
    free(s.text);
    *root = s.root;
    return file ? error_of_file(r->err, file, status) : status;
}

/* Returns 1 if the file is in the folder after links are resolved, 0 if not, -1 if it does not exist; absolute: its
 * path. */
static int is_inside(const XmlReading *r, const char *path, char absolute[PATH_MAX])
{
    char joined[2 * PATH_MAX];
    size_t length = strlen(r->folder);
    if (path[0] == '/' || length == 0)
        return 0;
    snprintf(joined, sizeof joined, "%s/%s", r->folder, path);
    if (!realpath(joined, absolute))
        return -1;
    return !strncmp(absolute, r->folder, length) && (absolute[length] == '/' || r->folder[length - 1] == '/');
}

/* Checks an include; path "": the element has no file. */
static Status check_include(XmlReading *r, const XmlElement *e, const char *path, char absolute[PATH_MAX])
{
    int inside = *path ? is_inside(r, path, absolute) : 0;
    if (inside < 0)
        return xml_error(e, STATUS_IO, r->err, "cannot find the included file %s", path);
    if (!inside)
        return xml_error(e, STATUS_BAD_INPUT, r->err, "include: expected a file inside the directory of the model, "
                                                      "found \"%s\"",
                         path);
    for (int i = 0; i < r->file_count; i++)
        if (!strcmp(r->seen[i], absolute))
            return xml_error(e, STATUS_BAD_INPUT, r->err, "%s is included twice, or in itself", path);
    if (r->file_count == r->def->max_files)
        return xml_error(e, STATUS_LIMIT, r->err, "more than %d files", r->def->max_files);
    return STATUS_OK;
}

/* Replaces `e`, which follows `before`, by the children of the included file's root. */
static void splice(XmlElement *before, XmlElement *e, const XmlElement *root)
{
    XmlElement *parent = e->parent, *after = e->next;
    for (XmlElement *c = root->first; c; c = c->next)
        c->parent = parent;
    XmlElement *first = root->first ? root->first : after;
    if (root->last)
        root->last->next = after;
    if (before)
        before->next = first;
    else
        parent->first = first;
    if (parent->last == e)
        parent->last = root->last ? root->last : before;
}

/* Sets the error of an included file at the line of its include. */
static Status error_of_include(const XmlElement *e, const char *name, Status status, Error *err)
{
    char text[ERROR_TEXT_SIZE];
    if (!err)
        return status;
    snprintf(text, sizeof text, "%s", err->text);
    return xml_error(e, status, err, "the included file %.200s: %.200s", name, text);
}

static Status include_file(XmlReading *r, XmlElement *before, XmlElement *e)
{
    char absolute[PATH_MAX], *text = NULL;
    size_t size = 0;
    XmlElement *root = NULL;
    const char *given = xml_attribute(e, "file"), *path = given ? given : "";
    Status status = check_include(r, e, path, absolute);
    if (status)
        return status;
    r->seen[r->file_count++] = copy_text(&r->tree->memory, absolute);
    const char *name = copy_text(&r->tree->memory, path);
    if (r->tree->memory.failed)
        return error_no_memory(r->err);
    status = bytes_read_regular(absolute, &text, &size, r->err);
    if (status)
        status = error_of_include(e, name, status, r->err);
    if (!status)
        status = parse_text(r, text, size, name, &root);
    free(text);
    if (!status)
        splice(before, e, root);
    return status;
}

/* Replaces the includes below parent, also those in included files. */
static Status include_all(XmlReading *r, XmlElement *parent)
{
    Status status = STATUS_OK;
    XmlElement *before = NULL;
    for (XmlElement *e = parent->first; !status && e;) {
        if (!strcmp(e->name, "include")) {
            status = include_file(r, before, e);
            e = before ? before->next : parent->first;
            continue;
        }
        status = include_all(r, e);
        before = e;
        e = e->next;
    }
    return status;
}

Status xml_tree_parse(const char *text, size_t size, const XmlDef *def, XmlTree *out, Error *err)
{
    *out = (XmlTree){0};
    XmlReading r = {.def = def, .tree = out, .err = err};
    Status status = parse_text(&r, text, size, NULL, &out->root);
    if (!status && out->memory.failed)
        status = error_no_memory(err);
    if (!status)
        status = include_all(&r, out->root);
    if (status)
        xml_tree_free(out);
    return status;
}

/* Sets the folder of a file and records the file as the first one read. */
static Status begin_folder(XmlReading *r, const char *path)
{
    char absolute[PATH_MAX];
    if (!realpath(path, absolute))
        return error_set(r->err, STATUS_IO, "cannot find the file");
    r->seen = arena_array(&r->tree->memory, (size_t)r->def->max_files, 1, sizeof *r->seen);
    if (!r->seen)
        return error_no_memory(r->err);
    r->seen[r->file_count++] = copy_text(&r->tree->memory, absolute);
    char *slash = strrchr(absolute, '/');
    slash[slash == absolute] = 0;
    memcpy(r->folder, absolute, strlen(absolute) + 1);
    r->tree->folder = copy_text(&r->tree->memory, absolute);
    return r->tree->memory.failed ? error_no_memory(r->err) : STATUS_OK;
}

Status xml_tree_read(const char *path, const XmlDef *def, XmlTree *out, Error *err)
{
    char *text = NULL;
    size_t size = 0;
    *out = (XmlTree){0};
    XmlReading r = {.def = def, .tree = out, .err = err};
    int standard = !strcmp(path, "-");
    Status status = standard ? bytes_read_stream_max(stdin, MAX_BYTES, &text, &size, err)
                             : bytes_read_path_max(path, MAX_BYTES, &text, &size, err);
    if (!status && !standard)
        status = begin_folder(&r, path);
    if (!status)
        status = parse_text(&r, text, size, NULL, &out->root);
    if (!status)
        status = include_all(&r, out->root);
    free(text);
    if (status)
        xml_tree_free(out);
    return status;
}
