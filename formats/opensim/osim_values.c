/* See osim_values.h. */
#include "formats/opensim/osim_values.h"

#include <math.h>
#include <string.h>
#include <strings.h>

#include "analysis/base/status.h"
#include "formats/base/number.h"

static int is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == ','; }

/* Returns the next number of a text, or NULL at its end. *is_bad: there is something else. */
static const char *next_number(const char *at, double *value, int *is_bad)
{
    while (is_blank(*at))
        at++;
    const char *end = at + strlen(at), *after = *at ? number_scan(at, end, value) : NULL;
    *is_bad = *at && (!after || !isfinite(*value) || fabs(*value) > OSIM_LARGEST || (*after && !is_blank(*after)));
    return after;
}

static Status bad_number(const XmlElement *e, Error *err)
{
    return xml_error(e, STATUS_BAD_INPUT, err, "%.60s: expected numbers, found \"%.40s\"", e->name, e->text);
}

Status osim_numbers(const XmlElement *element, const char *name, int max, Arena *memory, OsimNumbers *out, Error *err)
{
    const XmlElement *child = xml_first(element, name);
    const char *at = child ? child->text : "";
    double number;
    int is_bad = 0, n = 0;
    *out = (OsimNumbers){0};
    for (const char *next = at; (next = next_number(next, &number, &is_bad)) && !is_bad;)
        n++;
    if (is_bad)
        return bad_number(child, err);
    if (n > max)
        return xml_error(child, STATUS_LIMIT, err, "%.60s: more than %d numbers", child->name, max);
    out->value = arena_array(memory, (size_t)n, 1, sizeof *out->value);
    if (memory->failed)
        return error_no_memory(err);
    for (int i = 0; i < n; i++)
        at = next_number(at, out->value + i, &is_bad);
    out->count = n;
    return STATUS_OK;
}

Status osim_vector(const XmlElement *element, const char *name, double *value, int count, Error *err)
{
    const XmlElement *child = xml_first(element, name);
    if (!child || !*child->text)
        return STATUS_OK;
    const char *at = child->text;
    double number;
    int is_bad = 0, n = 0;
    for (; n < count && (at = next_number(at, &number, &is_bad)) && !is_bad; n++)
        value[n] = number;
    if (is_bad)
        return bad_number(child, err);
    if (n < count || next_number(at, &number, &is_bad) || is_bad)
        return xml_error(child, STATUS_BAD_INPUT, err, "%.60s: expected %d number%s, found \"%.60s\"", child->name,
                         count, count == 1 ? "" : "s", child->text);
    return STATUS_OK;
}

Status osim_number(const XmlElement *element, const char *name, double *value, Error *err)
{
    return osim_vector(element, name, value, 1, err);
}

Status osim_vec3(const XmlElement *element, const char *name, Vec3 *value, Error *err)
{
    double numbers[3];
    vec3_store(numbers, *value);
    Status status = osim_vector(element, name, numbers, 3, err);
    if (!status)
        *value = vec3_load(numbers);
    return status;
}

Status osim_flag(const XmlElement *element, const char *name, int *value, Error *err)
{
    const XmlElement *child = xml_first(element, name);
    if (!child || !*child->text)
        return STATUS_OK;
    int is_true = strcasecmp(child->text, "true") == 0, is_false = strcasecmp(child->text, "false") == 0;
    if (!is_true && !is_false)
        return xml_error(child, STATUS_BAD_INPUT, err, "%.60s: expected true or false, found \"%.40s\"", child->name,
                         child->text);
    *value = is_true;
    return STATUS_OK;
}

const char *osim_name(const XmlElement *element)
{
    const char *name = xml_attribute(element, "name");
    return name ? name : "";
}

const char *osim_path_end(const char *path) { return base_name(path); }
