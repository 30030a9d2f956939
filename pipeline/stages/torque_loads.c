#include "pipeline/stages/torque_loads.h"

#include "analysis/contact/foot.h"
#include "formats/tables/external.h"
#include "formats/tables/spring_table.h"
#include "pipeline/stages/history_read.h"

Status torque_loads_of_table(const char *path, const Clip *clip, Loads *loads, Error *err)
{
    ExternalRows rows;
    if (clip->has_contact && clip->contact.point_count > 0)
        return error_set(err, STATUS_BAD_INPUT, "already has forces in /contact: --external would count twice");
    Status status = error_of_file(err, path, external_read(path, &clip->skeleton, &rows, err));
    if (status != STATUS_OK)
        return status;
    status = loads_from_external(&rows, &clip->motion, loads, err);
    external_rows_free(&rows);
    return status;
}

Status torque_loads_add_springs(const char *path, const Clip *clip, Loads *loads, Error *err)
{
    Springs springs;
    Loads all = {0};
    Status status = error_of_file(err, path, springs_read(path, &clip->skeleton, &springs, err));
    if (status != STATUS_OK)
        return status;
    status = springs_loads(&springs, &clip->kinematics, loads, &all, err);
    springs_free(&springs);
    if (status == STATUS_OK) {
        loads_free(loads);
        *loads = all;
    }
    return status;
}

/* The next source is that of the loads behind the last one. */
static void add_source(TorqueLoads *l, const Clip *clip, TorqueTerm term)
{
    static const TorqueTerm of_foot[] = {[FOOT_LEFT] = TERM_GROUND_LEFT, [FOOT_RIGHT] = TERM_GROUND_RIGHT,
                                         [FOOT_COUNT] = TERM_CONTACT};
    const Loads *loads = &l->loads[l->count];
    TorqueTerm *of = arena_array(&l->memory, (size_t)loads->load_count, 1, sizeof *of);
    for (int i = 0; of && i < loads->load_count; i++)
        of[i] = term == TERM_CONTACT ? of_foot[foot_of_segment(clip->skeleton.segment[loads->joint[i]])] : term;
    l->source[l->count++] = (TermSource){loads, of};
}

/* The tables that the history tells are needed. */
static Status check_tables(const Clip *clip, const TorqueTables *tables, Error *err)
{
    OptionValues values;
    char file[200];
    Status status = history_read(clip, &stage_torque, &values, file, sizeof file, err);
    if (status == STATUS_OK && *file && !tables->external && !tables->springs)
        return error_set(err, STATUS_BAD_INPUT,
                         "its torques were made with %s, which is not in the clip: give it as --external or --springs",
                         file);
    return status;
}

Status torque_loads_init(TorqueLoads *l, const Clip *clip, const TorqueTables *tables, Error *err)
{
    *l = (TorqueLoads){0};
    Status status = check_tables(clip, tables, err);
    if (status == STATUS_OK && clip->has_contact && clip->contact.point_count > 0 && !tables->external) {
        status = loads_from_contact(&clip->contact, &clip->kinematics, &l->loads[l->count], err);
        add_source(l, clip, TERM_CONTACT);
    }
    if (status == STATUS_OK && tables->external) {
        status = torque_loads_of_table(tables->external, clip, &l->loads[l->count], err);
        add_source(l, clip, TERM_EXTERNAL);
    }
    if (status == STATUS_OK && tables->springs) {
        status = torque_loads_add_springs(tables->springs, clip, &l->loads[l->count], err);
        add_source(l, clip, TERM_SPRINGS);
    }
    if (status == STATUS_OK && l->memory.failed)
        status = error_no_memory(err);
    if (status != STATUS_OK)
        torque_loads_free(l);
    return status;
}

void torque_loads_free(TorqueLoads *l)
{
    for (int i = 0; i < TERM_SOURCES; i++)
        loads_free(&l->loads[i]);
    arena_free(&l->memory);
    *l = (TorqueLoads){0};
}
