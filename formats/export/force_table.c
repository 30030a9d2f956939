/* Contact forces, one row per frame (export_internal.h). */
#include <stdio.h>
#include <string.h>

#include "analysis/contact/foot_load.h"
#include "analysis/dynamics/loads.h"
#include "formats/export/export_internal.h"

static const int right_first[FOOT_COUNT] = {FOOT_RIGHT, FOOT_LEFT}; /* order of force-plate files */

/* The bodies on which forces act: the feet, if any contact point is on one, and other joints with a force in some
 * frame. */
typedef struct Carriers {
    const Clip *clip;
    AirborneCop airborne;
    int has_feet;
    Loads loads;
    int *other; /* [other_count] indices into loads, in the arena */
    int other_count;
    Arena arena;
} Carriers;

static int is_loaded(const Loads *loads, int load)
{
    for (int f = 0; f < loads->frame_count; f++)
        if (vec3_norm(loads->force[(size_t)f * (size_t)loads->load_count + (size_t)load]) > 0)
            return 1;
    return 0;
}

static Status carriers_init(Carriers *c, const Clip *clip, AirborneCop airborne, Error *err)
{
    *c = (Carriers){.clip = clip, .airborne = airborne};
    Status status = loads_from_contact(&clip->contact, &clip->kinematics, &c->loads, err);
    if (status)
        return status;
    c->other = arena_array(&c->arena, (size_t)c->loads.load_count, 1, sizeof *c->other);
    for (int l = 0; c->other && l < c->loads.load_count; l++) {
        if (foot_of_segment(clip->skeleton.segment[c->loads.joint[l]]) < FOOT_COUNT)
            c->has_feet = 1;
        else if (is_loaded(&c->loads, l))
            c->other[c->other_count++] = l;
    }
    if (c->arena.failed)
        return error_no_memory(err);
    return STATUS_OK;
}

static void carriers_free(Carriers *c)
{
    loads_free(&c->loads);
    arena_free(&c->arena);
}

/* ---- Names ---- */

/* The parts of a column name before and after the axis letter, for force, point and couple. */
typedef struct Names {
    const char *before[3], *suffix[3];
} Names;

static const Names table_names = {{"F", "COP", "T"}, {"", "", ""}};
static const Names table_other_names = {{"F", "P", "T"}, {"", "", ""}};
static const Names told_names = {
    {"force_world_", "pressure_centre_world_", "free_moment_world_"}, {"_n", "_m", "_nm"}};
static const Names told_other_names = {
    {"force_world_", "joint_centre_world_", "moment_world_"}, {"_n", "_m", "_nm"}};

static void add_names(RowHeader *header, const char *carrier, const Names *names)
{
    for (int i = 0; i < 3; i++) {
        char prefix[200];
        snprintf(prefix, sizeof prefix, "%.150s_", carrier);
        row_header_add_vector(header, prefix, names->before[i], names->suffix[i]);
    }
}

/* ground_force_r_vx, ground_force_r_px, ground_torque_r_x. */
static void add_opensim_names(RowHeader *header, const char *carrier)
{
    static const char *const prefix[] = {"ground_force_", "ground_force_", "ground_torque_"};
    static const char *const stem[] = {"_v", "_p", "_"};
    for (int i = 0; i < 3; i++)
        for (const char *axis = "xyz"; *axis; axis++)
            row_header_add(header, "%s%s%s%c", prefix[i], carrier, stem[i], *axis);
}

static const char *const letters[] = {[FOOT_LEFT] = "l", [FOOT_RIGHT] = "r"};

static RowHeader name_columns(const Carriers *c, RowForm form)
{
    static const char *const codes[] = {[FOOT_LEFT] = "L", [FOOT_RIGHT] = "R"};
    static const char *const words[] = {[FOOT_LEFT] = "left_foot", [FOOT_RIGHT] = "right_foot"};
    int with_units = row_writer_names_units(form);
    RowHeader header = row_header(3 + 9 * (FOOT_COUNT + c->other_count));
    row_header_add(&header, with_units ? "time_s" : "time");
    for (int i = 0; c->has_feet && i < FOOT_COUNT; i++) {
        int foot = right_first[i];
        if (form == ROW_STORAGE)
            add_opensim_names(&header, letters[foot]);
        else
            add_names(&header, with_units ? words[foot] : codes[foot], with_units ? &told_names : &table_names);
    }
    for (int i = 0; i < c->other_count; i++) {
        const char *name = c->clip->skeleton.name[c->loads.joint[c->other[i]]];
        if (form == ROW_STORAGE)
            add_opensim_names(&header, name);
        else
            add_names(&header, name, with_units ? &told_other_names : &table_other_names);
    }
    export_name_quality(c->clip, form, &header);
    return header;
}

/* ---- Rows ---- */

static void put_foot(const Carriers *c, size_t at, RowWriter *sheet)
{
    const Contact *contact = &c->clip->contact;
    Vec3 none = c->airborne == AIRBORNE_COP_NAN ? vec3(NAN, NAN, NAN) : vec3(0, 0, 0);
    int is_known = foot_has_pressure_centre(contact->foot_force[at], contact->ground_normal);
    row_writer_vector(sheet, is_known || c->airborne != AIRBORNE_ZERO ? contact->foot_force[at] : none);
    row_writer_vector(sheet, is_known ? contact->foot_cop[at] : none);
    row_writer_vector(sheet, contact->foot_free_moment[at]);
}

/* Writes the force, the joint centre, and the couple that makes the force at this centre equivalent to the contact
 * forces. */
static void put_other(const Carriers *c, int frame, int load, RowWriter *sheet)
{
    size_t at = (size_t)frame * (size_t)c->loads.load_count + (size_t)load;
    Vec3 centre = c->clip->kinematics.position[motion_index(&c->clip->motion, frame, c->loads.joint[load])];
    row_writer_vector(sheet, c->loads.force[at]);
    row_writer_vector(sheet, centre);
    row_writer_vector(sheet, vec3_sub(c->loads.moment[at], vec3_cross(centre, c->loads.force[at])));
}

static Status put_table(const Carriers *c, RowForm form, FILE *stream, Error *err)
{
    const Clip *clip = c->clip;
    RowWriter sheet;
    RowHeader header = name_columns(c, form);
    RowHead head = {.title = clip->provenance.title,
                    .row_count = clip->motion.frame_count,
                    .needs_numbers = c->airborne == AIRBORNE_ZERO,
                    .comment = "s, N, m, N m; on the body; of feet (R, L) force, centre of pressure and free moment T "
                               "about it, of other joints force, joint centre P and moment T about it; axes of the "
                               "world (right-handed, y up)"};
    Status status = row_header_begin(&header, &sheet, form, stream, head, err);
    if (status)
        return status;
    for (int f = 0; f < clip->motion.frame_count; f++) {
        row_writer_number(&sheet, clip->motion.time[f]);
        for (int i = 0; c->has_feet && i < FOOT_COUNT; i++)
            put_foot(c, (size_t)f * FOOT_COUNT + (size_t)right_first[i], &sheet);
        for (int i = 0; i < c->other_count; i++)
            put_other(c, f, c->other[i], &sheet);
        export_put_quality(clip, form, f, &sheet);
    }
    return row_header_finish(&header, &sheet, err);
}

/* Whether there are forces, and a body for them. */
static Status open_carriers(const Clip *clip, AirborneCop airborne, Carriers *carriers, Error *err)
{
    *carriers = (Carriers){0};
    if (!clip->has_contact || clip->contact.point_count == 0)
        return error_set(err, STATUS_BAD_INPUT,
                         "the clip has no ground forces: run kane contact with an estimate or with --external");
    Status status = carriers_init(carriers, clip, airborne, err);
    if (!status && !carriers->has_feet && carriers->other_count == 0)
        status = error_set(err, STATUS_BAD_INPUT, "no foot (left or right ankle or toe) has contact points or a force");
    return status;
}

Status export_table_forces(const Clip *clip, RowForm form, AirborneCop airborne, FILE *stream, Error *err)
{
    Carriers carriers;
    Status status = open_carriers(clip, airborne, &carriers, err);
    if (!status)
        status = put_table(&carriers, form, stream, err);
    carriers_free(&carriers);
    return status;
}

/* ---- Carriers ---- */

/* The first loaded joint of a foot; of a foot without contact points its ankle, -1: none. */
static int foot_joint(const Carriers *c, int foot)
{
    const Role ankle[] = {[FOOT_LEFT] = ROLE_LEFT_ANKLE, [FOOT_RIGHT] = ROLE_RIGHT_ANKLE};
    const Skeleton *s = &c->clip->skeleton;
    for (int l = 0; l < c->loads.load_count; l++)
        if (foot_of_segment(s->segment[c->loads.joint[l]]) == foot)
            return c->loads.joint[l];
    for (int j = 0; j < s->joint_count; j++)
        if (s->role[j] == ankle[foot])
            return j;
    return -1;
}

/* As OpenSim reads labels: without white space. */
static ForceCarrier carrier_of(const char *label, int joint)
{
    ForceCarrier out = {.joint = joint};
    snprintf(out.label, sizeof out.label, "%s", label);
    for (char *at = out.label; *at; at++)
        if (strchr(" \t\n\r\v\f", *at))
            *at = '_';
    return out;
}

static void list_carriers(const Carriers *c, ForceCarrier *out, int *count)
{
    for (int i = 0; c->has_feet && i < FOOT_COUNT; i++) {
        int joint = foot_joint(c, right_first[i]);
        if (joint >= 0)
            out[(*count)++] = carrier_of(letters[right_first[i]], joint);
    }
    for (int i = 0; i < c->other_count; i++) {
        int joint = c->loads.joint[c->other[i]];
        out[(*count)++] = carrier_of(c->clip->skeleton.name[joint], joint);
    }
}

Status export_force_carriers(const Clip *clip, Arena *arena, ForceCarrier **out, int *count, Error *err)
{
    Carriers carriers;
    *count = 0;
    Status status = open_carriers(clip, AIRBORNE_ZERO, &carriers, err);
    *out = arena_array(arena, (size_t)(FOOT_COUNT + carriers.other_count), 1, sizeof **out);
    if (!status && !*out)
        status = error_no_memory(err);
    if (!status)
        list_carriers(&carriers, *out, count);
    carriers_free(&carriers);
    return status;
}
