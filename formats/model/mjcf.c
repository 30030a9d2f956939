#include "formats/model/mjcf.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/math/elementary.h"
#include "analysis/sim/scene.h"
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
    r->clamps_controls &= !is_off(r, &i, "clampctrl");
    off->parents_collide |= is_off(r, &i, "filterparent");
    r->no_springs |= is_off(r, &i, "spring");
    r->no_dampers |= is_off(r, &i, "damper");
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
    for (const XmlElement *f = e->first; f && !r->status; f = f->next)
        if (strcmp(f->name, "flag") != 0)
            mjcf_unread(r, f, f->name);
        else
            read_flags(r, f);
}

static void read_each(MjcfReader *r, const XmlElement *root, const char *name,
                      void (*read)(MjcfReader *r, const XmlElement *e))
{
    for (const XmlElement *e = xml_first(root, name); e && !r->status; e = xml_next(e, name))
        read(r, e);
}

/* Sections that are neither read nor without effect. */
static void check_sections(MjcfReader *r, const XmlElement *root)
{
    static const char *const known[] = {"compiler", "option", "default", "worldbody", "equality", "tendon", "actuator",
                                        "contact", "keyframe", "asset"};
    for (const XmlElement *e = root->first; e && !r->status; e = e->next) {
        size_t k = 0;
        while (k < sizeof known / sizeof *known && strcmp(known[k], e->name) != 0)
            k++;
        if (k == sizeof known / sizeof *known)
            mjcf_unread(r, e, e->name);
    }
}

/* Springs and dampers that option flag leaves out; controls that it does not clamp. */
static void apply_flags(MjcfReader *r)
{
    Model *m = r->model;
    for (int j = 0; j < m->joint_count; j++) {
        m->joint[j].stiffness = r->no_springs ? 0 : m->joint[j].stiffness;
        m->joint[j].damping = r->no_dampers ? 0 : m->joint[j].damping;
    }
    for (int t = 0; t < m->tendon_count; t++) {
        m->tendon[t].stiffness = r->no_springs ? 0 : m->tendon[t].stiffness;
        m->tendon[t].damping = r->no_dampers ? 0 : m->tendon[t].damping;
    }
    for (int a = 0; a < m->actuator_count && !r->clamps_controls; a++)
        m->actuator[a].control_limited = 0;
}

/* Attributes of geoms that can meet others, and shapes of which kane finds no contact with others than planes. */
static void check_collisions(MjcfReader *r)
{
    static const struct { ModelShape shape; const char *name, *shown; } shapes[] = {
        {MODEL_CYLINDER, "cylinder", "a cylinder"}, {MODEL_ELLIPSOID, "ellipsoid", "an ellipsoid"}};
    for (int i = 0; i < r->model->geom_count && !r->status; i++)
        if (scene_meets_any(r->model, i))
            mjcf_check_collider(r, i);
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes && !r->status; k++) {
        int example = 0, count = scene_unmet_pairs(r->model, shapes[k].shape, &example);
        if (count > 0)
            mjcf_leave(r, r->geom[example].element, shapes[k].name, "%s that collides with another shape than a "
                       "plane (%d pair%s)", shapes[k].shown, count, count > 1 ? "s" : "");
    }
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
        mjcf_check_names(r, root);
    if (!r->status)
        mjcf_read_classes(r, root);
    read_each(r, root, "compiler", read_compiler);
    read_each(r, root, "option", read_option);
    if (!r->status)
        mjcf_read_bodies(r, root);
    if (!r->status)
        mjcf_read_relations(r, root);
    if (r->status)
        return;
    scale_mass(r);
    apply_flags(r);
    check_collisions(r);
    mjcf_end_leaving(r, root);
}

MjcfDef mjcf_default_def(void) { return (MjcfDef){.limits = xml_default_def()}; }

static Status read_tree(const XmlTree *tree, const MjcfDef *def, Model *out, MjcfRemarks *remarks, Error *err)
{
    MjcfReader r = {.model = out, .remarks = remarks, .err = err, .angle = PI / 180, .sequence = "xyz",
                    .auto_limits = 1, .clamps_controls = 1, .inertia_of_geoms = 2, .total_mass = -1,
                    .inertia_groups = {0, 5}};
    const char *name = xml_attribute(tree->root, "model");
    *out = (Model){.gravity = {0, 0, -9.81}, .time_step = 0.002};
    out->name = mjcf_copy(&r, name ? name : "");
    mjcf_begin_leaving(&r, def->leave_out);
    if (!r.status)
        read_all(&r, tree->root);
    if (!r.status && (out->memory.failed || r.scratch.failed))
        r.status = error_no_memory(err);
    arena_free(&r.scratch);
    if (r.status)
        model_free(out);
    return r.status;
}

static Status read_and_free(Status status, XmlTree *tree, const MjcfDef *def, Model *out, MjcfRemarks *remarks,
                            Error *err)
{
    *out = (Model){0};
    if (!status)
        status = read_tree(tree, def, out, remarks, err);
    xml_tree_free(tree);
    return status;
}

Status mjcf_read(const char *path, const MjcfDef *def, Model *out, MjcfRemarks *remarks, Error *err)
{
    XmlTree tree;
    return read_and_free(xml_tree_read(path, &def->limits, &tree, err), &tree, def, out, remarks, err);
}

Status mjcf_parse(const char *text, size_t size, const MjcfDef *def, Model *out, MjcfRemarks *remarks, Error *err)
{
    XmlTree tree;
    return read_and_free(xml_tree_parse(text, size, &def->limits, &tree, err), &tree, def, out, remarks, err);
}
