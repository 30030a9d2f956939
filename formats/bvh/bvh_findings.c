/* See bvh_findings.h. */
#include "formats/bvh/bvh_findings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/base/arena.h"
#include "analysis/quality/artifacts.h"
#include "analysis/repair/channel_rows.h"
#include "formats/bvh/bvh_clip.h"

/* ---- What the kinds mean, and what a repair does ---- */

const FindingInfo bvh_own_findings[BVH_FAULT_COUNT - FINDING_KIND_COUNT] = {
#define OWN(kind) [BVH_FAULT_##kind - FINDING_KIND_COUNT]
    OWN(ENCODING) = {"encoding", "other programs may show another name", 0, 0},
    OWN(NAME) = {"name", "a joint cannot be told from another by its name", 0, 0},
    OWN(OFFSET) = {"offset", "the joint's place in the rest pose is not given", 0, 0},
    OWN(ORIENTATION) = {"orientation", "other programs stop here, or leave the orientation at rest out", 0, 0},
    OWN(CHANNEL) = {"channel", "two turns about one axis; programs differ in what they make of it", 0, 0},
    OWN(NO_BLANK) = {"no-blank", "other programs may read one number or stop", 0, 0},
    OWN(FRAME_COUNT) = {"frame-count", "programs that trust the header lose rows or stop", 0, 0},
    OWN(NUMBER) = {"number", "kane import refuses the file here", 0, 1},
    OWN(ROW) = {"row", "which values are missing or too many is not known; kane import refuses the file", 0, 1},
    OWN(LAST_ROW) = {"last-row", "the file was cut off; kane import refuses it", 0, 1},
#undef OWN
};

static const char *const repairs[BVH_FAULT_COUNT] = {
    [BVH_FAULT_ENCODING] = "writes the name as UTF-8",
    [BVH_FAULT_NAME] = "appends a number to the name",
    [BVH_FAULT_OFFSET] = "writes OFFSET 0 0 0",
    [BVH_FAULT_NO_BLANK] = "writes a blank between them",
    [BVH_FAULT_FRAME_COUNT] = "writes the number of rows",
    [BVH_FAULT_NUMBER] = "interpolates: rotations from pose to pose, positions on a line",
    [BVH_FAULT_ROW] = "interpolates the whole row",
    [BVH_FAULT_LAST_ROW] = "leaves the row out",
    [FINDING_FRAME_TIME] = "writes 1 / N of --fps N",
    [FINDING_ROW_TWICE] = "leaves the row out, unless more than 5 % are such: then the take was resampled",
    [FINDING_ROW_HELD] = "interpolates the row",
    [FINDING_ROW_MISSING] = "inserts interpolated rows",
    [FINDING_FIRST_FRAME] = "leaves it out, unless --keep-first-frame",
    [FINDING_EULER_FLIP] = "writes the angles nearest to the frame before; the pose stays",
    [FINDING_UNIT] = "with --unit: writes centimetres",
    [FINDING_UP] = "with --up: turns the motion to +Y up",
    [FINDING_TELEPORT] = "interpolates where it comes back",
    [FINDING_FLIP] = "interpolates where it comes back",
    [FINDING_HELD] = "interpolates",
};

const char *bvh_repair_words(int kind)
{
    return repairs[kind];
}

/* ---- Places ---- */

static int is_of_part(const Bvh *bvh, int joint, TakePart part, int column)
{
    int first = joint >= 0 ? bvh->first_channel[joint] : 0;
    int end = joint >= 0 ? first + bvh->joint_channels[joint] : bvh->channel_count;
    if (column < first || column >= end)
        return 0;
    return part == TAKE_WHOLE || bvh_is_rotation(bvh->channel[column]) == (part == TAKE_ROTATION);
}

static FilePlace where(const Take *take, int frame, int joint, TakePart part)
{
    const Bvh *bvh = take->file;
    BvhPlace at = bvh->frame_time_place;
    int column = 0;
    if (frame < 0)
        return part == TAKE_RATE ? (FilePlace){.line = at.line, .column = at.column}
                                 : (FilePlace){.line = bvh->line[joint > 0 ? joint : 0], .column = 1};
    while (column + 1 < bvh->channel_count && !is_of_part(bvh, joint, part, column))
        column++;
    at = bvh_place(bvh, frame, column);
    return (FilePlace){.line = at.line, .column = at.column};
}

/* ---- A take to inspect ---- */

/* The take with missing numbers filled in a copy. */
static Status whole_take(const Bvh *bvh, Take *out, Error *err)
{
    size_t count = (size_t)bvh->frame_count * (size_t)bvh->channel_count;
    Bvh whole = *bvh;
    ChannelRows rows;
    EulerTurns *turns = NULL;
    *out = (Take){0};
    whole.value = array_new(count, 1, sizeof *whole.value);
    if (!whole.value)
        return error_no_memory(err);
    memcpy(whole.value, bvh->value, count * sizeof *whole.value);
    Status status = bvh_channel_rows(&whole, &rows, &turns, err);
    if (!status)
        status = row_gaps_fill(&rows, err);
    if (!status)
        status = take_from_bvh(&whole, out, err);
    free(turns);
    free(whole.value);
    return status;
}

Status take_of_tolerant_bvh(Bvh *bvh, Take *out, Error *err)
{
    Status status = whole_take(bvh, out, err);
    if (!status)
        status = bvh_channel_rows(bvh, &out->rows, &out->turns, err);
    out->where = where;
    out->file = bvh;
    return status;
}

static const double usual_frame_time = 1.0 / 30; /* s, where the file gives none */

Status bvh_whole_clip(const Bvh *bvh, const ImportGuessDef *def, Clip *out, ImportGuess *decision, Error *err)
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

static TakePart part_of(const Artifact *fault)
{
    return fault->kind == TRUST_FLIP ? TAKE_ROTATION : fault->kind == TRUST_TELEPORT ? TAKE_POSITION : TAKE_WHOLE;
}

/* What lies between sound frames. */
static int can_be_filled(const Artifact *fault)
{
    return !fault->stays && fault->kind & (TRUST_TELEPORT | TRUST_FLIP | TRUST_HELD | TRUST_INTERPOLATED);
}

Status bvh_forget_motion_faults(Bvh *bvh, const Clip *clip, int dropped, Error *err)
{
    Artifacts faults = {0};
    Status status = artifacts_find(&clip->skeleton, &clip->motion, &faults, err);
    for (int i = 0; i < faults.count && !status; i++) {
        const Artifact *fault = &faults.fault[i];
        for (int f = fault->first + dropped; can_be_filled(fault) && f <= fault->last + dropped; f++)
            for (int c = 0; c < bvh->channel_count; c++)
                if (is_of_part(bvh, fault->joint, part_of(fault), c))
                    bvh->value[(size_t)f * (size_t)bvh->channel_count + (size_t)c] = NAN;
    }
    faults_free(&faults);
    return status;
}

static int by_place(const void *a, const void *b)
{
    const BvhPlace *x = a, *y = b;
    return x->line != y->line ? (x->line > y->line) - (x->line < y->line)
                              : (x->column > y->column) - (x->column < y->column);
}

/* The channel whose value a finding names; -1: none that the rows still have. */
static int channel_of(const Bvh *bvh, FilePlace place)
{
    size_t count = (size_t)bvh->frame_count * (size_t)bvh->channel_count;
    const BvhPlace at = {place.line, place.column}, *found = bsearch(&at, bvh->place, count, sizeof at, by_place);
    return found ? (int)((size_t)(found - bvh->place) % (size_t)bvh->channel_count) : -1;
}

/* The finding that a fault of the mended rows is left of: of its kind and channel, at its place or the last before. */
static Finding *finding_of(Bvh *bvh, int kind, FilePlace at)
{
    Finding *found = NULL;
    int channel = channel_of(bvh, at);
    for (int i = 0; i < bvh->findings.count; i++) {
        Finding *f = &bvh->findings.found[i];
        if (f->kind == kind && (!found || f->at.line <= at.line) && channel_of(bvh, f->at) == channel)
            found = f;
    }
    return found;
}

Status bvh_tell_mended_faults(Bvh *bvh, const Clip *clip, int dropped, Error *err)
{
    Artifacts faults = {0};
    const Take take = {.file = bvh};
    Status status = artifacts_find(&clip->skeleton, &clip->motion, &faults, err);
    for (int i = 0; i < bvh->findings.count && !status; i++) {
        Finding *f = &bvh->findings.found[i];
        f->mended |= f->kind == FINDING_TELEPORT || f->kind == FINDING_FLIP || f->kind == FINDING_HELD;
    }
    for (int i = 0; i < faults.count && !status; i++) {
        const Artifact *fault = &faults.fault[i];
        FilePlace at = where(&take, fault->first + dropped, fault->joint, part_of(fault));
        Finding *finding = finding_of(bvh, finding_of_artifact(fault->kind), at);
        if (finding)
            finding->mended = 0;
    }
    faults_free(&faults);
    return status;
}
