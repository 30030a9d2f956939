/* See term_loads.h. */
#include "pipeline/stages/term_loads.h"

#include "analysis/contact/foot_load.h"
#include "analysis/contact/measured.h"
#include "pipeline/stages/history_read.h"
#include "pipeline/stages/option.h"
#include "pipeline/stages/stage_list.h"

/* Adds the sources of the loads just appended. */
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

/* Rejects missing tables that the history names. */
static Status check_tables(const Clip *clip, const TorqueTables *tables, Error *err)
{
    OptionValues values;
    char file[200];
    Status status = history_read(clip, &stage_torque, &values, file, sizeof file, err);
    if (!status && *file && !tables->external && !tables->springs)
        return error_set(err, STATUS_BAD_INPUT,
                         "its torques were computed with %s, which is not in the clip; give it as --external or "
                         "--springs",
                         file);
    return status;
}

Status torque_loads_init(TorqueLoads *l, const Clip *clip, const TorqueTables *tables, Error *err)
{
    *l = (TorqueLoads){0};
    Status status = check_tables(clip, tables, err);
    if (!status)
        status = spring_laws_check(tables->springs, tables->spring_laws, err);
    if (!status && clip->has_contact && clip->contact.point_count > 0 && !tables->external) {
        status = loads_from_contact(&clip->contact, &clip->kinematics, &l->loads[l->count], err);
        add_source(l, clip, TERM_CONTACT);
    }
    if (!status && tables->external) {
        MeasuredFile measured;
        status = torque_loads_of_table(tables->external, clip, &measured, &l->loads[l->count], err);
        measured_file_free(&measured);
        add_source(l, clip, TERM_EXTERNAL);
    }
    if (!status && tables->springs) {
        status = torque_loads_add_springs(tables, clip, &l->loads[l->count], err);
        add_source(l, clip, TERM_SPRINGS);
    }
    if (!status && l->memory.failed)
        status = error_no_memory(err);
    if (status)
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
