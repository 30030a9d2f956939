/* Attribute values with the defaults of their classes. */
#include "formats/model/mjcf_values.h"
#include "formats/model/mjcf_word.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/math/vec.h"
#include "formats/base/number.h"
#include "formats/base/text.h"

void mjcf_fail(MjcfReader *r, const XmlElement *e, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (!r->status)
        r->status = xml_error_list(e, STATUS_BAD_INPUT, r->err, format, arguments);
    va_end(arguments);
}

static void read_class(MjcfReader *r, const XmlElement *e, int parent, int section)
{
    const char *name = xml_attribute(e, "class");
    if (!name && parent >= 0)
        mjcf_fail(r, e, "a default within another needs a class");
    int depth = 0;
    for (int up = parent; up >= 0; up = r->classes[up].parent)
        depth++;
    if (depth >= MJCF_MAX_CLASSES)
        mjcf_fail(r, e, "more than %d classes lie in each other", MJCF_MAX_CLASSES);
    for (int i = 0; name && i < r->class_count; i++)
        if (!strcmp(r->classes[i].name, name) && parent >= 0)
            mjcf_fail(r, e, "there are two classes \"%s\"", name);
    int self = r->class_count++;
    r->classes[self] = (MjcfClass){name ? name : "main", e, parent, section};
    for (const XmlElement *c = e->first; c && !r->status; c = c->next)
        if (!strcmp(c->name, "default"))
            read_class(r, c, self, section);
}

static int count_defaults(const XmlElement *e)
{
    int count = 0;
    for (const XmlElement *c = e->first; c; c = c->next)
        count += !strcmp(c->name, "default") ? 1 + count_defaults(c) : 0;
    return count;
}

/* Elements that may have defaults. Attributes of the first CHECKED_TAGS are checked against their words. */
static const char *const default_tags[] = {"joint", "geom", "site", "motor", "position", "velocity", "general",
                                           "tendon", "equality", "mesh", "pair", "default", "material", "camera",
                                           "light", "intvelocity", "damper", "cylinder", "muscle", "adhesion",
                                           "dcmotor"};
enum { CHECKED_TAGS = 11, DEFAULT_TAGS = sizeof default_tags / sizeof *default_tags };

static void check_default(MjcfReader *r, const XmlElement *e)
{
    int t = 0;
    while (t < DEFAULT_TAGS && strcmp(e->name, default_tags[t]) != 0)
        t++;
    if (t == DEFAULT_TAGS)
        mjcf_fail(r, e, "unknown element <%s> in default", e->name);
    else if (t < CHECKED_TAGS && !r->status)
        r->status = mjcf_check_attributes(e, default_tags[t], r->remarks, r->err);
    if (strcmp(e->name, "default") != 0 && xml_next(e, e->name))
        mjcf_fail(r, xml_next(e, e->name), "a class has one <%s>", e->name);
}

void mjcf_read_classes(MjcfReader *r, const XmlElement *root)
{
    int count = count_defaults(root), section = 0;
    r->classes = arena_array(&r->scratch, (size_t)count, 1, sizeof *r->classes);
    if (!r->classes)
        r->status = error_no_memory(r->err);
    for (const XmlElement *e = xml_first(root, "default"); e && !r->status; e = xml_next(e, "default"))
        read_class(r, e, -1, section++);
    for (int i = 0; i < r->class_count; i++)
        for (const XmlElement *e = r->classes[i].element->first; e && !r->status; e = e->next)
            check_default(r, e);
}

static int find_class(MjcfReader *r, const XmlElement *e, const char *name)
{
    for (int i = 0; i < r->class_count; i++)
        if (!strcmp(r->classes[i].name, name))
            return i;
    if (strcmp(name, "main") != 0)
        mjcf_fail(r, e, "unknown default class \"%s\"", name);
    return -1;
}

/* Returns the class of an element: its own, else the childclass of the nearest enclosing body, else the main class. */
int mjcf_class(MjcfReader *r, const XmlElement *e)
{
    const char *name = strcmp(e->name, "body") != 0 ? xml_attribute(e, "class") : NULL;
    for (const XmlElement *up = e->parent; !name && up; up = up->parent)
        name = xml_attribute(up, "childclass");
    return name ? find_class(r, e, name) : r->class_count ? 0 : -1;
}

/* Returns 1 for elements that share the default of actuators. */
static int is_actuator(const char *name)
{
    static const char *const names[] = {"motor", "position", "velocity", "general", "intvelocity", "damper",
                                        "cylinder", "muscle", "adhesion", "dcmotor"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(names[i], name))
            return 1;
    return 0;
}

static int is_tagged(const XmlElement *e, const char *tag)
{
    return !strcmp(tag, MJCF_ACTUATOR) ? is_actuator(e->name) : !strcmp(tag, e->name);
}

/* Returns the default element of an item after `after`, or NULL. Level 0 is the item's class, 1 its parent class. A
 * class may occur in several top-level sections; a nested class inherits only from the sections up to its own. */
static const XmlElement *next_default(const MjcfReader *r, const MjcfItem *item, int level, int *class,
                                      const XmlElement *after)
{
    int named = item->class, section = r->class_count;
    for (int k = 0; k < level && named >= 0; k++) {
        section = r->classes[named].section;
        named = r->classes[named].parent;
    }
    const XmlElement *e = after ? after->next : NULL;
    while (named >= 0) {
        for (; e; e = e->next)
            if (is_tagged(e, item->tag))
                return e;
        do {
            if (++*class >= r->class_count)
                return NULL;
        } while (r->classes[*class].section > section || strcmp(r->classes[*class].name, r->classes[named].name) != 0);
        e = r->classes[*class].element->first;
    }
    return NULL;
}

static int level_count(const MjcfReader *r, const MjcfItem *item)
{
    int count = 0;
    for (int c = item->class; c >= 0; c = r->classes[c].parent)
        count++;
    return count;
}

int mjcf_actuator_defaults(const MjcfReader *r, const MjcfItem *i, const XmlElement *found[], int max)
{
    int count = 0;
    for (int level = level_count(r, i) - 1; level >= 0; level--) {
        int class = -1;
        for (const XmlElement *e = NULL; (e = next_default(r, i, level, &class, e)) && count < max;)
            found[count++] = e;
    }
    return count;
}

/* Finds up to `max` elements that have an attribute: the item itself, then for each class from its own outwards the
 * last default with it. */
static int find_holders(const MjcfReader *r, const MjcfItem *i, const char *name, int max, const XmlElement **holder)
{
    int count = 0;
    if (xml_attribute(i->element, name) && count < max)
        holder[count++] = i->element;
    for (int level = 0, levels = level_count(r, i); level < levels && count < max; level++) {
        const XmlElement *last = NULL;
        int class = -1;
        for (const XmlElement *e = NULL; (e = next_default(r, i, level, &class, e));)
            if (xml_attribute(e, name))
                last = e;
        if (last)
            holder[count++] = last;
    }
    return count;
}

const XmlElement *mjcf_holder(const MjcfReader *r, const MjcfItem *i, const char *name)
{
    const XmlElement *holder;
    return find_holders(r, i, name, 1, &holder) ? holder : NULL;
}

const char *mjcf_text(const MjcfReader *r, const MjcfItem *i, const char *name)
{
    const XmlElement *holder = mjcf_holder(r, i, name);
    return holder ? xml_attribute(holder, name) : NULL;
}

/* Reads the numbers of an element's own attribute; -1 after an error. */
static int own_numbers(MjcfReader *r, const XmlElement *e, const char *name, int min, int max, double *values)
{
    const char *text = xml_attribute(e, name), *at = text, *end = text + strlen(text);
    int count = 0;
    for (at += strspn(at, " \t\r\n"); at < end; at += strspn(at, " \t\r\n"), count++) {
        double value;
        const char *next = number_scan(at, end, &value);
        if (!next || (next < end && !strchr(" \t\r\n", *next)) || !isfinite(value) || count == max) {
            mjcf_fail(r, e, "%s: expected %d to %d numbers, found \"%s\"", name, min, max, text);
            return -1;
        }
        values[count] = value;
        at = next;
    }
    if (count < min)
        mjcf_fail(r, e, "%s: expected %d to %d numbers, found \"%s\"", name, min, max, text);
    return count;
}

/* If a class gives fewer numbers, the rest come from its parent class. */
int mjcf_numbers(MjcfReader *r, const MjcfItem *i, const char *name, int min, int max, double *values)
{
    const XmlElement *holder[MJCF_MAX_CLASSES + 1];
    int count = r->status ? 0 : find_holders(r, i, name, MJCF_MAX_CLASSES + 1, holder), given = 0;
    for (int k = count - 1; k >= 0 && !r->status; k--) {
        int own = own_numbers(r, holder[k], name, min, max, values);
        given = own > given ? own : given;
    }
    return r->status ? 0 : given;
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
    return vec3_load(v);
}

int mjcf_integer(MjcfReader *r, const MjcfItem *i, const char *name, int fallback)
{
    double value = mjcf_number(r, i, name, fallback);
    if (value != floor(value) || fabs(value) > 2147483647) {
        mjcf_fail(r, i->element, "%s: expected an integer", name);
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
        mjcf_fail(r, i->element, "unknown value %s=\"%s\"", name, text);
    return fallback;
}

int mjcf_bool(MjcfReader *r, const MjcfItem *i, const char *name, int fallback)
{
    static const char *const words[] = {"false", "true", NULL};
    return mjcf_word(r, i, name, words, fallback);
}

int mjcf_limited(MjcfReader *r, const MjcfItem *i, const char *name, const char *range_name, double *min,
                 double *max)
{
    static const char *const words[] = {"false", "true", "auto", NULL};
    double range[2] = {0, 0};
    int given = mjcf_numbers(r, i, range_name, 2, 2, range) > 0;
    int limited = mjcf_word(r, i, name, words, 2);
    if (limited == 2 && given && !r->auto_limits)
        mjcf_fail(r, i->element, "%s without %s=\"true\", and autolimits is off", range_name, name);
    if (limited == 2)
        limited = r->auto_limits && given && range[0] < range[1];
    if (limited && !(range[0] < range[1]))
        mjcf_fail(r, i->element, "%s: expected a lower bound below the upper one", range_name);
    *min = range[0];
    *max = range[1];
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

/* Converts Euler angles: lower-case letters are intrinsic rotations, capitals extrinsic ones. */
static Quat euler_turn(MjcfReader *r, const XmlElement *e, const double *angle)
{
    Quat q = QUAT_IDENTITY;
    for (int k = 0; k < 3; k++) {
        int turning = r->sequence[k] >= 'x' && r->sequence[k] <= 'z';
        int axis = r->sequence[k] - (turning ? 'x' : 'X');
        if (axis < 0 || axis > 2) {
            mjcf_fail(r, e, "eulerseq \"%s\": expected three of xyz or XYZ", r->sequence);
            return q;
        }
        Quat turn = quat_from_axis_angle(vec3(axis == 0, axis == 1, axis == 2), r->angle * angle[k]);
        q = turning ? quat_mul(q, turn) : quat_mul(turn, q);
    }
    return q;
}

static Quat of_axes(MjcfReader *r, const XmlElement *e, const double *v)
{
    Vec3 x = vec3_normalize(vec3_load(v)), y = vec3(v[3], v[4], v[5]);
    y = vec3_normalize(vec3_mad(y, -vec3_dot(x, y), x));
    Vec3 z = vec3_cross(x, y);
    if (!(vec3_norm(z) > 0.5))
        mjcf_fail(r, e, "xyaxes: expected two different directions");
    return quat_from_mat3(mat3_transpose((Mat3){{x, y, z}}));
}

static Quat of_axis_angle(MjcfReader *r, const XmlElement *e, const double *v)
{
    Vec3 axis = vec3_load(v);
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
    Vec3 z = vec3_load(v);
    if (!(vec3_norm(z) > 0))
        mjcf_fail(r, e, "zaxis has no length");
    return mjcf_turn_to(z);
}

/* For -z it is half a turn about x, as in MuJoCo. */
Quat mjcf_turn_to(Vec3 z)
{
    Vec3 to = vec3_normalize(z);
    double across = vec3_norm(vec3_cross(vec3(0, 0, 1), to));
    return to.z < 0 && across < 1e-10 ? (Quat){0, 1, 0, 0} : quat_between(vec3(0, 0, 1), to);
}

/* The attributes that specify an orientation. */
static const struct Turn {
    const char *name;
    int count;
    Quat (*turn)(MjcfReader *r, const XmlElement *e, const double *values);
} turns[] = {{"quat", 4, of_quat}, {"axisangle", 4, of_axis_angle}, {"xyaxes", 6, of_axes}, {"zaxis", 3, of_z},
             {"euler", 3, euler_turn}};

enum { TURNS = sizeof turns / sizeof *turns };

/* Returns the index in `turns` of the attribute that orients an element, -1 if none does. As in MuJoCo, quat applies
 * only if no other is given by the element or its defaults. */
static int find_turn(MjcfReader *r, const MjcfItem *i)
{
    int own = -1, other = -1;
    for (int k = 0; k < TURNS; k++) {
        int is_own = xml_attribute(i->element, turns[k].name) != NULL;
        if (is_own && own >= 0)
            mjcf_fail(r, i->element, "%s has two rotations", i->element->name);
        if (is_own)
            own = k;
        else if (mjcf_text(r, i, turns[k].name) && (k > 0 || other < 0)) {
            if (other > 0)
                mjcf_fail(r, i->element, "the classes of %s rotate it by %s and %s", i->element->name,
                          turns[other].name, turns[k].name);
            other = k;
        }
    }
    if (own > 0 && other > 0)
        mjcf_fail(r, i->element, "%s is rotated by %s and by %s of its class: keep one", i->element->name,
                  turns[own].name, turns[other].name);
    if (own == 0 && other > 0 && !r->status)
        r->status = mjcf_remark(r->remarks, i->element, r->err, "%s: %s of its class takes precedence over its quat, "
                                "as in MuJoCo", i->element->name, turns[other].name);
    return own > 0 || other < 0 || (own == 0 && other == 0) ? own : other;
}

void mjcf_pose(MjcfReader *r, const MjcfItem *i, Vec3 *position, Quat *orientation)
{
    double v[6] = {0};
    int k = find_turn(r, i);
    *position = mjcf_vec3(r, i, "pos", vec3(0, 0, 0));
    *orientation = QUAT_IDENTITY;
    if (k >= 0 && mjcf_numbers(r, i, turns[k].name, turns[k].count, turns[k].count, v))
        *orientation = turns[k].turn(r, i->element, v);
    mjcf_in_frames(r, i->element, position, orientation);
}

void mjcf_in_frames(MjcfReader *r, const XmlElement *e, Vec3 *position, Quat *orientation)
{
    if (!e->parent || strcmp(e->parent->name, "frame") != 0)
        return;
    Vec3 origin;
    Quat turn;
    MjcfItem frame = {e->parent, NULL, -1};
    mjcf_pose(r, &frame, &origin, &turn); /* includes the frames around it */
    *position = vec3_add(origin, quat_rotate(turn, *position));
    *orientation = quat_mul(turn, *orientation);
}
