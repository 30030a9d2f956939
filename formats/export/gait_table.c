/* See gait_table.h. */
#include "formats/export/gait_table.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "formats/base/number.h"
#include "formats/base/text.h"

/* A number of a stride or a step. */
typedef struct GaitColumn {
    const char *name;
    size_t offset;
} GaitColumn;

static const GaitColumn stride_columns[] = {
    {"time_s", offsetof(GaitStride, time)},       {"duration_s", offsetof(GaitStride, duration)},
    {"length_m", offsetof(GaitStride, length)},   {"speed_m_s", offsetof(GaitStride, speed)},
    {"cadence_steps_per_min", offsetof(GaitStride, cadence)}, {"stance_fraction", offsetof(GaitStride, stance)},
};
static const GaitColumn step_columns[] = {
    {"time_s", offsetof(GaitStep, time)},
    {"duration_s", offsetof(GaitStep, duration)},
    {"length_m", offsetof(GaitStep, length)},
    {"width_m", offsetof(GaitStep, width)},
};
enum { STRIDE_COLUMNS = sizeof stride_columns / sizeof *stride_columns,
       STEP_COLUMNS = sizeof step_columns / sizeof *step_columns };

/* Strides or steps: rows with a foot and columns. */
typedef struct GaitRows {
    const GaitColumn *column;
    int column_count, count;
    const char *row; /* [count] structs of size bytes, which begin with the foot */
    size_t size;
} GaitRows;

static GaitRows rows_of(const Gait *gait, GaitTableKind kind)
{
    static const Gait none;
    const Gait *g = gait ? gait : &none;
    if (kind == GAIT_STRIDES)
        return (GaitRows){stride_columns, STRIDE_COLUMNS, g->stride_count, (const char *)g->stride, sizeof *g->stride};
    return (GaitRows){step_columns, STEP_COLUMNS, g->step_count, (const char *)g->step, sizeof *g->step};
}

static double value_at(const GaitRows *rows, int row, int column)
{
    double value;
    memcpy(&value, rows->row + (size_t)row * rows->size + rows->column[column].offset, sizeof value);
    return value;
}

static const char *foot_at(const GaitRows *rows, int row)
{
    int foot;
    memcpy(&foot, rows->row + (size_t)row * rows->size, sizeof foot);
    return foot == FOOT_LEFT ? "left" : "right";
}

static void put_cell(FILE *stream, double value)
{
    char text[NUMBER_TEXT_SIZE] = "nan";
    if (isfinite(value))
        number_print_as(value, number_is_short(stream), text);
    fprintf(stream, "\t%s", text);
}

void gait_table_head(GaitTableKind kind, FILE *stream)
{
    GaitRows rows = rows_of(NULL, kind);
    fputs(kind == GAIT_CURVES ? "clip\tcoordinate\tquantity\tunit\tstrides\tpercent\tmean\tsd\terror_sd"
                              : "clip\tfoot", stream);
    for (int i = 0; kind != GAIT_CURVES && i < rows.column_count; i++)
        fprintf(stream, "\t%s", rows.column[i].name);
    putc('\n', stream);
}

static void put_curves(const Gait *gait, GaitNormal normal, const char *title, FILE *stream)
{
    for (int i = 0; i < gait->curve_count; i++)
        for (int percent = 0; percent < GAIT_POINTS; percent++) {
            const GaitCurve *c = &gait->curve[i];
            utf8_put_shown(stream, title, strlen(title));
            fprintf(stream, "\t%s\t%s\t%s\t%d\t%d", coordinate_name(c->coordinate), gait_quantity_name(c->quantity),
                    gait_unit(c->quantity, normal), c->strides, percent);
            put_cell(stream, c->mean[percent]);
            if (c->strides > 1)
                put_cell(stream, c->deviation[percent]);
            else
                putc('\t', stream); /* undefined for one stride */
            if (isnan(c->error_sd[percent]))
                putc('\t', stream);
            else
                put_cell(stream, c->error_sd[percent]);
            putc('\n', stream);
        }
}

void gait_table_rows(const Gait *gait, GaitTableKind kind, GaitNormal normal, const char *title, FILE *stream)
{
    GaitRows rows = rows_of(gait, kind);
    if (kind == GAIT_CURVES) {
        put_curves(gait, normal, title, stream);
        return;
    }
    for (int row = 0; row < rows.count; row++) {
        utf8_put_shown(stream, title, strlen(title));
        fprintf(stream, "\t%s", foot_at(&rows, row));
        for (int i = 0; i < rows.column_count; i++)
            put_cell(stream, value_at(&rows, row, i));
        putc('\n', stream);
    }
}

static void put_objects(Json *json, const char *key, const GaitRows *rows)
{
    json_member_open(json, key, '[');
    for (int row = 0; row < rows->count; row++) {
        json_open(json, '{');
        json_member_text(json, "foot", foot_at(rows, row));
        for (int i = 0; i < rows->column_count; i++)
            json_member_number(json, rows->column[i].name, value_at(rows, row, i));
        json_close(json, '}');
    }
    json_close(json, ']');
}

static void put_numbers(Json *json, const char *key, const double *value)
{
    json_member_open(json, key, '[');
    for (int i = 0; i < GAIT_POINTS; i++)
        json_number(json, value[i]);
    json_close(json, ']');
}

static void put_curve(Json *json, const GaitCurve *c, GaitNormal normal)
{
    json_open(json, '{');
    json_member_text(json, "coordinate", coordinate_name(c->coordinate));
    json_member_text(json, "quantity", gait_quantity_name(c->quantity));
    json_member_text(json, "unit", gait_unit(c->quantity, normal));
    json_member_integer(json, "strides", c->strides);
    put_numbers(json, "mean", c->mean);
    put_numbers(json, "sd", c->deviation);
    put_numbers(json, "error_sd", c->error_sd);
    json_close(json, '}');
}

void gait_json(const Gait *gait, GaitNormal normal, const char *title, FILE *stream)
{
    GaitRows strides = rows_of(gait, GAIT_STRIDES), steps = rows_of(gait, GAIT_STEPS);
    Json json = json_spaced(stream);
    json_open(&json, '{');
    json_member_text(&json, "clip", title);
    put_objects(&json, "strides", &strides);
    put_objects(&json, "steps", &steps);
    json_member_open(&json, "curves", '[');
    for (int i = 0; i < gait->curve_count; i++)
        put_curve(&json, &gait->curve[i], normal);
    json_close(&json, ']');
    json_close(&json, '}');
    putc('\n', stream);
}

/* The torque of a joint as a sum of named terms. */

/* Rows after the terms: their sum and, if passive moments are known, its passive and active (muscle) parts. */
enum { ROW_TORQUE, ROW_PASSIVE, ROW_ACTIVE, ROW_COUNT };

enum { FIXED_COLUMNS = 10, MOST_COLUMNS = 4 + (TERM_COUNT + ROW_COUNT) * (3 + COORDINATES_PER_JOINT), NAME_SIZE = 80 };

static const char *const row_names[ROW_COUNT] = {"torque", "passive", "active"};

/* Returns the index of the joint's first coordinate if the clip has axes, else -1. */
static int first_coordinate(const TermsSubject *s)
{
    const Anatomy *a = &s->clip->anatomy;
    return s->clip->has_anatomy && a->axis ? anatomy_of_joint(a, s->joint) : -1;
}

static int rows_of_terms(const TermsSubject *s)
{
    return first_coordinate(s) >= 0 && s->clip->anatomy.passive ? ROW_COUNT : ROW_TORQUE + 1;
}

/* Returns the passive moment about the axes that have one; NaN in frames where none is known. */
static Vec3 passive_moment(const TermsSubject *s, int frame)
{
    const Anatomy *a = &s->clip->anatomy;
    int first = first_coordinate(s), known = 0;
    double moment[COORDINATES_PER_JOINT];
    for (int i = 0; i < COORDINATES_PER_JOINT; i++) {
        double value = a->passive[anatomy_index(a, frame, first + i)];
        known += isfinite(value);
        moment[i] = isfinite(value) ? value : 0;
    }
    return known ? anatomy_vector(a, frame, first, moment) : vec3(NAN, NAN, NAN);
}

/* Computes the rows after the terms; their number is rows_of_terms. */
static void find_rows(const TermsSubject *s, int frame, Vec3 row[ROW_COUNT])
{
    row[ROW_TORQUE] = s->clip->dynamics.torque[motion_index(&s->clip->motion, frame, s->joint)];
    if (rows_of_terms(s) == ROW_COUNT) {
        row[ROW_PASSIVE] = passive_moment(s, frame);
        row[ROW_ACTIVE] = vec3_sub(row[ROW_TORQUE], row[ROW_PASSIVE]);
    }
}

/* Writes the component of a moment about each axis of the joint, its part of the generalised force. */
static void put_about_axes(RowWriter *sheet, const TermsSubject *s, int frame, Vec3 moment)
{
    const Anatomy *a = &s->clip->anatomy;
    int first = first_coordinate(s);
    for (int i = 0; first >= 0 && i < COORDINATES_PER_JOINT; i++)
        row_writer_number(sheet, vec3_dot(moment, a->axis[anatomy_index(a, frame, first + i)]) + 0.0);
}

/* Writes a vector with 0 in place of -0. */
static void put_vector(RowWriter *sheet, Vec3 v)
{
    row_writer_vector(sheet, vec3_add(v, vec3(0, 0, 0)));
}

static void put_row(RowWriter *sheet, const TermsSubject *s, int frame, const char *name, const TermLoad *term,
                    Vec3 torque)
{
    double square = vec3_dot(torque, torque), force = vec3_norm(term->force);
    row_writer_text(sheet, name);
    put_vector(sheet, term->moment);
    row_writer_number(sheet, vec3_norm(term->moment));
    if (square > 0)
        row_writer_number(sheet, vec3_dot(term->moment, torque) / square);
    else
        row_writer_absent(sheet);
    put_vector(sheet, term->force);
    if (force > 0)
        row_writer_number(sheet, vec3_norm(term_lever_arm(term)));
    else
        row_writer_absent(sheet);
    put_about_axes(sheet, s, frame, term->moment);
}

Status terms_table(const TermsSubject *subject, const TorqueTerms *terms, int frame, FILE *stream, Error *err)
{
    const char *name[FIXED_COLUMNS + COORDINATES_PER_JOINT] = {
        "term", "moment_x_nm", "moment_y_nm", "moment_z_nm", "moment_nm", "fraction", "force_x_n", "force_y_n",
        "force_z_n", "lever_arm_m"};
    char about[COORDINATES_PER_JOINT][NAME_SIZE];
    const Clip *clip = subject->clip;
    const TermLoad *term = torque_terms_of(terms, subject->joint);
    Vec3 row[ROW_COUNT];
    int first = first_coordinate(subject);
    RowWriter sheet;
    for (int i = 0; first >= 0 && i < COORDINATES_PER_JOINT; i++) {
        snprintf(about[i], NAME_SIZE, "%s_nm", coordinate_name(clip->anatomy.coordinate[first + i]));
        name[FIXED_COLUMNS + i] = about[i];
    }
    RowHead head = {.row_count = TERM_COUNT + rows_of_terms(subject),
                    .name = name,
                    .column_count = FIXED_COLUMNS + (first < 0 ? 0 : COORDINATES_PER_JOINT)};
    row_writer_begin(&sheet, subject->form, stream, &head);
    find_rows(subject, frame, row);
    for (int i = 0; i < TERM_COUNT; i++)
        put_row(&sheet, subject, frame, torque_term_names[i], &term[i], row[ROW_TORQUE]);
    for (int i = 0; i < rows_of_terms(subject); i++)
        put_row(&sheet, subject, frame, row_names[i], &(TermLoad){.moment = row[i]}, row[ROW_TORQUE]);
    return row_writer_finish(&sheet, err);
}

/* Makes the column names of a term in a series: three in world axes, then those about the joint's axes. */
static int name_term(const TermsSubject *s, const char *term, char (*text)[NAME_SIZE], const char **name)
{
    int count = 0, first = first_coordinate(s);
    for (; count < 3; count++)
        snprintf(text[count], NAME_SIZE, "%s_%c_nm", term, "xyz"[count]);
    for (int i = 0; first >= 0 && i < COORDINATES_PER_JOINT; i++)
        snprintf(text[count++], NAME_SIZE, "%s_%s_nm", term, coordinate_name(s->clip->anatomy.coordinate[first + i]));
    for (int i = 0; i < count; i++)
        name[i] = text[i];
    return count;
}

static void put_frame(RowWriter *sheet, const TermsSubject *s, const TorqueTerms *terms, int frame)
{
    const Clip *clip = s->clip;
    const TermLoad *term = torque_terms_of(terms, s->joint);
    Vec3 row[ROW_COUNT];
    find_rows(s, frame, row);
    row_writer_number(sheet, clip->motion.time[frame]);
    row_writer_integer(sheet, frame);
    for (int i = 0; i < TERM_COUNT + rows_of_terms(s); i++) {
        Vec3 moment = i < TERM_COUNT ? term[i].moment : row[i - TERM_COUNT];
        put_vector(sheet, moment);
        put_about_axes(sheet, s, frame, moment);
    }
    if (clip->has_contact)
        row_writer_number(sheet, clip->contact.confidence[frame]);
    row_writer_integer(sheet, clip_counts_joint(clip, frame, s->joint, FRAMES_TRUSTED));
}

Status terms_series(const TermsSubject *subject, TorqueTerms *terms, FILE *stream, Error *err)
{
    const char *name[MOST_COLUMNS] = {"time_s", "frame"};
    char text[MOST_COLUMNS][NAME_SIZE];
    int count = 2;
    RowWriter sheet;
    for (int i = 0; i < TERM_COUNT + rows_of_terms(subject); i++)
        count += name_term(subject, i < TERM_COUNT ? torque_term_names[i] : row_names[i - TERM_COUNT], text + count,
                           name + count);
    if (subject->clip->has_contact)
        name[count++] = "confidence";
    name[count++] = "trusted";
    RowHead head = {.title = subject->clip->provenance.title,
                    .row_count = subject->clip->motion.frame_count,
                    .column_count = count,
                    .name = name,
                    .comment = "moments about the joint's centre, N m, axes of the world (y up) or of the coordinate"};
    row_writer_begin(&sheet, subject->form, stream, &head);
    for (int f = 0; f < subject->clip->motion.frame_count; f++) {
        torque_terms_at(terms, f);
        put_frame(&sheet, subject, terms, f);
    }
    return row_writer_finish(&sheet, err);
}
