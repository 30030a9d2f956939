/* See asf.h. Sources: Acclaim's skeleton format as in the CMU library (mocap.cs.cmu.edu), and J. Lander, "Working with
 * motion capture file formats", Game Developer, January 1998. */
#include "formats/amc/asf.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "analysis/base/arena.h"
#include "analysis/math/elementary.h"
#include "formats/amc/amc_lines.h"
#include "formats/base/bytes.h"

static const double inch = 0.0254;
static const double shortest_chain = 0.8, longest_chain = 1.5; /* m: from the root of an adult to the farthest joint */

static const char *const dof_names[ASF_DOF_COUNT] = {"tx", "ty", "tz", "rx", "ry", "rz", "l"};

/* A file as it is read. Degrees may be stated after the root, so that axes are computed at the end. */
typedef struct Reading {
    AmcLines lines;
    const SourceDef *def;
    Asf *asf;
    double (*turn)[3];       /* [bone] angles of axes, in their order */
    char (*order)[3];        /* [bone] 0 to 2 */
    int section_is_read;     /* 1: the line is the beginning of the next section */
} Reading;

void asf_free(Asf *asf)
{
    for (int b = 0; b < asf->bone_count; b++)
        free(asf->bone[b].name);
    free(asf->bone);
    *asf = (Asf){0};
}

static int find_bone(const Asf *asf, const char *name, size_t size)
{
    for (int b = 0; b < asf->bone_count; b++)
        if (strlen(asf->bone[b].name) == size && memcmp(asf->bone[b].name, name, size) == 0)
            return b;
    return -1;
}

/* Takes over the name. */
static Status add_bone(Reading *r, char *name, Error *err)
{
    Asf *asf = r->asf;
    int count = asf->bone_count;
    if (count >= r->def->max_joints) {
        free(name);
        return error_set(err, STATUS_LIMIT, "more than %d joints (--max-joints)", r->def->max_joints);
    }
    if (!array_grow(&asf->bone, count, sizeof *asf->bone) || !array_grow(&r->turn, count, sizeof *r->turn) ||
        !array_grow(&r->order, count, sizeof *r->order)) {
        free(name);
        return error_no_memory(err);
    }
    asf->bone[count] = (AsfBone){.name = name, .parent = -1, .axes = QUAT_IDENTITY, .line = r->lines.line};
    memset(r->turn[count], 0, sizeof r->turn[count]);
    memcpy(r->order[count], "\0\1\2", 3);
    asf->bone_count++;
    return STATUS_OK;
}

/* Goes to the next line of a section; returns 0 at its end. */
static int next_line(Reading *r)
{
    if (!amc_next_line(&r->lines))
        return 0;
    r->section_is_read = *r->lines.at == ':';
    return !r->section_is_read;
}

/* Skips the rest of a section. */
static void skip_section(Reading *r)
{
    while (next_line(r))
        ;
}

static Status read_vector(Reading *r, const char *what, double value[3], Error *err)
{
    Status status = STATUS_OK;
    for (int i = 0; !status && i < 3; i++)
        status = amc_number(&r->lines, what, &value[i], err);
    return status;
}

/* "XYZ": the axis about which the first angle turns, the second and the third. */
static Status read_order(Reading *r, int bone, Error *err)
{
    size_t size;
    AmcLines before = r->lines;
    const char *word = amc_word(&r->lines, &size);
    int seen = 0;
    for (size_t i = 0; size == 3 && i < 3; i++) {
        int axis = (word[i] | 32) - 'x';
        seen |= axis >= 0 && axis < 3 ? 1 << axis : 8;
        r->order[bone][i] = (char)axis;
    }
    if (size == 0 || seen == 7)
        return STATUS_OK;
    r->lines = before;
    memcpy(r->order[bone], "\0\1\2", 3);
    return amc_expected(&r->lines, "an order of axes such as XYZ", err);
}

static Status read_dofs(Reading *r, int bone, Error *err)
{
    AsfBone *b = &r->asf->bone[bone];
    b->dof_count = 0;
    for (;;) {
        AmcLines before = r->lines;
        size_t size;
        const char *word = amc_word(&r->lines, &size);
        int dof = 0, seen = 0;
        if (size == 0)
            return STATUS_OK;
        while (dof < ASF_DOF_COUNT && (strlen(dof_names[dof]) != size || strncasecmp(dof_names[dof], word, size)))
            dof++;
        for (int i = 0; i < b->dof_count; i++)
            seen |= (int)b->dof[i] == dof;
        if (dof == ASF_DOF_COUNT || seen) {
            r->lines = before;
            return amc_expected(&r->lines, "degrees of freedom tx ty tz rx ry rz l, each once", err);
        }
        b->dof[b->dof_count++] = (AsfDof)dof;
    }
}

static Status read_units(Reading *r, Error *err)
{
    Status status = STATUS_OK;
    while (!status && next_line(r)) {
        if (amc_skip_word(&r->lines, "length"))
            status = amc_number(&r->lines, "the length of a unit", &r->asf->unit_length, err);
        else if (amc_skip_word(&r->lines, "angle")) {
            int radians = amc_skip_word(&r->lines, "rad") || amc_skip_word(&r->lines, "radians");
            r->asf->angle = radians ? 180 / PI : 1;
            if (!radians && !amc_skip_word(&r->lines, "deg") && !amc_skip_word(&r->lines, "degrees"))
                status = amc_expected(&r->lines, "deg or rad", err);
        }
    }
    if (!status && r->asf->unit_length < 0)
        status = amc_error(&r->lines, err, "the length of a unit is negative");
    return status;
}

static Status read_root(Reading *r, Error *err)
{
    Status status = STATUS_OK;
    double at[3] = {0};
    while (!status && next_line(r)) {
        if (amc_skip_word(&r->lines, "order"))
            status = read_dofs(r, 0, err);
        else if (amc_skip_word(&r->lines, "axis"))
            status = read_order(r, 0, err);
        else if (amc_skip_word(&r->lines, "position"))
            status = read_vector(r, "a position", at, err);
        else if (amc_skip_word(&r->lines, "orientation"))
            status = read_vector(r, "an angle", r->turn[0], err);
    }
    r->asf->bone[0].vector = vec3(at[0], at[1], at[2]);
    return status;
}

/* Reads one line of a bone. */
static Status read_property(Reading *r, int bone, double direction[3], double *length, Error *err)
{
    AmcLines *l = &r->lines;
    Status status = STATUS_OK;
    if (amc_skip_word(l, "name")) {
        char *name;
        status = amc_name(l, &name, err);
        if (status)
            return status;
        if (find_bone(r->asf, name, strlen(name)) >= 0)
            status = amc_error(l, err, "a second bone \"%.60s\"", name);
        free(r->asf->bone[bone].name);
        r->asf->bone[bone].name = name;
    } else if (amc_skip_word(l, "direction"))
        status = read_vector(r, "a direction", direction, err);
    else if (amc_skip_word(l, "length"))
        status = amc_number(l, "a length", length, err);
    else if (amc_skip_word(l, "axis")) {
        status = read_vector(r, "an angle", r->turn[bone], err);
        status = status ? status : read_order(r, bone, err);
    } else if (amc_skip_word(l, "dof"))
        status = read_dofs(r, bone, err);
    return status;
}

static Status read_bone(Reading *r, Error *err)
{
    int bone = r->asf->bone_count, is_open = 1;
    double direction[3] = {0}, length = 0;
    char *unnamed = strdup("");
    Status status = unnamed ? add_bone(r, unnamed, err) : error_no_memory(err);
    while (!status && is_open) {
        if (!next_line(r))
            return amc_error(&r->lines, err, "the bone begun in line %d has no end", r->asf->bone[bone].line);
        is_open = !amc_skip_word(&r->lines, "end");
        if (is_open)
            status = read_property(r, bone, direction, &length, err);
    }
    if (status)
        return status;
    Vec3 along = vec3(direction[0], direction[1], direction[2]);
    double norm = vec3_norm(along);
    if (!*r->asf->bone[bone].name)
        return amc_error(&r->lines, err, "the bone begun in line %d has no name", r->asf->bone[bone].line);
    if (norm > 0)
        r->asf->bone[bone].vector = vec3_scale(along, length / norm);
    return STATUS_OK;
}

static Status read_bones(Reading *r, Error *err)
{
    Status status = STATUS_OK;
    while (!status && next_line(r))
        status = amc_skip_word(&r->lines, "begin") ? read_bone(r, err)
                                                   : amc_expected(&r->lines, "begin of a bone", err);
    return status;
}

static Status read_bone_name(Reading *r, int *bone, Error *err)
{
    AmcLines before = r->lines;
    size_t size;
    const char *word = amc_word(&r->lines, &size);
    *bone = size ? find_bone(r->asf, word, size) : -1;
    if (*bone >= 0 || size == 0)
        return STATUS_OK;
    r->lines = before;
    return amc_expected(&r->lines, "the name of a bone of :bonedata", err);
}

static Status read_hierarchy(Reading *r, Error *err)
{
    Status status = STATUS_OK;
    while (!status && next_line(r)) {
        int parent, child = 0;
        if (amc_skip_word(&r->lines, "begin") || amc_skip_word(&r->lines, "end"))
            continue;
        status = read_bone_name(r, &parent, err);
        while (!status && child >= 0) {
            status = read_bone_name(r, &child, err);
            if (status || child < 0)
                break;
            if (child == 0 || r->asf->bone[child].parent >= 0)
                return amc_error(&r->lines, err, "bone \"%.60s\" has a second parent", r->asf->bone[child].name);
            r->asf->bone[child].parent = parent;
        }
    }
    return status;
}

static const struct {
    const char *name;
    Status (*read)(Reading *r, Error *err);
} sections[] = {
    {":units", read_units}, {":root", read_root}, {":bonedata", read_bones}, {":hierarchy", read_hierarchy},
};

static Status read_sections(Reading *r, Error *err)
{
    Status status = STATUS_OK;
    int seen = 0;
    skip_section(r);
    while (!status && r->section_is_read) {
        int s = 0, count = (int)(sizeof sections / sizeof *sections);
        r->section_is_read = 0;
        while (s < count && !amc_skip_word(&r->lines, sections[s].name))
            s++;
        if (s == count) {
            skip_section(r);
            continue;
        }
        if (seen & 1 << s)
            return amc_error(&r->lines, err, "a second section %s", sections[s].name);
        seen |= 1 << s;
        status = sections[s].read(r, err);
    }
    for (int s = 1; !status && s < (int)(sizeof sections / sizeof *sections); s++)
        if (!(seen & 1 << s))
            return amc_error(&r->lines, err, "no section %s: is this an ASF skeleton?", sections[s].name);
    return status;
}

/* Axes in turn about the fixed axes of the world: the first angle is applied first. */
static void compute_axes(const Reading *r)
{
    static const Vec3 unit[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int b = 0; b < r->asf->bone_count; b++) {
        Quat q = QUAT_IDENTITY;
        for (int i = 0; i < 3; i++) {
            double angle = r->turn[b][i] * r->asf->angle * (PI / 180);
            q = quat_mul(quat_from_axis_angle(unit[(int)r->order[b][i]], angle), q);
        }
        r->asf->bone[b].axes = quat_normalize(q);
    }
}

/* ---- Order ---- */

/* Fills order with the bones, each followed by its descendants, children in the order of the file; returns how many the
 * root reaches. depth[bone] is that of each, *deepest the largest. */
static int list_depth_first(const Asf *asf, int *order, int *next, int *depth, int *deepest)
{
    int count = asf->bone_count, *last_first = next + count, listed = 0;
    for (int b = 0; b < count; b++)
        last_first[b] = next[b] = -1;
    for (int b = count - 1; b > 0; b--)
        if (asf->bone[b].parent >= 0) {
            next[b] = last_first[asf->bone[b].parent];
            last_first[asf->bone[b].parent] = b;
        }
    depth[0] = 0;
    for (int b = 0; b >= 0;) {
        order[listed++] = b;
        *deepest = depth[b] > *deepest ? depth[b] : *deepest;
        int child = last_first[b], up = b;
        while (child < 0 && up > 0 && next[up] < 0)
            up = asf->bone[up].parent;
        int to = child >= 0 ? child : up > 0 ? next[up] : -1;
        if (to >= 0)
            depth[to] = depth[asf->bone[to].parent] + 1;
        b = to;
    }
    return listed;
}

static Status check_tree(const Reading *r, const int *order, int listed, int deepest, Error *err)
{
    const Asf *asf = r->asf;
    AmcLines at = r->lines;
    for (int b = 1; listed < asf->bone_count && b < asf->bone_count; b++) {
        int is_listed = 0;
        for (int i = 0; i < listed; i++)
            is_listed |= order[i] == b;
        at.line = asf->bone[b].line;
        if (!is_listed)
            return amc_error(&at, err, "bone \"%.60s\" is not below the root in :hierarchy", asf->bone[b].name);
    }
    if (deepest + 1 > r->def->max_depth)
        return error_set(err, STATUS_LIMIT, "joints nested deeper than %d (--max-depth)", r->def->max_depth);
    return STATUS_OK;
}

/* Puts parents first. */
static Status sort_bones(const Reading *r, Error *err)
{
    Asf *asf = r->asf;
    Arena arena = {0};
    size_t count = (size_t)asf->bone_count;
    int deepest = 0, *order = arena_array(&arena, count, 1, sizeof *order);
    int *next = arena_array(&arena, 2 * count, 1, sizeof *next), *depth = arena_array(&arena, count, 1, sizeof *depth);
    int *place = arena_array(&arena, count, 1, sizeof *place);
    AsfBone *sorted = array_new(count, 1, sizeof *sorted);
    Status status = arena.failed || !sorted ? error_no_memory(err) : STATUS_OK;
    int listed = status ? 0 : list_depth_first(asf, order, next, depth, &deepest);
    if (!status)
        status = check_tree(r, order, listed, deepest, err);
    for (int i = 0; !status && i < listed; i++)
        place[order[i]] = i;
    for (int i = 0; !status && i < listed; i++) {
        sorted[i] = asf->bone[order[i]];
        sorted[i].parent = i > 0 ? place[sorted[i].parent] : -1;
    }
    free(status ? sorted : asf->bone);
    if (!status)
        asf->bone = sorted;
    arena_free(&arena);
    return status;
}

Status asf_parse(const SourceFile *file, const SourceDef *def, Asf *out, Error *err)
{
    *out = (Asf){.angle = 1};
    Reading r = {.lines = amc_lines_new(file->bytes, file->size, file->path), .def = def, .asf = out};
    char *root = strdup("root");
    Status status = root ? add_bone(&r, root, err) : error_no_memory(err);
    if (!status)
        status = read_sections(&r, err);
    if (!status) {
        compute_axes(&r);
        status = sort_bones(&r, err);
    }
    free(r.turn);
    free(r.order);
    if (status)
        asf_free(out);
    return status;
}

/* ---- Skeleton ---- */

Status asf_skeleton(const Asf *asf, Skeleton *out, Error *err)
{
    int ends = 0;
    for (int b = 1; b < asf->bone_count; b++)
        ends += b + 1 == asf->bone_count || asf->bone[b + 1].parent != b;
    Status status = skeleton_init(out, asf->bone_count, ends, err);
    for (int b = 0, end = 0; !status && b < asf->bone_count; b++) {
        int parent = asf->bone[b].parent;
        status = skeleton_set_name(out, b, asf->bone[b].name, err);
        out->parent[b] = parent;
        out->offset[b] = b == 0 || parent > 0 ? asf->bone[b ? parent : 0].vector : vec3(0, 0, 0);
        if (b > 0 && (b + 1 == asf->bone_count || asf->bone[b + 1].parent != b)) {
            out->end_parent[end] = b;
            out->end_offset[end++] = asf->bone[b].vector;
        }
    }
    return status;
}

double asf_unit(const Asf *asf, const Skeleton *skeleton)
{
    double metres = asf->unit_length > 0 ? inch / asf->unit_length : 0;
    double chain = skeleton_longest_chain(skeleton) * metres;
    return chain > shortest_chain && chain < longest_chain ? metres : 0;
}
