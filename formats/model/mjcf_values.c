/* Values of elements, with the defaults of their classes. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "analysis/math/elementary.h"
#include "analysis/math/mat3.h"
#include "formats/base/number.h"
#include "formats/model/mjcf_reader.h"
#include "formats/model/mjcf_words.h"

void mjcf_fail(MjcfReader *r, const XmlElement *e, const char *format, ...)
{
    char text[ERROR_TEXT_SIZE];
    va_list arguments;
    if (r->status)
        return;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    r->status = xml_error(e, STATUS_BAD_INPUT, r->err, "%s", text);
}

static void read_class(MjcfReader *r, const XmlElement *e, int parent)
{
    const char *name = xml_attribute(e, "class");
    if (!name && parent >= 0)
        mjcf_fail(r, e, "a default within another needs a class");
    for (int i = 0; name && i < r->class_count; i++)
        if (!strcmp(r->classes[i].name, name) && parent >= 0)
            mjcf_fail(r, e, "there are two classes \"%s\"", name);
    int self = r->class_count++;
    r->classes[self] = (MjcfClass){name ? name : "main", e, parent};
    for (const XmlElement *c = e->first; c && !r->status; c = c->next)
        if (!strcmp(c->name, "default"))
            read_class(r, c, self);
}

static int count_defaults(const XmlElement *e)
{
    int count = 0;
    for (const XmlElement *c = e->first; c; c = c->next)
        count += !strcmp(c->name, "default") ? 1 + count_defaults(c) : 0;
    return count;
}

/* Attributes of defaults are held against the words of their elements where these are read at all. */
static void check_classes(MjcfReader *r)
{
    static const char *const tags[] = {"joint", "geom", "site", "motor", "position", "velocity", "general",
                                       "tendon", "equality"};
    for (int i = 0; i < r->class_count; i++)
        for (const XmlElement *e = r->classes[i].element->first; e && !r->status; e = e->next)
            for (size_t t = 0; t < sizeof tags / sizeof *tags; t++)
                if (!strcmp(e->name, tags[t]) && !r->status)
                    r->status = mjcf_check_attributes(e, tags[t], r->remarks, r->err);
}

void mjcf_read_classes(MjcfReader *r, const XmlElement *root)
{
    int count = count_defaults(root);
    r->classes = arena_array(&r->scratch, (size_t)count, 1, sizeof *r->classes);
    if (!r->classes)
        r->status = error_no_memory(r->err);
    for (const XmlElement *e = xml_first(root, "default"); e && !r->status; e = xml_next(e, "default"))
        read_class(r, e, -1);
    if (!r->status)
        check_classes(r);
}

static int find_class(MjcfReader *r, const XmlElement *e, const char *name)
{
    for (int i = 0; i < r->class_count; i++)
        if (!strcmp(r->classes[i].name, name))
            return i;
    if (strcmp(name, "main") != 0)
        mjcf_fail(r, e, "there is no default class \"%s\"", name);
    return -1;
}

/* Its own class, or the childclass of the nearest body around it, or the one that all lie in. */
static int class_of(MjcfReader *r, const XmlElement *e)
{
    const char *name = strcmp(e->name, "body") != 0 ? xml_attribute(e, "class") : NULL;
    for (const XmlElement *up = e->parent; !name && up; up = up->parent)
        name = xml_attribute(up, "childclass");
    return name ? find_class(r, e, name) : r->class_count ? 0 : -1;
}

MjcfItem mjcf_item(MjcfReader *r, const XmlElement *e, const char *tag)
{
    if (!r->status)
        r->status = mjcf_check_attributes(e, tag, r->remarks, r->err);
    return (MjcfItem){e, tag, r->status ? -1 : class_of(r, e)};
}

/* Several top sections may hold one class: all are asked. */
static const char *text_of_class(const MjcfReader *r, int class, const char *tag, const char *name)
{
    for (int i = 0; i < r->class_count; i++) {
        if (strcmp(r->classes[i].name, r->classes[class].name) != 0)
            continue;
        for (const XmlElement *e = xml_first(r->classes[i].element, tag); e; e = xml_next(e, tag))
            if (xml_attribute(e, name))
                return xml_attribute(e, name);
    }
    return NULL;
}

const char *mjcf_text(const MjcfReader *r, const MjcfItem *i, const char *name)
{
    const char *own = xml_attribute(i->element, name);
    for (int c = i->class; !own && c >= 0; c = r->classes[c].parent)
        own = text_of_class(r, c, i->tag, name);
    return own;
}

int mjcf_numbers(MjcfReader *r, const MjcfItem *i, const char *name, int least, int most, double *values)
{
    const char *text = r->status ? NULL : mjcf_text(r, i, name), *at = text;
    int count = 0;
    if (!text)
        return 0;
    const char *end = text + strlen(text);
    for (at += strspn(at, " \t\r\n"); at < end; at += strspn(at, " \t\r\n"), count++) {
        double value;
        const char *next = number_scan(at, end, &value);
        if (!next || (next < end && !strchr(" \t\r\n", *next)) || !isfinite(value) || count == most) {
            mjcf_fail(r, i->element, "%s wants %d to %d numbers, found \"%s\"", name, least, most, text);
            return 0;
        }
        values[count] = value;
        at = next;
    }
    if (count < least)
        mjcf_fail(r, i->element, "%s wants %d to %d numbers, found \"%s\"", name, least, most, text);
    return count;
}

double mjcf_number(MjcfReader *r, const MjcfItem *i, const char *name, double fallback)
{
    mjcf_numbers(r, i, name, 1, 1, &fallback);
    return fallback;
}

Vec3 mjcf_vec3(MjcfReader *r, const MjcfItem *i, const char *name, Vec3 fallback)
{
    double v[3] = {fallback.x, fallback.y, fallback.z};
    mjcf_numbers(r, i, name, 3, 3, v);
    return vec3(v[0], v[1], v[2]);
}

int mjcf_integer(MjcfReader *r, const MjcfItem *i, const char *name, int fallback)
{
    double value = mjcf_number(r, i, name, fallback);
    if (value != floor(value) || fabs(value) > 2147483647) {
        mjcf_fail(r, i->element, "%s wants a whole number", name);
        return fallback;
    }
    return (int)value;
}

int mjcf_word(MjcfReader *r, const MjcfItem *i, const char *name, const char *const *words, int fallback)
{
    const char *text = mjcf_text(r, i, name);
    for (int k = 0; text && words[k]; k++)
        if (!strcmp(words[k], text))
            return k;
    if (text)
        mjcf_fail(r, i->element, "%s=\"%s\" is not known", name, text);
    return fallback;
}

int mjcf_bool(MjcfReader *r, const MjcfItem *i, const char *name, int fallback)
{
    static const char *const words[] = {"false", "true", NULL};
    return mjcf_word(r, i, name, words, fallback);
}

int mjcf_limited(MjcfReader *r, const MjcfItem *i, const char *name, const char *range_name, double *least,
                 double *most)
{
    static const char *const words[] = {"false", "true", "auto", NULL};
    double range[2] = {0, 0};
    int given = mjcf_numbers(r, i, range_name, 2, 2, range) > 0;
    int limited = mjcf_word(r, i, name, words, 2);
    if (limited == 2)
        limited = r->auto_limits && given && range[0] < range[1];
    if (limited && !(range[0] < range[1]))
        mjcf_fail(r, i->element, "%s: a limit wants a lower bound below the upper one", range_name);
    *least = range[0];
    *most = range[1];
    return limited;
}

const char *mjcf_copy(MjcfReader *r, const char *text)
{
    char *copy = arena_array(&r->model->memory, strlen(text) + 1, 1, 1);
    return copy ? memcpy(copy, text, strlen(text) + 1) : "";
}

const char *mjcf_name(MjcfReader *r, const MjcfItem *i)
{
    const char *name = xml_attribute(i->element, "name");
    return mjcf_copy(r, name ? name : "");
}

/* Lower case letters turn about axes that turn along, capitals about those that stand. */
static Quat euler_turn(MjcfReader *r, const XmlElement *e, const double *angle)
{
    Quat q = QUAT_IDENTITY;
    for (int k = 0; k < 3; k++) {
        int turning = r->sequence[k] >= 'x' && r->sequence[k] <= 'z';
        int axis = r->sequence[k] - (turning ? 'x' : 'X');
        if (axis < 0 || axis > 2) {
            mjcf_fail(r, e, "eulerseq \"%s\" is not three of xyz or XYZ", r->sequence);
            return q;
        }
        Quat turn = quat_from_axis_angle(vec3(axis == 0, axis == 1, axis == 2), r->angle * angle[k]);
        q = turning ? quat_mul(q, turn) : quat_mul(turn, q);
    }
    return q;
}

static Quat of_axes(MjcfReader *r, const XmlElement *e, const double *v)
{
    Vec3 x = vec3_normalize(vec3(v[0], v[1], v[2])), y = vec3(v[3], v[4], v[5]);
    y = vec3_normalize(vec3_mad(y, -vec3_dot(x, y), x));
    Vec3 z = vec3_cross(x, y);
    if (!(vec3_norm(z) > 0.5))
        mjcf_fail(r, e, "xyaxes wants two directions that are not one");
    return quat_from_mat3(mat3_transpose((Mat3){{x, y, z}}));
}

static Quat of_axis_angle(MjcfReader *r, const XmlElement *e, const double *v)
{
    Vec3 axis = vec3(v[0], v[1], v[2]);
    if (!(vec3_norm(axis) > 0))
        mjcf_fail(r, e, "axisangle has no axis");
    return quat_from_axis_angle(vec3_normalize(axis), r->angle * v[3]);
}

static Quat of_quat(MjcfReader *r, const XmlElement *e, const double *v)
{
    Quat q = {v[0], v[1], v[2], v[3]};
    if (!(quat_dot(q, q) > 1e-20)) {
        mjcf_fail(r, e, "quat has no length");
        return QUAT_IDENTITY;
    }
    return quat_normalize(q);
}

static Quat of_z(MjcfReader *r, const XmlElement *e, const double *v)
{
    Vec3 z = vec3(v[0], v[1], v[2]);
    if (!(vec3_norm(z) > 0))
        mjcf_fail(r, e, "zaxis has no length");
    return quat_between(vec3(0, 0, 1), vec3_normalize(z));
}

/* The ways in which a file turns something. */
static const struct Turn {
    const char *name;
    int count;
    Quat (*turn)(MjcfReader *r, const XmlElement *e, const double *values);
} turns[] = {{"quat", 4, of_quat}, {"axisangle", 4, of_axis_angle}, {"xyaxes", 6, of_axes}, {"zaxis", 3, of_z},
             {"euler", 3, euler_turn}};

void mjcf_pose(MjcfReader *r, const MjcfItem *i, Vec3 *position, Quat *orientation)
{
    int found = 0;
    *position = mjcf_vec3(r, i, "pos", vec3(0, 0, 0));
    *orientation = QUAT_IDENTITY;
    for (size_t k = 0; k < sizeof turns / sizeof *turns; k++) {
        double v[6];
        if (mjcf_numbers(r, i, turns[k].name, turns[k].count, turns[k].count, v) == 0)
            continue;
        *orientation = turns[k].turn(r, i->element, v);
        if (found++)
            mjcf_fail(r, i->element, "%s is turned in two ways", i->element->name);
    }
}
