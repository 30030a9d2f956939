/* See measured_file.h. */
#include "pipeline/stages/measured_file.h"

#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "analysis/contact/plate_alignment.h"
#include "analysis/contact/plate_up.h"
#include "analysis/math/elementary.h"
#include "analysis/contact/foot_load.h"
#include "formats/tables/external_table.h"
#include "formats/tables/plate_file.h"
#include "pipeline/stages/contact_options.h"

#define DOUBTED 0.5          /* certainty below which an alignment is a warning */
#define BASELINE_WARN 100.0  /* N: a larger level is a foot on the plate */
#define OFFSET_WARN 5.0      /* N */

static const char warning_kind[] = "plates-aligned";

/* ---- Messages ---- */

static void add_message(MeasuredFile *file, int is_warning, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void add_message(MeasuredFile *file, int is_warning, const char *format, ...)
{
    va_list values;
    if (file->message_count == MEASURED_MESSAGES)
        return;
    MeasuredMessage *message = &file->message[file->message_count++];
    message->is_warning = is_warning;
    va_start(values, format);
    vsnprintf(message->text, sizeof message->text, format, values);
    va_end(values);
}

static double cut(double certainty)
{
    return floor(100 * certainty) / 100;
}

static void tell_lag(const PlateAlignment *a, MeasuredFile *out)
{
    char error[40] = "";
    if (isfinite(a->lag_error))
        snprintf(error, sizeof error, ", error %.0f ms", 1000 * a->lag_error);
    add_message(out, a->lag_certainty < DOUBTED, "plates: %.0f ms %s the motion (certainty %.2f%s)",
                fabs(1000 * a->lag), a->lag < 0 ? "ahead of" : "behind", cut(a->lag_certainty), error);
}

static void tell_place(const PlateAlignment *a, MeasuredFile *out)
{
    Vec3 s = a->placement.shift;
    add_message(out, a->turn_certainty < DOUBTED, "plates: turned by %.0f degrees about the vertical (certainty %.2f)",
                a->turn * 180 / PI, cut(a->turn_certainty));
    add_message(out, a->shift_certainty < DOUBTED, "plates: shifted by x %.3f, z %.3f m; %.0f %% of the load is within "
                "10 cm of the feet (certainty %.2f)", s.x, s.z, 100 * a->shift_certainty, cut(a->shift_certainty));
    if (a->divided > 0)
        add_message(out, 1, "plates: for %.2f s one plate supports both feet; its load is divided by its centre of "
                    "pressure", a->divided);
}

/* Warns of levels: a foot on the plate that was zeroed, or a plate that was not zeroed. */
static void warn_levels(const PlateRecord *r, const MeasuredOptions *o, MeasuredFile *out)
{
    for (int p = 0; p < r->plate_count; p++) {
        double zeroed = r->plate[p].baseline, level = plate_unloaded_level(r, p, NULL, NULL);
        if (o->zero == PLATE_ZERO_FILE && zeroed > BASELINE_WARN)
            add_message(out, 1, "plates: %s was zeroed at %.0f N; if a foot was on it, use --plate-zero none",
                        r->plate[p].name, zeroed);
        else if (o->zero != PLATE_ZERO_UNLOADED && level > OFFSET_WARN)
            add_message(out, 1, "plates: %s reads %.0f N while it is unloaded: subtract the level with --plate-zero "
                        "unloaded", r->plate[p].name, level);
    }
}

Status measured_file_tell(const MeasuredFile *file, Clip *clip, Notes *notes, Error *err)
{
    Status status = STATUS_OK;
    for (int i = 0; !status && i < file->message_count; i++) {
        const char *text = file->message[i].text;
        status = file->message[i].is_warning ? notes_warn(notes, clip, warning_kind, text, err)
                                             : notes_add(notes, (Note){NOTE_DECISION, 0, 0, text}, err);
    }
    return status;
}

void measured_file_forget(Clip *clip)
{
    clip_drop_warnings(clip, warning_kind);
}

/* ---- Plates ---- */

static Status require_body(const Clip *clip, Error *err)
{
    const Skeleton *s = &clip->skeleton;
    if (!clip->has_body || !clip->kinematics.com)
        return error_set(err, STATUS_BAD_INPUT, "the motion shows the feet of its plates, which requires masses: "
                         "run kane body, then kane kinematics");
    if (skeleton_find_role(s, ROLE_LEFT_ANKLE) < 0 || skeleton_find_role(s, ROLE_RIGHT_ANKLE) < 0)
        return error_set(err, STATUS_BAD_INPUT, "its plates belong to two feet, which the skeleton does not have: "
                         "give a table with joints");
    return STATUS_OK;
}

/* The markers in the world and at the frames of the clip; between two frames of the file both must be seen. */
static Status place_markers(const MarkerRecord *from, UpAxis up, const PlateAlignment *a, const Clip *clip,
                            Markers *out, Error *err)
{
    const Markers *m = &from->markers;
    const Motion *motion = &clip->motion;
    size_t count = (size_t)m->marker_count;
    if (!m->marker_count)
        return STATUS_OK;
    Status status = markers_init(out, motion->frame_count, m->marker_count, err);
    for (int i = 0; !status && i < m->marker_count; i++)
        if (!(out->name[i] = strdup(m->name[i])))
            status = error_no_memory(err);
    for (int f = 0; !status && f < motion->frame_count; f++) {
        double at = (motion->time[f] + a->lag) * from->rate, low = floor(at + 1e-9), part = fmax(0, at - low);
        int is_inside = low >= 0 && low + (part > 1e-9) <= m->frame_count - 1;
        const Vec3 *first = m->position + (is_inside ? (size_t)low * count : 0);
        const Vec3 *second = is_inside && part > 1e-9 ? first + count : first;
        for (size_t i = 0; i < count; i++) {
            Vec3 seen = up_axis_rotate(up, vec3_lerp(first[i], second[i], part));
            Vec3 moved = vec3_add(plate_placement_turn(&a->placement, seen), a->placement.shift);
            out->position[(size_t)f * count + i] = is_inside ? moved : vec3(NAN, NAN, NAN);
        }
    }
    return status;
}

/* ---- Plates with a joint ---- */

/* Whether names are equal but for case, blanks and marks. */
static int is_same_name(const char *a, const char *b)
{
    for (;; a++, b++) {
        while (*a && !isalnum((unsigned char)*a))
            a++;
        while (*b && !isalnum((unsigned char)*b))
            b++;
        if (tolower((unsigned char)*a) != tolower((unsigned char)*b))
            return 0;
        if (!*a)
            return 1;
    }
}

/* The joint that a plate names: that of a foot, or one of its name; -1: none. */
static int joint_of(const Plate *plate, const Skeleton *s)
{
    if (plate->foot < FOOT_COUNT)
        return foot_sole_joint(s, plate->foot);
    for (int j = 0; j < s->joint_count; j++)
        if (is_same_name(plate->name, s->name[j]))
            return j;
    return -1;
}

static int count_joints(const PlateRecord *r, const Skeleton *s)
{
    int count = 0;
    for (int p = 0; p < r->plate_count; p++)
        count += joint_of(&r->plate[p], s) >= 0;
    return count;
}

/* Numbered plates beside named ones: which foot a number means is not known. */
static Status refuse_mixture(const PlateRecord *r, const Skeleton *s, Error *err)
{
    int p = 0;
    while (p < r->plate_count && joint_of(&r->plate[p], s) >= 0)
        p++;
    return error_set(err, STATUS_BAD_INPUT, "forces \"%s\" name no joint of the skeleton, as the others do; name the "
                     "joint, or r or l for a foot", r->plate[p].name);
}

/* Passes over plates without a joint that nobody trod on, where others name theirs. */
static void drop_idle(PlateRecord *r, const Skeleton *s, MeasuredFile *out)
{
    int named = count_joints(r, s);
    for (int p = r->plate_count - 1; named > 0 && p >= 0; p--) {
        if (joint_of(&r->plate[p], s) >= 0 || !plate_is_idle(r, p))
            continue;
        add_message(out, 0, "forces \"%s\" are zero in every row and name no joint: passed over", r->plate[p].name);
        plate_record_drop(r, p);
    }
}

/* Rows of plates that all name their joints, which need no motion. */
static Status named_rows(const PlateRecord *r, const Skeleton *s, ExternalRows *rows, Error *err)
{
    if ((double)r->sample_count * r->plate_count > INT_MAX)
        return error_set(err, STATUS_LIMIT, "%d rows of %d forces are too many", r->sample_count, r->plate_count);
    Status status = external_rows_init(rows, r->sample_count * r->plate_count, err);
    for (int i = 0; !status && i < rows->row_count; i++) {
        rows->time[i] = r->time[i / r->plate_count];
        rows->joint[i] = joint_of(&r->plate[i % r->plate_count], s);
        rows->force[i] = r->force[i];
        rows->couple[i] = r->moment[i];
    }
    return status;
}

/* ---- Tables with joints ---- */

static Status delay_rows(const MeasuredOptions *options, const Clip *clip, MeasuredFile *out, Error *err)
{
    double lag = isinf(options->lag) ? 0 : options->lag;
    PlateAlignment found = {.lag_certainty = 1};
    Status status = STATUS_OK;
    if (isnan(lag)) {
        ClipView view = clip_view(clip);
        EstimatedMotion with = {.clip = &view, .estimate = &out->estimate};
        if ((status = require_body(clip, err)) ||
            (status = contact_estimated(clip, &out->estimate, &with.lanes, err)) ||
            (status = plates_find_delay(&out->rows, &with, &found, err)))
            return status;
        tell_lag(&found, out);
        lag = found.lag;
    }
    for (int i = 0; i < out->rows.row_count; i++)
        out->rows.time[i] -= lag;
    return status;
}

/* ---- Plates without joints ---- */

/* What is read from a file whose plates have no joints. */
typedef struct Recorded {
    int is_c3d;
    UpAxis up; /* of the file */
    PlateRecord plates;
    MarkerRecord markers;
} Recorded;

static Status attribute(Recorded *from, const MeasuredOptions *options, const Clip *clip, MeasuredFile *out, Error *err)
{
    PlateAlignment found = {0};
    int is_c3d = from->is_c3d;
    double lag = isinf(options->lag) && !is_c3d ? 0 : options->lag;
    PlateAlignmentDef def = {.find_lag = !isfinite(lag), .lag = isfinite(lag) ? lag : 0,
                             .find_place = is_c3d && options->align == PLATE_ALIGN_AUTO};
    Status status = require_body(clip, err);
    ClipView view = clip_view(clip);
    EstimatedMotion with = {.clip = &view, .estimate = &out->estimate};
    if (!status)
        status = contact_estimated(clip, &out->estimate, &with.lanes, err);
    if (!status)
        status = plates_align(&def, &with, &from->plates, &found, &out->rows, err);
    if (!status && def.find_lag)
        tell_lag(&found, out);
    if (!status && def.find_place)
        tell_place(&found, out);
    out->ground = is_c3d ? out->estimate.ground_height : 0;
    return status || !is_c3d ? status : place_markers(&from->markers, from->up, &found, clip, &out->markers, err);
}

static Status read_plates(const char *path, PlateFileKind kind, const MeasuredOptions *options, const Clip *clip,
                          MeasuredFile *out, Error *err)
{
    Recorded from = {.is_c3d = kind == PLATE_FILE_C3D, .up = UP_Y};
    Status status = plate_file_read(path, options->zero, &from.plates, &from.markers, err);
    if (!status && from.is_c3d) {
        warn_levels(&from.plates, options, out);
        status = plate_up_find(&from.plates, &from.up, err);
    }
    if (!status)
        drop_idle(&from.plates, &clip->skeleton, out);
    int named = status ? 0 : count_joints(&from.plates, &clip->skeleton);
    if (!status && named == from.plates.plate_count) {
        status = named_rows(&from.plates, &clip->skeleton, &out->rows, err);
        if (!status)
            status = delay_rows(options, clip, out, err);
    } else if (!status && named > 0) {
        status = refuse_mixture(&from.plates, &clip->skeleton, err);
    } else if (!status) {
        plate_record_stand(&from.plates, from.up);
        status = attribute(&from, options, clip, out, err);
    }
    plate_record_free(&from.plates);
    markers_free(&from.markers.markers);
    return status;
}

Status measured_file_read(const char *path, const MeasuredOptions *options, const Clip *clip, MeasuredFile *out,
                          Error *err)
{
    PlateFileKind kind;
    *out = (MeasuredFile){0};
    Status status = plate_file_kind(path, &kind, err);
    if (!status && kind != PLATE_FILE_JOINTS) {
        status = read_plates(path, kind, options, clip, out, err);
    } else if (!status) {
        status = external_read(path, &clip->skeleton, &out->rows, err);
        if (!status)
            status = delay_rows(options, clip, out, err);
    }
    if (status)
        measured_file_free(out);
    return error_of_file(err, path, status);
}

void measured_file_free(MeasuredFile *file)
{
    external_rows_free(&file->rows);
    contact_free(&file->estimate);
    markers_free(&file->markers);
    *file = (MeasuredFile){0};
}
