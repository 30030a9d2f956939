/* Coordinates and generalised forces of an OpenSim model, one row per frame (export_internal.h). */
#include "analysis/motion/dof_motion.h"
#include "formats/export/export_internal.h"

static const char no_forces[] = "the clip has no generalised forces: run kane torque first";

/* A table of the storage form that OpenSim reads; NaN would end it. */
static RowHead storage_head(const Clip *clip)
{
    return (RowHead){.title = clip->provenance.title, .row_count = clip->motion.frame_count, .needs_numbers = 1};
}

Status export_model_coordinates(const Clip *clip, FILE *stream, Error *err)
{
    const Dofs *d = &clip->dof;
    RowWriter sheet;
    RowHeader header = row_header(1 + d->count);
    row_header_add(&header, "time");
    for (int i = 0; i < d->count; i++)
        row_header_add(&header, "%s", d->name[i]);
    Status status = row_header_begin(&header, &sheet, ROW_STORAGE, stream, storage_head(clip), err);
    if (status)
        return status;
    for (int f = 0; f < clip->motion.frame_count; f++) {
        row_writer_number(&sheet, clip->motion.time[f]);
        for (int i = 0; i < d->count; i++)
            row_writer_number(&sheet, d->position[dofs_index(d, f, i)]);
    }
    return row_header_finish(&header, &sheet, err);
}

/* Only rotations below the floating base have a standard deviation: the dynamics have one of torques. */
static int has_sd(const Clip *clip, int row)
{
    const Dofs *d = &clip->dof;
    return clip->dynamics.torque_sd && clip->skeleton.parent[d->joint[row]] >= 0 && dofs_is_rotation(d, row);
}

/* Standard deviation of a row's generalised force from that of its joint's torque. */
static double effort_sd(const Clip *clip, const DofRate *rate, int frame)
{
    const Dynamics *d = &clip->dynamics;
    size_t at = motion_index(&clip->motion, frame, rate->joint);
    return torque_sd_along(d->torque_sd[at], d->torque_correlation[at], rate->omega);
}

static RowHeader name_efforts(const Clip *clip)
{
    const Dofs *d = &clip->dof;
    RowHeader header = row_header(1 + 2 * d->count);
    row_header_add(&header, "time");
    for (int i = 0; i < d->count; i++) {
        const char *kind = dofs_is_rotation(d, i) ? "moment" : "force";
        row_header_add(&header, "%s_%s", d->name[i], kind);
        if (has_sd(clip, i))
            row_header_add(&header, "%s_%s_sd", d->name[i], kind);
    }
    return header;
}

static void put_efforts(const Clip *clip, int frame, DofRate *rate, RowWriter *sheet)
{
    const Dofs *d = &clip->dof;
    dofs_rates(clip, frame, rate);
    row_writer_number(sheet, clip->motion.time[frame]);
    for (int i = 0; i < d->count; i++) {
        row_writer_number(sheet, d->effort[dofs_index(d, frame, i)]);
        if (has_sd(clip, i))
            row_writer_number(sheet, effort_sd(clip, &rate[i], frame));
    }
}

Status export_model_efforts(const Clip *clip, FILE *stream, Error *err)
{
    RowWriter sheet;
    Arena arena = {0};
    if (!clip->has_dynamics || !clip->dof.effort)
        return error_set(err, STATUS_BAD_INPUT, no_forces);
    DofRate *rate = arena_array(&arena, (size_t)clip->dof.count, 1, sizeof *rate);
    if (!rate)
        return error_no_memory(err);
    RowHeader header = name_efforts(clip);
    Status status = row_header_begin(&header, &sheet, ROW_STORAGE, stream, storage_head(clip), err);
    for (int f = 0; f < clip->motion.frame_count && !status; f++)
        put_efforts(clip, f, rate, &sheet);
    arena_free(&arena);
    return status ? status : row_header_finish(&header, &sheet, err);
}
