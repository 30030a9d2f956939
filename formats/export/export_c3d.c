/* See export_c3d.h. */
#include "formats/export/export_c3d.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/base/arena.h"
#include "analysis/contact/plate_up.h"
#include "formats/base/bytes.h"
#include "formats/base/json.h"
#include "formats/c3d/c3d_plates.h"
#include "formats/export/export_internal.h"
#include "formats/export/trc.h"

#define MIN_NORMAL 1.0 /* N: smallest force with a centre of pressure */

typedef struct C3dFile {
    char *bytes;
    C3d c3d;
    UpAxis up;
} C3dFile;

static void close_file(C3dFile *file)
{
    c3d_close(&file->c3d);
    free(file->bytes);
    *file = (C3dFile){0};
}

static Status open_file(const char *path, C3dFile *out, Error *err)
{
    size_t size;
    *out = (C3dFile){.up = UP_Z};
    Status status = bytes_read_path_max(path, (size_t)1 << 30, &out->bytes, &size, err);
    if (!status)
        status = c3d_open(out->bytes, size, &out->c3d, err);
    if (status)
        close_file(out);
    return status;
}

/* ---- Markers ---- */

static Status write_markers(const char *path, const C3d *c, UpAxis up, FILE *stream, Error *err)
{
    Arena arena = {0};
    int count = 0;
    int *point = arena_array(&arena, (size_t)c->point_count, 1, sizeof *point);
    const char **name = arena_array(&arena, (size_t)c->point_count, 1, sizeof *name);
    Vec3 *position = arena_array(&arena, (size_t)c->frame_count, (size_t)c->point_count, sizeof *position);
    for (int i = 0; !arena.failed && i < c->point_count; i++)
        if (c->is_marker[i]) {
            name[count] = c->label[i];
            point[count++] = i;
        }
    for (int f = 0; !arena.failed && f < c->frame_count; f++)
        for (int m = 0; m < count; m++)
            position[(size_t)f * (size_t)count + (size_t)m] =
                up == UP_AUTO ? c3d_point(c, f, point[m]) : up_axis_rotate(up, c3d_point(c, f, point[m]));
    TrcTable table = {.title = base_name(path), .rate = c->rate, .frame_count = c->frame_count, .marker_count = count,
                      .name = name, .position = position};
    Status status = arena.failed ? error_no_memory(err)
                    : count      ? trc_write(&table, stream, err)
                                 : error_set(err, STATUS_BAD_INPUT, "has no markers");
    arena_free(&arena);
    return status;
}

/* ---- Forces ---- */

static void name_columns(const PlateRecord *r, RowForm form, RowHeader *header)
{
    static const char *const before[] = {"ground_force", "ground_force", "ground_torque"};
    static const char *const part[] = {"v", "p", ""}, *const unit[] = {"_n", "_m", "_nm"};
    int units = row_writer_names_units(form);
    row_header_add(header, units ? "time_s" : "time");
    for (int p = 0; p < r->plate_count; p++)
        for (int i = 0; i < 3; i++)
            for (int axis = 'x'; axis <= 'z'; axis++)
                row_header_add(header, "%s_%d_%s%c%s", before[i], p + 1, part[i], axis, units ? unit[i] : "");
}

/* Force, centre of pressure on the surface, and moment about it. */
static void write_plate(const PlateRecord *r, int sample, int p, AirborneCop airborne, RowWriter *sheet)
{
    size_t at = plate_index(r, sample, p);
    const Plate *plate = &r->plate[p];
    Vec3 force = r->force[at], about = vec3_sub(r->moment[at], vec3_cross(plate->centre, force));
    double carried = vec3_dot(plate->normal, force), gap = airborne == AIRBORNE_COP_NAN ? NAN : 0;
    Vec3 point = vec3(gap, gap, gap), couple = vec3(0, 0, 0);
    if (fabs(carried) >= MIN_NORMAL) {
        Vec3 arm = vec3_scale(vec3_cross(plate->normal, about), 1 / carried);
        point = vec3_add(plate->centre, arm);
        couple = vec3_sub(about, vec3_cross(arm, force));
    }
    row_writer_vector(sheet, force);
    row_writer_vector(sheet, point);
    row_writer_vector(sheet, couple);
}

static Status write_forces(const char *path, const PlateRecord *r, const ExportC3dDef *def, FILE *stream, Error *err)
{
    RowForm form = def->format == EXPORT_CSV ? ROW_CSV : def->format == EXPORT_TSV ? ROW_TSV : ROW_STORAGE;
    RowHeader header = row_header(1 + 9 * r->plate_count);
    RowWriter sheet;
    name_columns(r, form, &header);
    RowHead head = {.title = base_name(path), .row_count = r->sample_count,
                    .comment = "s, N, m, N m; of each plate force on the body, centre of pressure and free moment"};
    Status status = row_header_begin(&header, &sheet, form, stream, head, err);
    if (status)
        return status;
    for (int s = 0; s < r->sample_count; s++) {
        row_writer_number(&sheet, r->time[s]);
        for (int p = 0; p < r->plate_count; p++)
            write_plate(r, s, p, def->airborne, &sheet);
    }
    return row_header_finish(&header, &sheet, err);
}

static Status write_table(const char *path, C3dFile *file, const ExportC3dDef *def, FILE *stream, Error *err)
{
    PlateRecord record = {0};
    int has_plates = c3d_plate_count(&file->c3d) > 0;
    Status status = has_plates || def->format != EXPORT_TRC ? c3d_plates(&file->c3d, def->zero, &record, err)
                                                            : STATUS_OK;
    if (!status && has_plates && !def->keeps_axes)
        status = plate_up_find(&record, &file->up, err);
    if (!status && !def->keeps_axes)
        plate_record_stand(&record, file->up);
    if (!status)
        status = def->format == EXPORT_TRC
                     ? write_markers(path, &file->c3d, def->keeps_axes ? UP_AUTO : file->up, stream, err)
                     : write_forces(path, &record, def, stream, err);
    plate_record_free(&record);
    return status;
}

Status export_c3d(const char *path, const ExportC3dDef *def, FILE *stream, Error *err)
{
    C3dFile file;
    if (def->format != EXPORT_TRC && def->format != EXPORT_MOT && def->format != EXPORT_STO &&
        def->format != EXPORT_CSV && def->format != EXPORT_TSV)
        return error_set(err, STATUS_USAGE, "a C3D file is exported as trc (markers) or mot, sto, csv, tsv (forces)");
    Status status = open_file(path, &file, err);
    if (!status)
        status = write_table(path, &file, def, stream, err);
    close_file(&file);
    return status;
}

/* ---- Info ---- */

static const char *coding_name(const C3d *c)
{
    return c->parameters.processor == C3D_DEC ? "DEC" : c->parameters.processor == C3D_SGI ? "SGI" : "Intel";
}

/* The program that wrote the file; "" if it does not say. */
static void writer_name(const C3d *c, char text[64])
{
    c3d_text(&c->parameters, c3d_find(&c->parameters, "MANUFACTURER", "SOFTWARE"), 0, text, 64);
}

/* Largest force along the normal, N. */
static double peak_of(const PlateRecord *r, int plate)
{
    double peak = 0;
    for (int s = 0; s < r->sample_count; s++)
        peak = fmax(peak, vec3_dot(r->force[plate_index(r, s, plate)], r->plate[plate].normal));
    return peak;
}

static int marker_count(const C3d *c)
{
    int count = 0;
    for (int i = 0; i < c->point_count; i++)
        count += c->is_marker[i] != 0;
    return count;
}

static void print_plates(const C3d *c, const PlateRecord *r, FILE *stream)
{
    for (int p = 0; p < r->plate_count; p++) {
        const Vec3 *corner = r->plate[p].corner;
        fprintf(stream, "%-14s type %d, %.2f x %.2f m, peak %.0f N, %.1f N unloaded", r->plate[p].name,
                c3d_plate_type(c, p), vec3_distance(corner[0], corner[1]), vec3_distance(corner[0], corner[3]),
                peak_of(r, p), plate_unloaded_level(r, p, NULL, NULL));
        if (r->plate[p].baseline > 0)
            fprintf(stream, ", zeroed by %.1f N", r->plate[p].baseline);
        fputc('\n', stream);
    }
}

static void print_info(const char *path, const C3dFile *file, const PlateRecord *r, const char *problem, FILE *stream)
{
    const C3d *c = &file->c3d;
    char program[64];
    writer_name(c, program);
    fprintf(stream, "%-14s %s\n", "source", base_name(path));
    fprintf(stream, "%-14s C3D: markers and force plates, no joints%s%s\n", "content", *program ? ", by " : "",
            program);
    fprintf(stream, "%-14s %s, %s, lengths in %s, %s up\n", "coding", coding_name(c), c->is_float ? "float" : "integer",
            *c->unit ? c->unit : "mm", up_axis_name(file->up));
    fprintf(stream, "%-14s %d frames at %g fps, %.3f s, first frame %d\n", "motion", c->frame_count, c->rate,
            c->frame_count / c->rate, c->first_frame);
    fprintf(stream, "%-14s %d channels at %g Hz\n", "analogue", c->channel_count, c->rate * c->samples_per_frame);
    print_plates(c, r, stream);
    if (*problem)
        fprintf(stream, "%-14s %s\n", "plates", problem);
    fprintf(stream, "%-14s %d", "markers", marker_count(c));
    for (int i = 0, shown = 0; i < c->point_count && shown < 12; i++)
        if (c->is_marker[i])
            fprintf(stream, "%s%s", shown++ ? ", " : ": ", c->label[i]);
    fprintf(stream, "%s\n", marker_count(c) > 12 ? ", ..." : "");
    if (marker_count(c) < c->point_count)
        fprintf(stream, "%-14s %d points are results (angles, forces), not markers\n", "", c->point_count -
                marker_count(c));
}

static void print_json(const char *path, const C3dFile *file, const PlateRecord *r, FILE *stream)
{
    const C3d *c = &file->c3d;
    Json json = json_spaced(stream);
    json_open(&json, '{');
    json_key(&json, "source");
    json_text(&json, base_name(path));
    json_print(&json, "\"format\": \"C3D\", \"processor\": \"%s\", \"float\": %s, \"unit\": \"%s\", "
               "\"up_axis\": \"%s\"", coding_name(c), c->is_float ? "true" : "false",
               *c->unit ? c->unit : "mm", up_axis_name(file->up));
    json_print(&json, "\"frames\": %d, \"fps\": %.15g, \"first_frame\": %d, \"channels\": %d, \"analog_rate\": %.15g",
               c->frame_count, c->rate, c->first_frame, c->channel_count, c->rate * c->samples_per_frame);
    json_key(&json, "plates");
    json_open(&json, '[');
    for (int p = 0; p < r->plate_count; p++)
        json_print(&json, "{\"type\": %d, \"peak_n\": %.15g, \"unloaded_n\": %.15g, \"zeroed_n\": %.15g}",
                   c3d_plate_type(c, p), peak_of(r, p), plate_unloaded_level(r, p, NULL, NULL), r->plate[p].baseline);
    json_close(&json, ']');
    json_key(&json, "markers");
    json_open(&json, '[');
    for (int i = 0; i < c->point_count; i++)
        if (c->is_marker[i])
            json_text(&json, c->label[i]);
    json_close(&json, ']');
    json_close(&json, '}');
    fputc('\n', stream);
}

Status c3d_info(const char *path, int is_json, FILE *stream, Error *err)
{
    C3dFile file;
    PlateRecord record = {0};
    Error problem = {0};
    Status status = open_file(path, &file, err);
    if (status)
        return status;
    if (c3d_plate_count(&file.c3d) && !c3d_plates(&file.c3d, PLATE_ZERO_FILE, &record, &problem))
        (void)plate_up_find(&record, &file.up, &problem);
    if (problem.status == STATUS_NO_MEMORY)
        status = error_no_memory(err);
    else if (is_json)
        print_json(path, &file, &record, stream);
    else
        print_info(path, &file, &record, problem.text, stream);
    plate_record_free(&record);
    close_file(&file);
    if (!status && (fflush(stream) || ferror(stream)))
        status = error_set(err, STATUS_IO, "cannot write: %s", strerror(errno));
    return status;
}
