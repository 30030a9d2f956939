#include "formats/model/mjcf.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/math/elementary.h"
#include "formats/model/mjcf_reader.h"
#include "formats/model/mjcf_words.h"

static void read_compiler(MjcfReader *r, const XmlElement *e)
{
    static const char *const angles[] = {"degree", "radian", NULL};
    static const char *const of_geoms[] = {"false", "true", "auto", NULL};
    MjcfItem i = mjcf_item(r, e, "compiler");
    const char *sequence = xml_attribute(e, "eulerseq");
    double groups[2] = {r->inertia_groups[0], r->inertia_groups[1]};
    i.class = -1;
    r->angle = mjcf_word(r, &i, "angle", angles, r->angle == 1) ? 1 : PI / 180;
    r->auto_limits = mjcf_bool(r, &i, "autolimits", r->auto_limits);
    r->balance = mjcf_bool(r, &i, "balanceinertia", r->balance);
    r->inertia_of_geoms = mjcf_word(r, &i, "inertiafromgeom", of_geoms, r->inertia_of_geoms);
    r->least_mass = mjcf_number(r, &i, "boundmass", r->least_mass);
    r->least_inertia = mjcf_number(r, &i, "boundinertia", r->least_inertia);
    r->total_mass = mjcf_number(r, &i, "settotalmass", r->total_mass);
    mjcf_numbers(r, &i, "inertiagrouprange", 2, 2, groups);
    r->inertia_groups[0] = (int)fmax(-1, fmin(groups[0], 100));
    r->inertia_groups[1] = (int)fmax(-1, fmin(groups[1], 100));
    if (sequence && strlen(sequence) == 3)
        memcpy(r->sequence, sequence, 4);
    else if (sequence)
        mjcf_fail(r, e, "eulerseq \"%s\" is not three of xyz or XYZ", sequence);
}

/* 1 where a flag that is on by default is disabled. */
static int is_off(MjcfReader *r, const MjcfItem *i, const char *name)
{
    static const char *const words[] = {"disable", "enable", NULL};
    return !mjcf_word(r, i, name, words, 1);
}

static void read_flags(MjcfReader *r, const XmlElement *e)
{
    MjcfItem i = mjcf_item(r, e, "flag");
    ModelSwitches *off = &r->model->off;
    i.class = -1;
    int none = is_off(r, &i, "constraint");
    off->no_contact |= none | is_off(r, &i, "contact");
    off->no_limits |= none | is_off(r, &i, "limit");
    off->no_equality |= none | is_off(r, &i, "equality");
    off->no_passive |= is_off(r, &i, "passive");
    off->no_actuation |= is_off(r, &i, "actuation");
    off->parents_collide |= is_off(r, &i, "filterparent");
    if (is_off(r, &i, "spring") != is_off(r, &i, "damper"))
        mjcf_fail(r, e, "springs and dampers are left out together or not at all");
    off->no_passive |= is_off(r, &i, "spring");
    if (is_off(r, &i, "gravity"))
        r->model->gravity = vec3(0, 0, 0);
}

static void read_option(MjcfReader *r, const XmlElement *e)
{
    MjcfItem i = mjcf_item(r, e, "option");
    i.class = -1;
    r->model->gravity = mjcf_vec3(r, &i, "gravity", r->model->gravity);
    r->model->time_step = mjcf_number(r, &i, "timestep", r->model->time_step);
    if (!(r->model->time_step > 0))
        mjcf_fail(r, e, "a timestep must be above 0");
    for (const XmlElement *f = xml_first(e, "flag"); f; f = xml_next(f, "flag"))
        read_flags(r, f);
}

static void read_each(MjcfReader *r, const XmlElement *root, const char *name,
                      void (*read)(MjcfReader *r, const XmlElement *e))
{
    for (const XmlElement *e = xml_first(root, name); e && !r->status; e = xml_next(e, name))
        read(r, e);
}

/* Sections by name: those that are read, and those that nothing that moves feels. */
static void check_sections(MjcfReader *r, const XmlElement *root)
{
    static const char *const known[] = {"compiler", "option", "default", "worldbody", "equality", "tendon", "actuator",
                                        "contact", "keyframe", "size", "visual", "statistic", "asset", "sensor",
                                        "custom"};
    for (const XmlElement *e = root->first; e && !r->status; e = e->next) {
        size_t k = 0;
        while (k < sizeof known / sizeof *known && strcmp(known[k], e->name) != 0)
            k++;
        if (k == sizeof known / sizeof *known)
            mjcf_fail(r, e, "section <%s> is not read", e->name);
    }
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void check_names(MjcfReader *r, const char **names, int count, const char *what)
{
    if (count > 1)
        qsort(names, (size_t)count, sizeof *names, compare_names);
    for (int i = 1; i < count && !r->status; i++)
        if (*names[i] && !strcmp(names[i], names[i - 1]))
            r->status = error_set(r->err, STATUS_BAD_INPUT, "there are two %s \"%s\"", what, names[i]);
}

static void check_all_names(MjcfReader *r)
{
    const Model *m = r->model;
    size_t most = (size_t)(m->body_count + m->joint_count + m->site_count);
    const char **names = arena_array(&r->scratch, most, 1, sizeof *names);
    if (!names) {
        r->status = error_no_memory(r->err);
        return;
    }
    for (int k = 0; k < m->body_count; k++)
        names[k] = m->body[k].name;
    check_names(r, names, m->body_count, "bodies");
    for (int k = 0; k < m->joint_count; k++)
        names[k] = m->joint[k].name;
    check_names(r, names, m->joint_count, "joints");
    for (int k = 0; k < m->site_count; k++)
        names[k] = m->site[k].name;
    check_names(r, names, m->site_count, "sites");
}

static void scale_mass(MjcfReader *r)
{
    double total = 0;
    for (int b = 0; b < r->model->body_count; b++)
        total += r->model->body[b].mass;
    double scale = r->total_mass > 0 && total > 0 ? r->total_mass / total : 1;
    for (int b = 0; b < r->model->body_count && scale != 1; b++) {
        ModelBody *body = &r->model->body[b];
        Sym3 i = body->inertia;
        body->mass *= scale;
        body->inertia = (Sym3){scale * i.xx, scale * i.yy, scale * i.zz, scale * i.xy, scale * i.xz, scale * i.yz};
    }
}

/* The reader sees the whole tree; sections may stand in any order. */
static void read_all(MjcfReader *r, const XmlElement *root)
{
    if (strcmp(root->name, "mujoco") != 0)
        mjcf_fail(r, root, "the root of a model is <mujoco>, not <%s>", root->name);
    check_sections(r, root);
    if (!r->status)
        mjcf_read_classes(r, root);
    read_each(r, root, "compiler", read_compiler);
    read_each(r, root, "option", read_option);
    if (!r->status)
        mjcf_read_bodies(r, root);
    if (!r->status)
        check_all_names(r);
    if (!r->status)
        mjcf_read_relations(r, root);
    if (!r->status)
        scale_mass(r);
}

static Status read_tree(const XmlTree *tree, Model *out, MjcfRemarks *remarks, Error *err)
{
    MjcfReader r = {.model = out, .remarks = remarks, .err = err, .angle = PI / 180, .sequence = "xyz",
                    .auto_limits = 1, .inertia_of_geoms = 2, .total_mass = -1, .inertia_groups = {0, 5}};
    const char *name = xml_attribute(tree->root, "model");
    *out = (Model){.gravity = {0, 0, -9.81}, .time_step = 0.002};
    out->name = mjcf_copy(&r, name ? name : "");
    read_all(&r, tree->root);
    if (!r.status && (out->memory.failed || r.scratch.failed))
        r.status = error_no_memory(err);
    arena_free(&r.scratch);
    if (r.status)
        model_free(out);
    return r.status;
}

static Status read_and_free(Status status, XmlTree *tree, Model *out, MjcfRemarks *remarks, Error *err)
{
    *out = (Model){0};
    if (!status)
        status = read_tree(tree, out, remarks, err);
    xml_tree_free(tree);
    return status;
}

Status mjcf_read(const char *path, const XmlDef *limits, Model *out, MjcfRemarks *remarks, Error *err)
{
    XmlTree tree;
    return read_and_free(xml_tree_read(path, limits, &tree, err), &tree, out, remarks, err);
}

Status mjcf_parse(const char *text, size_t size, const XmlDef *limits, Model *out, MjcfRemarks *remarks, Error *err)
{
    XmlTree tree;
    return read_and_free(xml_tree_parse(text, size, limits, &tree, err), &tree, out, remarks, err);
}
