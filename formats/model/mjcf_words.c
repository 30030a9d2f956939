#include "formats/model/mjcf_words.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/base/grow.h"
#include "formats/base/text.h"

void mjcf_remarks_free(MjcfRemarks *r)
{
    if (!r)
        return;
    free(r->remark);
    arena_free(&r->memory);
    *r = (MjcfRemarks){0};
}

Status mjcf_remark(MjcfRemarks *remarks, const XmlElement *e, Error *err, const char *format, ...)
{
    char text[ERROR_TEXT_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    for (int i = 0; i < remarks->count; i++)
        if (!strcmp(remarks->remark[i].text, text)) {
            remarks->remark[i].count++;
            return STATUS_OK;
        }
    char *copy = arena_array(&remarks->memory, strlen(text) + 1, 1, 1);
    if (!copy || !array_grow(&remarks->remark, remarks->count, sizeof *remarks->remark))
        return error_no_memory(err);
    memcpy(copy, text, strlen(text) + 1);
    remarks->remark[remarks->count++] = (MjcfRemark){e->line, 1, copy};
    return STATUS_OK;
}

/* 1 where two values say the same: as numbers one after the other, or as words. */
static int is_same(const char *a, const char *b)
{
    for (;;) {
        char *end_a, *end_b;
        double x = strtod(a, &end_a), y = strtod(b, &end_b);
        if (end_a == a || end_b == b)
            break;
        if (x != y)
            return 0;
        a = end_a;
        b = end_b;
    }
    return !strcmp(a + strspn(a, " \t\n"), b + strspn(b, " \t\n"));
}

/* Names of the attributes of an element that kane knows, for a near one. */
static Status unknown(const XmlElement *e, const char *element, const char *attribute, Error *err)
{
    const char *names[64];
    char near[256] = "";
    size_t count = 0;
    for (int i = 0; i < mjcf_words_count && count < 64; i++)
        if (!strcmp(mjcf_words[i].element, element))
            names[count++] = mjcf_words[i].attribute;
    near_names(attribute, names, count, near, sizeof near);
    return xml_error(e, STATUS_BAD_INPUT, err, "%s has no attribute \"%s\" that is known%s%s", e->name, attribute,
                     *near ? ": near is " : "", near);
}

static Status refuse(const XmlElement *e, const XmlAttribute *a, Error *err)
{
    return xml_error(e, STATUS_BAD_INPUT, err,
                     "%s with %s=\"%s\" is not simulated, and without it the motion would be another", e->name,
                     a->name, a->value);
}

static Status check_attribute(const XmlElement *e, const char *element, const XmlAttribute *a, MjcfRemarks *remarks,
                              Error *err)
{
    int refused = 0;
    for (int i = 0; i < mjcf_words_count; i++) {
        const MjcfWord *w = &mjcf_words[i];
        if (strcmp(w->element, element) != 0 || strcmp(w->attribute, a->name) != 0)
            continue;
        if (w->use == MJCF_TOLD)
            return mjcf_remark(remarks, e, err, "%s: %s is left out: %s", e->name, a->name,
                               strcmp(element, "option") ? "contacts and limits here are hard"
                                                         : "options of kane choose it");
        if (w->use != MJCF_REFUSE || (*w->neutral && is_same(a->value, w->neutral)))
            return STATUS_OK;
        refused = 1;
    }
    return refused ? refuse(e, a, err) : unknown(e, element, a->name, err);
}

Status mjcf_check_attributes(const XmlElement *e, const char *element, MjcfRemarks *remarks, Error *err)
{
    Status status = STATUS_OK;
    for (int i = 0; !status && i < e->attribute_count; i++)
        status = check_attribute(e, element, &e->attribute[i], remarks, err);
    return status;
}
