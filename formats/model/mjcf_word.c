/* See mjcf_word.h. */
#include "formats/model/mjcf_word.h"

#include <stdlib.h>
#include <string.h>

#include "formats/base/text.h"

const MjcfWord *mjcf_word_find(const char *element, const char *attribute)
{
    for (int i = 0; i < mjcf_words_count; i++)
        if (!strcmp(mjcf_words[i].element, element) && !strcmp(mjcf_words[i].attribute, attribute))
            return &mjcf_words[i];
    return NULL;
}

/* Returns 1 if value equals neutral: as numbers, of which neutral may have more, or as a word. */
static int is_same(const char *value, const char *neutral)
{
    int count = 0;
    for (;; count++) {
        char *end_a, *end_b;
        double x = strtod(value, &end_a), y = strtod(neutral, &end_b);
        if (end_a == value || end_b == neutral)
            break;
        if (x != y)
            return 0;
        value = end_a;
        neutral = end_b;
    }
    value += strspn(value, " \t\r\n");
    return !strcmp(value, count ? "" : neutral);
}

int mjcf_is_neutral(const char *element, const char *attribute, const char *value)
{
    for (int i = 0; i < mjcf_words_count; i++) {
        const MjcfWord *w = &mjcf_words[i];
        if (!strcmp(w->element, element) && !strcmp(w->attribute, attribute) && *w->neutral &&
            is_same(value, w->neutral))
            return 1;
    }
    return 0;
}

/* Returns the name of a row for --leave-out; NULL if it is never refused. */
static const char *word_name(const MjcfWord *w)
{
    if (w->use != MJCF_REFUSE && w->use != MJCF_SOME)
        return NULL;
    return strcmp(w->attribute, "*") ? w->attribute : w->element;
}

int mjcf_may_refuse(const char *name)
{
    for (int i = 0; i < mjcf_words_count; i++)
        if (word_name(&mjcf_words[i]) && !strcmp(word_name(&mjcf_words[i]), name))
            return 1;
    return 0;
}

int mjcf_is_word(const char *name)
{
    for (int i = 0; i < mjcf_words_count; i++)
        if (!strcmp(mjcf_words[i].element, name) || !strcmp(mjcf_words[i].attribute, name))
            return strcmp(name, "*") != 0;
    return 0;
}

void mjcf_near_names(const char *wrong, char *text, size_t size)
{
    const char *names[512];
    size_t count = 0;
    for (int i = 0; i < mjcf_words_count && count < sizeof names / sizeof *names; i++) {
        const char *name = word_name(&mjcf_words[i]);
        size_t k = 0;
        while (name && k < count && strcmp(names[k], name) != 0)
            k++;
        if (name && k == count)
            names[count++] = name;
    }
    did_you_mean(wrong, names, count, text, size);
}

/* Sets the error of an unknown attribute, with similar known ones. */
static Status unknown(const XmlElement *e, const char *element, const char *attribute, Error *err)
{
    const char *names[64];
    char near[256] = "";
    size_t count = 0;
    for (int i = 0; i < mjcf_words_count && count < 64; i++)
        if (!strcmp(mjcf_words[i].element, element))
            names[count++] = mjcf_words[i].attribute;
    did_you_mean(attribute, names, count, near, sizeof near);
    return xml_error(e, STATUS_BAD_INPUT, err, "unknown attribute \"%s\" of %s%s", attribute, e->name, near);
}

Status mjcf_check_attributes(const XmlElement *e, const char *element, MjcfRemarks *remarks, Error *err)
{
    Status status = STATUS_OK;
    for (int i = 0; !status && i < e->attribute_count; i++) {
        const MjcfWord *w = mjcf_word_find(element, e->attribute[i].name);
        if (!w)
            status = unknown(e, element, e->attribute[i].name, err);
        else if (w->use == MJCF_METHOD)
            status = mjcf_remark(remarks, e, err, "%s: %s is left out: options of kane choose it", e->name,
                                 e->attribute[i].name);
    }
    return status;
}
