/* Features that affect the motion but are not supported: they are refused, with the names for --leave-out, or ignored
 * if named there. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "formats/model/mjcf_values.h"
#include "formats/model/mjcf_word.h"

/* Returns the next name of a comma-separated list and its length; NULL at the end. */
static const char *next_name(const char **list, size_t *length)
{
    const char *at = *list + strspn(*list, ", ");
    *length = strcspn(at, ", ");
    *list = at + *length;
    return *length ? at : NULL;
}

static void take_name(MjcfReader *r, const char *name)
{
    char near[256] = "";
    r->left[r->left_count++] = (MjcfLeft){name, 0};
    if (mjcf_is_word(name)) /* mjcf_end_leaving reports names that were not needed */
        return;
    mjcf_near_names(name, near, sizeof near);
    r->status = error_set(r->err, STATUS_USAGE, "--leave-out: unknown element or attribute \"%s\"%s", name, near);
}

void mjcf_begin_leaving(MjcfReader *r, const char *list)
{
    size_t length, max = list ? strlen(list) / 2 + 1 : 0;
    r->left = arena_array(&r->scratch, max, 1, sizeof *r->left);
    for (const char *name; list && !r->status && (name = next_name(&list, &length));) {
        char *copy = arena_array(&r->scratch, length + 1, 1, 1);
        if (!copy || !r->left) {
            r->status = error_no_memory(r->err);
            return;
        }
        memcpy(copy, name, length);
        take_name(r, copy);
    }
}

/* Adds a name to the list that the file requires, unless it is there. */
static void add_refused(MjcfReader *r, const char *name)
{
    const char *list = r->refused_names, *at;
    size_t length, used = strlen(list);
    while ((at = next_name(&list, &length)))
        if (length == strlen(name) && !memcmp(at, name, length))
            return;
    snprintf(r->refused_names + used, sizeof r->refused_names - used, "%s%s", used ? "," : "", name);
}

void mjcf_leave(MjcfReader *r, const XmlElement *e, const char *name, const char *format, ...)
{
    char text[sizeof r->refusal];
    va_list arguments;
    if (r->status)
        return;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    for (int i = 0; i < r->left_count; i++)
        if (!strcmp(r->left[i].name, name)) {
            r->left[i].is_met = 1;
            r->status = mjcf_remark(r->remarks, e, r->err, "%s is ignored (--leave-out)", text);
            return;
        }
    if (!r->refused) {
        r->refused = e;
        memcpy(r->refusal, text, sizeof text);
    }
    add_refused(r, name);
}

static int is_left(const MjcfReader *r, const char *name)
{
    int is = 0;
    for (int k = 0; k < r->left_count; k++)
        is |= !strcmp(r->left[k].name, name);
    return is;
}

/* Reads numbers unless --leave-out names them; returns 1 if they differ from the defaults in values. */
static int read_unusual(MjcfReader *r, const MjcfItem *i, const char *name, int max, double *values)
{
    double given[5];
    memcpy(given, values, (size_t)max * sizeof *values);
    int count = mjcf_numbers(r, i, name, 1, max, given);
    const XmlElement *holder = mjcf_holder(r, i, name);
    if (count == 0 || r->status || !memcmp(given, values, (size_t)max * sizeof *values))
        return 0;
    if (is_left(r, name)) {
        mjcf_leave(r, holder, name, "%s with %s=\"%.60s\"", holder->name, name, xml_attribute(holder, name));
        return 0;
    }
    memcpy(values, given, (size_t)max * sizeof *values);
    return 1;
}

void mjcf_softness(MjcfReader *r, const MjcfItem *i, const char *ref, const char *imp, ModelSoftness *out)
{
    *out = (ModelSoftness){.ref = {0.02, 1}, .imp = {0.9, 0.95, 0.001, 0.5, 2}};
    out->is_soft = read_unusual(r, i, ref, 2, out->ref);
    out->is_soft |= read_unusual(r, i, imp, 5, out->imp);
    if (!r->status && ((out->ref[0] > 0) != (out->ref[1] > 0) || out->ref[0] == 0))
        mjcf_fail(r, i->element, "%s: expected two positive or two negative numbers", ref);
    if (!r->status && (!(out->imp[2] > 0) || !(out->imp[3] > 0) || !(out->imp[3] < 1) || out->imp[4] < 1))
        mjcf_fail(r, i->element, "%s: expected a width above 0, a midpoint within 0 and 1 and a power of 1 or more",
                  imp);
}

void mjcf_unread(MjcfReader *r, const XmlElement *e, const char *words)
{
    const MjcfWord *w = mjcf_word_find(words, "*");
    const char *name = w && mjcf_may_refuse(e->name) ? e->name : words;
    if (w && w->use == MJCF_REFUSE)
        mjcf_leave(r, e, name, "<%s> in %s", e->name, e->parent ? e->parent->name : "the file");
    else if (!w || w->use != MJCF_SKIP)
        mjcf_fail(r, e, "unknown element <%s> in %s", e->name, e->parent ? e->parent->name : "the file");
}

void mjcf_check_values(MjcfReader *r, const MjcfItem *i, const char *words)
{
    for (int k = 0; k < mjcf_words_count && !r->status; k++) {
        const MjcfWord *w = &mjcf_words[k];
        if (strcmp(w->element, words) != 0 || w->use != MJCF_REFUSE || mjcf_word_find(words, w->attribute) != w)
            continue;
        const XmlElement *holder = mjcf_holder(r, i, w->attribute);
        const char *value = holder ? xml_attribute(holder, w->attribute) : NULL;
        if (value && !mjcf_is_neutral(words, w->attribute, value))
            mjcf_leave(r, holder, w->attribute, "%s with %s=\"%.60s\"", holder->name, w->attribute, value);
    }
}

void mjcf_end_leaving(MjcfReader *r, const XmlElement *root)
{
    if (!r->status && r->refused)
        r->status = xml_error(r->refused, STATUS_BAD_INPUT, r->err, "%s is not supported and affects the motion; "
                              "ignore it with --leave-out=%s", r->refusal, r->refused_names);
    for (int i = 0; i < r->left_count && !r->status; i++)
        if (!r->left[i].is_met)
            r->status = mjcf_remark(r->remarks, root, r->err, "--leave-out: nothing called %s was to be left out",
                                    r->left[i].name);
}
