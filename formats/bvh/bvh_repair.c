/* See bvh_repair.h. */
#include "formats/bvh/bvh_repair.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/base/arena.h"
#include "analysis/detect/up_axis.h"
#include "analysis/quality/artifact_search.h"
#include "analysis/quality/artifacts.h"
#include "analysis/repair/channel_rows.h"
#include "analysis/repair/row_steps.h"
#include "formats/bvh/bvh_clip.h"
#include "formats/bvh/bvh_gaps.h"

/* ---- Meaning and repair of each kind ---- */

const FindingInfo bvh_own_findings[BVH_ERROR_COUNT - FINDING_KIND_COUNT] = {
#define OWN(kind) [BVH_ERROR_##kind - FINDING_KIND_COUNT]
    OWN(ENCODING) = {"encoding", "other programs may show another name", 0, 0},
    OWN(NAME) = {"name", "duplicate joint name", 0, 0},
    OWN(OFFSET) = {"offset", "rest position of the joint is missing", 0, 0},
    OWN(ORIENTATION) = {"orientation", "other programs stop here, or leave the orientation at rest out", 0, 0},
    OWN(CHANNEL) = {"channel", "two rotations about one axis; programs differ in their interpretation", 0, 0},
    OWN(NO_BLANK) = {"no-blank", "other programs may read one number or stop", 0, 0},
    OWN(FRAME_COUNT) = {"frame-count", "programs that trust the header lose rows or stop", 0, 0},
    OWN(NUMBER) = {"number", "kane import refuses the file here", 0, 1},
    OWN(ROW) = {"row", "wrong number of values; import rejects this file", 0, 1},
    OWN(ROOTS) = {"roots", "the file has other skeletons or objects", 0, 0},
    OWN(SCALE) = {"scale", "kane import refuses scaled bones", 0, 1},
    OWN(JOINTS) = {"joints", "the skeleton lacks joints of the file", 1, 0},
    OWN(LAST_ROW) = {"last-row", "the file was cut off; kane import refuses it", 0, 1},
#undef OWN
};

static const char *const repairs[BVH_ERROR_COUNT] = {
    [BVH_ERROR_ENCODING] = "writes the name as UTF-8",
    [BVH_ERROR_NAME] = "appends a number to the name",
    [BVH_ERROR_OFFSET] = "writes OFFSET 0 0 0",
    [BVH_ERROR_NO_BLANK] = "writes a blank between them",
    [BVH_ERROR_FRAME_COUNT] = "writes the number of rows",
    [BVH_ERROR_NUMBER] = "interpolates: rotations from pose to pose, positions on a line; a joint without any number "
                         "holds its rest pose",
    [BVH_ERROR_ROOTS] = "writes the ROOT that is read",
    [BVH_ERROR_JOINTS] = "leaves them out",
    [BVH_ERROR_ROW] = "interpolates the whole row",
    [BVH_ERROR_LAST_ROW] = "leaves the row out",
    [FINDING_FRAME_TIME] = "writes 1 / N of --fps N",
    [FINDING_ROW_TWICE] = "removes the row, unless more than 5 % are duplicates (resampled take)",
    [FINDING_ROW_FROZEN] = "interpolates the row",
    [FINDING_ROW_MISSING] = "inserts interpolated rows",
    [FINDING_FIRST_FRAME] = "leaves it out, unless --keep-first-frame",
    [FINDING_EULER_FLIP] = "writes the equivalent angles nearest to the previous frame; poses are unchanged",
    [FINDING_UNIT] = "with --unit: writes centimetres",
    [FINDING_UP] = "with --up: rotates the motion to Y up",
    [FINDING_TELEPORT] = "interpolates where it comes back",
    [FINDING_FLIP] = "interpolates where it comes back",
    [FINDING_FROZEN] = "interpolates",
};

const char *bvh_repair_words(int kind)
{
    return repairs[kind];
}

/* ---- Positions in the file ---- */

static int is_of_part(const Bvh *bvh, int joint, TakePart part, int column)
{
    int first = joint >= 0 ? bvh->first_channel[joint] : 0;
    int end = joint >= 0 ? first + bvh->joint_channels[joint] : bvh->channel_count;
    if (column < first || column >= end)
        return 0;
    return part == TAKE_WHOLE || bvh_is_rotation(bvh->channel[column]) == (part == TAKE_ROTATION);
}

static FileLocation where(const Take *take, int frame, int joint, TakePart part)
{
    const Bvh *bvh = take->file;
    BvhLocation at = bvh->frame_time_location;
    int column = 0;
    if (frame < 0)
        return part == TAKE_RATE ? (FileLocation){.line = at.line, .column = at.column}
                                 : (FileLocation){.line = bvh->line[joint > 0 ? joint : 0], .column = 1};
    while (column + 1 < bvh->channel_count && !is_of_part(bvh, joint, part, column))
        column++;
    at = bvh_location(bvh, frame, column);
    return (FileLocation){.line = at.line, .column = at.column};
}

/* ---- A take to inspect ---- */

/* Makes the take with missing numbers filled in a copy. */
static Status whole_take(const Bvh *bvh, Take *out, Error *err)
{
    size_t count = (size_t)bvh->frame_count * (size_t)bvh->channel_count;
    Bvh whole = *bvh;
    ChannelRows rows;
    EulerChannels *rotations = NULL;
    *out = (Take){0};
    whole.value = array_new(count, 1, sizeof *whole.value);
    if (!whole.value)
        return error_no_memory(err);
    memcpy(whole.value, bvh->value, count * sizeof *whole.value);
    bvh_set_rest(&whole);
    Status status = bvh_channel_rows(&whole, &rows, &rotations, err);
    if (!status)
        status = row_gaps_fill(&rows, err);
    if (!status)
        status = take_from_bvh(&whole, out, err);
    free(rotations);
    free(whole.value);
    return status;
}

Status take_of_tolerant_bvh(Bvh *bvh, Take *out, Error *err)
{
    Status status = whole_take(bvh, out, err);
    if (!status)
        status = bvh_channel_rows(bvh, &out->rows, &out->rotations, err);
    out->where = where;
    out->file = bvh;
    return status;
}

static const double usual_frame_time = 1.0 / 30; /* s, if the file has none */

/* Makes the clip that import would make of the file, with missing numbers filled in a copy. decision: includes whether
 * the first row was dropped. The caller frees the clip. */
static Status whole_clip(const Bvh *bvh, const ImportGuessDef *def, Clip *out, ImportGuess *decision, Error *err)
{
    Take take;
    Status status = whole_take(bvh, &take, err);
    if (!(take.motion.frame_time > 0))
        take.motion.frame_time = usual_frame_time;
    if (!status)
        status = clip_settle(&take, def, out, decision, err);
    take_free(&take);
    return status;
}

/* ---- Artifacts that a repair removes ---- */

static TakePart artifact_take_part(const Artifact *artifact)
{
    return artifact->kind == TRUST_FLIP ? TAKE_ROTATION : artifact->kind == TRUST_TELEPORT ? TAKE_POSITION : TAKE_WHOLE;
}

/* Returns 1 if the artifact lies between good frames. */
static int can_be_filled(const Artifact *artifact)
{
    return !artifact->stays && artifact->kind & (TRUST_TELEPORT | TRUST_FLIP | TRUST_FROZEN | TRUST_INTERPOLATED);
}

/* Sets values with artifacts that can be interpolated to NaN: teleports and flips that return, and frozen intervals.
 * clip: as import makes it of the file, without its first `dropped` rows. Requires location. */
static Status forget_artifacts(Bvh *bvh, const Clip *clip, int dropped, Error *err)
{
    Artifacts artifacts = {0};
    Status status = artifacts_find(&clip->skeleton, &clip->motion, &artifacts, err);
    for (int i = 0; i < artifacts.count && !status; i++) {
        const Artifact *artifact = &artifacts.artifact[i];
        for (int f = artifact->first + dropped; can_be_filled(artifact) && f <= artifact->last + dropped; f++)
            for (int c = 0; c < bvh->channel_count; c++)
                if (is_of_part(bvh, artifact->joint, artifact_take_part(artifact), c))
                    bvh->value[(size_t)f * (size_t)bvh->channel_count + (size_t)c] = NAN;
    }
    artifacts_free(&artifacts);
    return status;
}

static int by_location(const void *a, const void *b)
{
    const BvhLocation *x = a, *y = b;
    return x->line != y->line ? (x->line > y->line) - (x->line < y->line)
                              : (x->column > y->column) - (x->column < y->column);
}

/* Returns the channel of the value at a finding's position; -1 if no row has it any more. */
static int channel_at(const Bvh *bvh, FileLocation location)
{
    size_t count = (size_t)bvh->frame_count * (size_t)bvh->channel_count;
    const BvhLocation at = {location.line, location.column};
    const BvhLocation *found = bsearch(&at, bvh->location, count, sizeof at, by_location);
    return found ? (int)((size_t)(found - bvh->location) % (size_t)bvh->channel_count) : -1;
}

/* Returns the finding that an artifact in the repaired rows remains of: of its kind and channel, at or before its
 * position. */
static Finding *bvh_finding_add(Bvh *bvh, int kind, FileLocation at)
{
    Finding *found = NULL;
    int channel = channel_at(bvh, at);
    for (int i = 0; i < bvh->findings.count; i++) {
        Finding *f = &bvh->findings.found[i];
        if (f->kind == kind && (!found || f->at.line <= at.line) && channel_at(bvh, f->at) == channel)
            found = f;
    }
    return found;
}

/* Sets `repaired` of teleports, flips and frozen intervals that are no longer in the rows. clip: of the repaired
 * rows. */
static Status mark_repaired_artifacts(Bvh *bvh, const Clip *clip, int dropped, Error *err)
{
    Artifacts artifacts = {0};
    const Take take = {.file = bvh};
    Status status = artifacts_find(&clip->skeleton, &clip->motion, &artifacts, err);
    for (int i = 0; i < bvh->findings.count && !status; i++) {
        Finding *f = &bvh->findings.found[i];
        f->repaired |= f->kind == FINDING_TELEPORT || f->kind == FINDING_FLIP || f->kind == FINDING_FROZEN;
    }
    for (int i = 0; i < artifacts.count && !status; i++) {
        const Artifact *artifact = &artifacts.artifact[i];
        FileLocation at = where(&take, artifact->first + dropped, artifact->joint, artifact_take_part(artifact));
        Finding *finding = bvh_finding_add(bvh, finding_of_artifact(artifact->kind), at);
        if (finding)
            finding->repaired = 0;
    }
    artifacts_free(&artifacts);
    return status;
}

static const double metres_per_written_unit = 0.01; /* centimetres, as most programs expect */
static const int resampled = 20; /* if more than one row in this many is surplus, the take was resampled and its rows
                                    stay */

static int has_finding(const Bvh *bvh, int kind)
{
    return findings_have(&bvh->findings, kind);
}

static void mark_repaired(Bvh *bvh, int kind)
{
    for (int i = 0; i < bvh->findings.count; i++)
        if (bvh->findings.found[i].kind == kind)
            bvh->findings.found[i].repaired = 1;
}

/* ---- Names ---- */

static int name_is_taken(const Bvh *bvh, const char *name, int count)
{
    for (int j = 0; j < count; j++)
        if (!strcmp(bvh->name[j], name))
            return 1;
    return 0;
}

/* Appends a number to the name. *number only increases, so the cost is at most quadratic in joints of one name. */
static Status rename_joint(Bvh *bvh, int joint, int *number, Error *err)
{
    for (;;) {
        char *name;
        if (asprintf(&name, "%s_%d", bvh->name[joint], (*number)++) < 0)
            return error_no_memory(err);
        if (!name_is_taken(bvh, name, bvh->joint_count)) {
            free(bvh->name[joint]);
            bvh->name[joint] = name;
            return STATUS_OK;
        }
        free(name);
    }
}

static Status repair_names(Bvh *bvh, Error *err)
{
    Status status = STATUS_OK;
    int number = 2;
    if (!has_finding(bvh, BVH_ERROR_NAME))
        return STATUS_OK;
    for (int j = 1; j < bvh->joint_count && !status; j++)
        if (name_is_taken(bvh, bvh->name[j], j))
            status = rename_joint(bvh, j, &number, err);
    mark_repaired(bvh, BVH_ERROR_NAME);
    return status;
}

/* ---- Rows ---- */

typedef struct RowEdit {
    RowStep *step; /* [frame] */
    int *missing;  /* [frame] rows to insert before it */
    int surplus;   /* frames to remove */
    int inserted;
} RowEdit;

static void count_edit(const Bvh *bvh, RowEdit *edit)
{
    for (int f = 0; f < bvh->frame_count; f++) {
        edit->surplus += edit->step[f] == ROW_STEP_SURPLUS;
        edit->inserted += edit->missing[f];
    }
    if (edit->surplus * resampled <= bvh->frame_count)
        return;
    for (int f = 0; f < bvh->frame_count; f++)
        if (edit->step[f] == ROW_STEP_SURPLUS)
            edit->step[f] = ROW_STEP_PLAIN;
    edit->surplus = 0;
}

/* The rows after the repair. */
typedef struct NewRows {
    double *value;
    BvhLocation *location;
    int count;
} NewRows;

/* Adds a row at the file position of `frame`, with its values or, if unknown, NaN. */
static void put_row(NewRows *rows, const Bvh *bvh, int frame, int known)
{
    size_t channels = (size_t)bvh->channel_count, from = (size_t)frame * channels;
    size_t to = (size_t)rows->count++ * channels;
    memcpy(rows->location + to, bvh->location + from, channels * sizeof *rows->location);
    for (size_t c = 0; c < channels; c++)
        rows->value[to + c] = known ? bvh->value[from + c] : NAN;
}

/* Removes surplus rows and inserts NaN rows where rows were lost. */
static Status edit_rows(Bvh *bvh, const RowEdit *edit, Error *err)
{
    size_t channels = (size_t)bvh->channel_count, total = (size_t)(bvh->frame_count - edit->surplus + edit->inserted);
    NewRows rows = {.value = array_new(total, channels, sizeof *rows.value),
                    .location = array_new(total, channels, sizeof *rows.location)};
    if (!rows.value || !rows.location) {
        free(rows.value);
        free(rows.location);
        return error_no_memory(err);
    }
    for (int f = 0; f < bvh->frame_count; f++) {
        for (int i = 0; i < edit->missing[f]; i++)
            put_row(&rows, bvh, f, 0);
        if (edit->step[f] != ROW_STEP_SURPLUS)
            put_row(&rows, bvh, f, edit->step[f] != ROW_STEP_HELD);
    }
    free(bvh->value);
    free(bvh->location);
    bvh->value = rows.value;
    bvh->location = rows.location;
    bvh->frame_count = rows.count;
    return STATUS_OK;
}

static Status repair_steps(Bvh *bvh, const ChannelRows *rows, Error *err)
{
    RowEdit edit = {.step = array_new((size_t)bvh->frame_count, 1, sizeof *edit.step),
                    .missing = array_new((size_t)bvh->frame_count, 1, sizeof *edit.missing)};
    Status status = edit.step && edit.missing
                        ? row_steps_find(rows, bvh_longest_offset(bvh), bvh->frame_time, edit.step,
                                         edit.missing, err)
                        : error_no_memory(err);
    if (!status) {
        count_edit(bvh, &edit);
        status = edit_rows(bvh, &edit, err);
    }
    if (!status && edit.surplus)
        mark_repaired(bvh, FINDING_ROW_TWICE);
    mark_repaired(bvh, FINDING_ROW_FROZEN);
    mark_repaired(bvh, FINDING_ROW_MISSING);
    free(edit.step);
    free(edit.missing);
    return status;
}

static void drop_first_frame(Bvh *bvh)
{
    size_t channels = (size_t)bvh->channel_count;
    bvh->frame_count--;
    memmove(bvh->value, bvh->value + channels, (size_t)bvh->frame_count * channels * sizeof *bvh->value);
    memmove(bvh->location, bvh->location + channels, (size_t)bvh->frame_count * channels * sizeof *bvh->location);
    mark_repaired(bvh, FINDING_FIRST_FRAME);
}

typedef Status VisitArtifacts(Bvh *bvh, const Clip *clip, int dropped, Error *err);

/* Calls visit with the clip that import would make of the current rows, if there is a finding of a teleport, flip or
 * frozen interval. */
static Status visit_artifacts(Bvh *bvh, const ImportGuessDef *def, VisitArtifacts *visit, Error *err)
{
    Clip clip = {0};
    ImportGuess guess;
    if (!has_finding(bvh, FINDING_TELEPORT) && !has_finding(bvh, FINDING_FLIP) && !has_finding(bvh, FINDING_FROZEN))
        return STATUS_OK;
    Status status = whole_clip(bvh, def, &clip, &guess, err);
    if (!status)
        status = visit(bvh, &clip, guess.drop_first_frame, err);
    clip_free(&clip);
    return status;
}

static Status repair_rows(Bvh *bvh, const ImportGuessDef *def, Error *err)
{
    ChannelRows rows;
    EulerChannels *rotations;
    bvh_set_rest(bvh);
    Status status = bvh_channel_rows(bvh, &rows, &rotations, err);
    if (!status)
        status = repair_steps(bvh, &rows, err);
    if (!status) /* they become gaps, which are filled with the others */
        status = visit_artifacts(bvh, def, forget_artifacts, err);
    if (!status && has_finding(bvh, FINDING_FIRST_FRAME) && !def->keep_first_frame)
        drop_first_frame(bvh);
    rows.value = bvh->value;
    rows.frame_count = bvh->frame_count;
    if (!status)
        status = row_gaps_fill(&rows, err);
    int flips = has_finding(bvh, FINDING_EULER_FLIP);
    for (int j = 0; j < bvh->joint_count && !status && flips; j++)
        euler_flips_remove(&rows, j);
    free(rotations);
    return status ? status : visit_artifacts(bvh, def, mark_repaired_artifacts, err);
}

/* ---- Frame time, unit and axes ---- */

static void repair_frame_time(Bvh *bvh, double fps)
{
    if (fps > 0) {
        bvh->frame_time = 1 / fps;
        mark_repaired(bvh, FINDING_FRAME_TIME);
    }
}

static void scale_lengths(Bvh *bvh, double factor)
{
    for (int j = 0; j < bvh->joint_count; j++)
        bvh->offset[j] = vec3_scale(bvh->offset[j], factor);
    for (int e = 0; e < bvh->end_count; e++)
        bvh->end_offset[e] = vec3_scale(bvh->end_offset[e], factor);
    for (int c = 0; c < bvh->channel_count; c++)
        for (size_t f = 0; !bvh_is_rotation(bvh->channel[c]) && f < (size_t)bvh->frame_count; f++)
            bvh->value[f * (size_t)bvh->channel_count + (size_t)c] *= factor;
    mark_repaired(bvh, FINDING_UNIT);
}

/* Rotates the file to +Y up. The rotation T of up_axis_rotate maps axes to axes: a position along u becomes one along T
 * u, and a rotation about u by an angle becomes one about T u by the same angle, T R(u, a) T' = R(T u, a). If T u is a
 * negative axis, the sign changes; adding zero avoids -0. */
static void rotate_to_y(Bvh *bvh, UpAxis up)
{
    static const Vec3 unit[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, zero = {0, 0, 0};
    for (int j = 0; j < bvh->joint_count; j++)
        bvh->offset[j] = vec3_add(up_axis_rotate(up, bvh->offset[j]), zero);
    for (int j = 0; bvh->orientation && j < bvh->joint_count; j++)
        bvh->orientation[j] = vec3_add(up_axis_rotate(up, bvh->orientation[j]), zero);
    for (int e = 0; e < bvh->end_count; e++)
        bvh->end_offset[e] = vec3_add(up_axis_rotate(up, bvh->end_offset[e]), zero);
    for (int c = 0; c < bvh->channel_count; c++) {
        Vec3 turned = up_axis_rotate(up, unit[bvh->channel[c] % 3]);
        int axis = turned.x != 0 ? 0 : turned.y != 0 ? 1 : 2;
        double sign = turned.x + turned.y + turned.z;
        bvh->channel[c] = (BvhChannel)(bvh->channel[c] - bvh->channel[c] % 3 + axis);
        for (size_t f = 0; f < (size_t)bvh->frame_count; f++) {
            double *value = &bvh->value[f * (size_t)bvh->channel_count + (size_t)c];
            *value = *value * sign + 0.0;
        }
    }
    mark_repaired(bvh, FINDING_UP);
}

/* Checks that values converted to centimetres are within the limits of the reader. */
static Status check_sizes(const Bvh *bvh, Error *err)
{
    size_t count = (size_t)bvh->frame_count * (size_t)bvh->channel_count;
    for (int j = 0; j < bvh->joint_count; j++)
        if (!(vec3_norm(bvh->offset[j]) <= BVH_LARGEST))
            return error_set_at(err, STATUS_BAD_INPUT, bvh->line[j], 1, "an OFFSET is too large in centimetres");
    for (int e = 0; e < bvh->end_count; e++)
        if (!(vec3_norm(bvh->end_offset[e]) <= BVH_LARGEST))
            return error_set_at(err, STATUS_BAD_INPUT, bvh->line[bvh->end_parent[e]], 1,
                                "the OFFSET of an End Site is too large in centimetres");
    for (size_t i = 0; i < count; i++)
        if (!(fabs(bvh->value[i]) <= BVH_LARGEST))
            return error_set_at(err, STATUS_BAD_INPUT, bvh->location[i].line, bvh->location[i].column,
                                "a value is too large to be repaired");
    return STATUS_OK;
}

Status bvh_repair(Bvh *bvh, const ImportGuessDef *def, Error *err)
{
    static const int repaired_by_writing[] = {
        BVH_ERROR_ENCODING, BVH_ERROR_OFFSET, BVH_ERROR_NO_BLANK, BVH_ERROR_FRAME_COUNT, BVH_ERROR_LAST_ROW,
        BVH_ERROR_ROOTS,    BVH_ERROR_JOINTS,
    };
    static const int repaired_in_rows[] = {BVH_ERROR_NUMBER, BVH_ERROR_ROW, FINDING_EULER_FLIP};
    Status status;
    if ((status = repair_names(bvh, err)) || (status = repair_rows(bvh, def, err)))
        return status;
    repair_frame_time(bvh, def->fps);
    if (!(bvh->frame_time > 0))
        return error_set(err, STATUS_USAGE, "unknown frame time; set --fps N");
    if (def->meters_per_unit > 0)
        scale_lengths(bvh, def->meters_per_unit / metres_per_written_unit);
    if (def->up != UP_AUTO)
        rotate_to_y(bvh, def->up);
    for (size_t i = 0; i < sizeof repaired_by_writing / sizeof *repaired_by_writing; i++)
        mark_repaired(bvh, repaired_by_writing[i]);
    for (size_t i = 0; i < sizeof repaired_in_rows / sizeof *repaired_in_rows; i++)
        mark_repaired(bvh, repaired_in_rows[i]);
    return check_sizes(bvh, err);
}
