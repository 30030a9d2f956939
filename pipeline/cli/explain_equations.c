/* See explain_equations.h. */
#include "pipeline/cli/explain_equations.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/dynamics/inverse_dynamics.h"
#include "analysis/model/equations.h"
#include "formats/tables/speed_table.h"

/* Returns the kind of speeds that the option names; a table is in speeds of the clip's default kind. */
static SpeedKind speed_kind(const EquationsTables *given, const Clip *clip, int *is_table)
{
    static const char *const name[] = {[SPEEDS_ABSOLUTE] = "absolute", [SPEEDS_RELATIVE] = "relative",
                                       [SPEEDS_DOF] = "dof"};
    for (int kind = 0; given->speeds && kind <= SPEEDS_DOF; kind++)
        if (!strcmp(name[kind], given->speeds)) {
            *is_table = 0;
            return (SpeedKind)kind;
        }
    *is_table = given->speeds != NULL;
    return clip->has_dof ? SPEEDS_DOF : SPEEDS_ABSOLUTE;
}

static void begin_table(RowWriter *sheet, const EquationsTables *given, const RowHead *head, const char *comment)
{
    if (given->form == ROW_TSV)
        printf("\n# %s\n", comment);
    else if (given->form == ROW_CSV)
        printf("\n");
    row_writer_begin(sheet, given->form, stdout, head);
}

static Status put_forces(const EquationsTables *given, const Clip *clip, const Equations *e, Error *err)
{
    static const char *const name[] = {"speed", "joint", "unit", "u", "u_rate", "active_force", "inertia_force",
                                       "torque", "mass_times_rate", "rest_force", "force_sum", "torque_difference",
                                       "actuator_force", "passive_force", "applied_force", "constraint_force",
                                       "contact_force", "solver_excess"};
    int columns = (int)(sizeof name / sizeof *name) - (e->has_parts ? 0 : EQUATION_PARTS + 1);
    RowHead head = {.row_count = e->speed_count, .column_count = columns, .name = name};
    RowWriter sheet;
    row_writer_begin(&sheet, given->form, stdout, &head);
    for (int r = 0; r < e->speed_count; r++) {
        double moved = equations_moved(e, r);
        const double value[] = {e->speed[r], e->rate[r], e->active[r], e->inertia[r], e->torque[r], moved, e->rest[r],
                                e->active[r] + e->inertia[r], e->torque[r] - (moved - e->rest[r])};
        row_writer_text(&sheet, e->name[r]);
        row_writer_text(&sheet, e->joint[r] < 0 ? "" : clip->skeleton.name[e->joint[r]]);
        row_writer_text(&sheet, e->is_rotation[r] ? "rad/s" : "m/s");
        for (size_t i = 0; i < sizeof value / sizeof *value; i++)
            row_writer_number(&sheet, value[i] + 0.0);
        for (int i = 0; e->has_parts && i < EQUATION_PARTS; i++)
            row_writer_number(&sheet, e->part[i][r] + 0.0);
        if (e->has_parts)
            row_writer_number(&sheet, e->solver_excess[r] + 0.0);
    }
    return row_writer_finish(&sheet, err);
}

/* Writes the lever arm of (3.36), (3.37), "r_C + p_D": from the joint of `b` to its centre of mass, and to the joint of
 * the child on the path to the body; "0" if the joint is at the centre of mass. */
static void write_arm(const Clip *clip, const KaneSystem *s, int b, int body, char *text, size_t size)
{
    int child = body;
    while (child != b && s->parent[child] != b)
        child = s->parent[child];
    int has_r = vec3_distance(s->com_position[b], s->joint_position[b]) > 1e-12;
    snprintf(text, size, "%s%s%s%s%s", has_r ? "r_" : "", has_r ? clip->skeleton.name[b] : "",
             has_r && child != b ? " + " : "", child != b ? "p_" : has_r ? "" : "0",
             child != b ? clip->skeleton.name[child] : "");
}

static void put_partial(RowWriter *sheet, const Clip *clip, const Equations *e, SpeedKind kind, const int pair[2])
{
    static const char letter[] = "xyz";
    char arm[3 * SPEED_NAME_SIZE] = "", form[4 * SPEED_NAME_SIZE] = "";
    int r = pair[0], body = pair[1];
    size_t at = (size_t)body * (size_t)e->speed_count + (size_t)r;
    if (kind == SPEEDS_ABSOLUTE && e->axis[r] >= 0 && e->is_rotation[r]) {
        write_arm(clip, &e->system, e->joint[r], body, arm, sizeof arm);
        snprintf(form, sizeof form, strcmp(arm, "0") ? "N%c x (%s)" : "0", letter[e->axis[r]], arm);
    } else if (e->axis[r] >= 0 && !e->is_rotation[r]) {
        snprintf(form, sizeof form, "N%c", letter[e->axis[r]]);
    }
    row_writer_text(sheet, e->name[r]);
    row_writer_text(sheet, clip->skeleton.name[body]);
    row_writer_text(sheet, form);
    const Vec3 partial[] = {e->system.partial_velocity[at], e->system.partial_angular_velocity[at]};
    for (int i = 0; i < 2; i++) {
        row_writer_number(sheet, partial[i].x + 0.0);
        row_writer_number(sheet, partial[i].y + 0.0);
        row_writer_number(sheet, partial[i].z + 0.0);
    }
}

static int is_partial(const Equations *e, int r, int body)
{
    size_t at = (size_t)body * (size_t)e->speed_count + (size_t)r;
    return vec3_norm(e->system.partial_velocity[at]) > 0 || vec3_norm(e->system.partial_angular_velocity[at]) > 0;
}

static Status put_partials(const EquationsTables *given, const Clip *clip, const Equations *e, SpeedKind kind,
                           Error *err)
{
    static const char *const name[] = {"speed", "body", "form", "velocity_x", "velocity_y", "velocity_z",
                                       "angular_velocity_x", "angular_velocity_y", "angular_velocity_z"};
    RowHead head = {.column_count = sizeof name / sizeof *name, .name = name};
    RowWriter sheet;
    for (int r = 0; r < e->speed_count; r++)
        for (int body = 0; body < e->system.joint_count; body++)
            head.row_count += is_partial(e, r, body);
    begin_table(&sheet, given, &head, "partial velocities of the bodies' centres of mass and partial angular "
                                      "velocities, world axes (y up); others are zero");
    for (int r = 0; r < e->speed_count; r++)
        for (int body = 0; body < e->system.joint_count; body++)
            if (is_partial(e, r, body))
                put_partial(&sheet, clip, e, kind, (int[]){r, body});
    return row_writer_finish(&sheet, err);
}

static Status put_mass(const EquationsTables *given, const Equations *e, Error *err)
{
    const char **name = malloc(((size_t)e->speed_count + 1) * sizeof *name);
    if (!name)
        return error_no_memory(err);
    name[0] = "speed";
    for (int r = 0; r < e->speed_count; r++)
        name[r + 1] = e->name[r];
    RowHead head = {.row_count = e->speed_count, .column_count = e->speed_count + 1, .name = name};
    RowWriter sheet;
    begin_table(&sheet, given, &head, "mass matrix M");
    for (int r = 0; r < e->speed_count; r++) {
        row_writer_text(&sheet, e->name[r]);
        for (int c = 0; c < e->speed_count; c++)
            row_writer_number(&sheet, e->mass[(size_t)r * (size_t)e->speed_count + (size_t)c] + 0.0);
    }
    free(name);
    return row_writer_finish(&sheet, err);
}

static Status print_equations(const EquationsTables *given, const Clip *clip, const Equations *e, SpeedKind kind,
                              Error *err)
{
    EquationsCheck check = equations_check(e);
    if (given->form == ROW_TSV)
        printf("# %s: Kane's equations at %.3f s, frame %d, of %d generalized speeds\n"
               "# largest residuals: F_r + F*_r %.1e, T - (M u' - E) %.1e; largest T %.4g\n",
               clip->provenance.title, clip->motion.time[given->frame], given->frame, e->speed_count, check.force,
               check.torque, check.largest);
    if (given->form == ROW_TSV && e->has_parts)
        printf("# forces of the solver less those that the motion needs: up to %.1e\n", check.solver);
    Status status = put_forces(given, clip, e, err);
    if (!status)
        status = put_partials(given, clip, e, kind, err);
    return status ? status : put_mass(given, e, err);
}

static Status choose_table(const char *path, Equations *e, Error *err)
{
    SpeedForms chosen;
    Status status = speed_forms_read(path, e->name, e->speed_count, &chosen, err);
    if (!status)
        status = equations_choose(e, &chosen, err);
    speed_forms_free(&chosen);
    return status ? error_of_file(err, path, status) : status;
}

/* Torques of a scene by inverse dynamics alone: those of the clip are its solver's along the degrees of freedom. On
 * failure the clip keeps its own. */
static Status inverse_torques(const Equations *e, Clip *clip, const Loads *loads, int load_count, int frame,
                              Error *err)
{
    ClipView view = clip_view(clip);
    InverseDynamicsDef def = inverse_dynamics_default_def();
    Dynamics found = {0};
    def.gravity = equations_gravity(e, clip, loads, load_count, frame);
    Status status = inverse_dynamics(&view, load_count ? loads : NULL, &def, &found, err);
    if (!status)
        clip->dynamics = found;
    return status;
}

Status explain_equations(const EquationsTables *given, const Clip *clip, const Loads *loads,
                         int load_count, Error *err)
{
    Equations e;
    int is_table;
    SpeedKind kind = speed_kind(given, clip, &is_table);
    Status status = equations_init(&e, clip, kind, given->frame, err);
    if (status)
        return status;
    if (is_table)
        status = choose_table(given->speeds, &e, err);
    Clip own = *clip;
    int is_scene = clip->has_simulation && clip->has_dof && clip->dof.actuator_force;
    if (!status && is_scene)
        status = inverse_torques(&e, &own, loads, load_count, given->frame, err);
    if (!status)
        status = equations_solve(&e, &own, loads, load_count, given->frame, err);
    if (!status)
        status = print_equations(given, clip, &e, kind, err);
    equations_free(&e);
    if (is_scene && own.dynamics.torque != clip->dynamics.torque)
        dynamics_free(&own.dynamics);
    return status;
}
