/* See terms_table.h. */
#include "formats/export/terms_table.h"

#include <math.h>
#include <string.h>

#include "formats/export/row_header.h"

/* Rows after the terms: their sum and, if passive moments are known, its passive and active (muscle) parts. */
enum { ROW_TORQUE, ROW_PASSIVE, ROW_ACTIVE, ROW_COUNT };

enum { FIXED_COLUMNS = 10, MAX_COLUMNS = 4 + (TERM_COUNT + ROW_COUNT) * (3 + COORDINATES_PER_JOINT), NAME_SIZE = 80 };

static const char *const row_names[ROW_COUNT] = {"torque", "passive", "active"};

/* Returns the index of the joint's first coordinate if the clip has axes, else -1. */
static int first_coordinate(const TermsSubject *s)
{
    const JointAngles *a = &s->clip->angles;
    return s->clip->has_angles && a->axis ? joint_angles_first(a, s->joint) : -1;
}

static int rows_of_terms(const TermsSubject *s)
{
    return first_coordinate(s) >= 0 && s->clip->angles.passive ? ROW_COUNT : ROW_TORQUE + 1;
}

/* Returns the passive moment about the axes that have one; NaN in frames where none is known. */
static Vec3 passive_moment(const TermsSubject *s, int frame)
{
    const JointAngles *a = &s->clip->angles;
    int first = first_coordinate(s), known = 0;
    double moment[COORDINATES_PER_JOINT];
    for (int i = 0; i < COORDINATES_PER_JOINT; i++) {
        double value = a->passive[joint_angles_index(a, frame, first + i)];
        known += isfinite(value);
        moment[i] = isfinite(value) ? value : 0;
    }
    return known ? joint_angles_vector(a, frame, first, moment) : vec3(NAN, NAN, NAN);
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
    const JointAngles *a = &s->clip->angles;
    int first = first_coordinate(s);
    for (int i = 0; first >= 0 && i < COORDINATES_PER_JOINT; i++)
        row_writer_number(sheet, vec3_dot(moment, a->axis[joint_angles_index(a, frame, first + i)]) + 0.0);
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
    const TermLoad *term = joint_torque_terms(terms, subject->joint);
    Vec3 row[ROW_COUNT];
    int first = first_coordinate(subject);
    RowWriter sheet;
    for (int i = 0; first >= 0 && i < COORDINATES_PER_JOINT; i++) {
        snprintf(about[i], NAME_SIZE, "%s_nm", coordinate_name(clip->angles.coordinate[first + i]));
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
        snprintf(text[count++], NAME_SIZE, "%s_%s_nm", term, coordinate_name(s->clip->angles.coordinate[first + i]));
    for (int i = 0; i < count; i++)
        name[i] = text[i];
    return count;
}

static void put_frame(RowWriter *sheet, const TermsSubject *s, const TorqueTerms *terms, int frame)
{
    const Clip *clip = s->clip;
    const TermLoad *term = joint_torque_terms(terms, s->joint);
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
    const char *name[MAX_COLUMNS] = {"time_s", "frame"};
    char text[MAX_COLUMNS][NAME_SIZE];
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
