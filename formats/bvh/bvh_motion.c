/* Rows are read as a stream of numbers: a row may span lines, and a line may contain several rows. Line ends serve only
 * to detect wrong counts: each row must begin on a new line, unless the numbers fill exactly the frames that the header
 * declares. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/base/arena.h"
#include "formats/base/bytes.h"
#include "formats/base/number_run.h"
#include "formats/bvh/bvh.h"
#include "formats/bvh/bvh_lexer.h"
#include "formats/bvh/bvh_salvage.h"

#define GLUED_SHOWN 20 /* warnings of this kind before the rest are only counted */

#define MIN_POSES (1 << 20) /* joints times frames that are always accepted */
#define STILL_JOINTS 4        /* above that, largest ratio of joints to channels */

/* s. Outside the first two a frame time is an error, outside the others a warning. */
#define SHORTEST_FRAME 1e-6
#define LONGEST_FRAME 1e4
#define FAST_FRAME 1e-4
#define SLOW_FRAME 1.0

typedef struct MotionRows {
    BvhLexer *lexer;
    Bvh *bvh;
    size_t count;    /* values read */
    size_t capacity; /* room in bvh->value */
    size_t bound;    /* largest number of values in the remaining bytes: two bytes each */
    size_t limit;    /* values in the largest allowed number of frames */
    double announced; /* frames declared in the header */
    BvhLocation announced_at;
    int lines;       /* non-empty lines */
    size_t open;     /* values of an unfinished row at the end of the last line */
    int open_line;   /* line where that row began */
    int wrong_line;  /* line of the first row that does not fit; 0: none */
    size_t wrong_values;
    int glued;
    int tolerant;
} MotionRows;

static Status read_frame_count(MotionRows *r, Error *err)
{
    BvhLexer *l = r->lexer;
    bvh_lexer_character(l, ':');
    bvh_lexer_skip(l);
    BvhLexer before = *l;
    int glued;
    Status status = bvh_lexer_number(l, &r->announced, &glued, err);
    if (status)
        return status;
    if (!(r->announced >= 0 && r->announced == floor(r->announced)))
        return bvh_lexer_expected(&before, "a number of frames", err);
    r->announced_at = bvh_lexer_here(&before);
    return STATUS_OK;
}

/* A file without a frame rate: import guesses it and warns; a tolerant reader, that of `kane check`, reports it. */
static Status warn_unstated(MotionRows *r, const char *text, Error *err)
{
    return r->tolerant ? bvh_warn(r->bvh, FINDING_FRAME_TIME, r->bvh->frame_time_location, err, "%s", text)
                       : STATUS_OK;
}

static Status read_frame_time(MotionRows *r, Error *err)
{
    BvhLexer *l = r->lexer;
    bvh_lexer_character(l, ':');
    bvh_lexer_skip(l);
    BvhLexer before = *l;
    int glued;
    double *time = &r->bvh->frame_time;
    Status status = bvh_lexer_number(l, time, &glued, err);
    if (status)
        return status;
    BvhLocation at = r->bvh->frame_time_location = bvh_lexer_here(&before);
    if (*time == 0)
        return warn_unstated(r, "Frame Time 0 states no rate", err);
    if (!(*time > 0))
        return bvh_lexer_expected(&before, "a positive Frame Time in seconds", err);
    if (*time < SHORTEST_FRAME || *time > LONGEST_FRAME)
        return error_set_at(err, STATUS_BAD_INPUT, at.line, at.column, "Frame Time %g s is out of range",
                            *time);
    if (*time > SLOW_FRAME || *time < FAST_FRAME)
        status = bvh_warn(r->bvh, FINDING_FRAME_TIME, at, err,
                          "Frame Time %g s is implausible%s; set --fps", *time,
                          *time > SLOW_FRAME ? ", it may be meant as frames per second" : "");
    return status;
}

/* Reads one header entry. A tolerant reader warns of an unusable entry and resumes at the next line. */
static Status read_entry(MotionRows *r, int error, Error *err)
{
    BvhLexer *l = r->lexer;
    Error bad = {0};
    Status status = error == BVH_ERROR_FRAME_COUNT ? read_frame_count(r, &bad) : read_frame_time(r, &bad);
    if (!status)
        return STATUS_OK;
    if (!r->tolerant)
        return error_set_at(err, status, bad.line, bad.column, "%s", bad.text);
    if (error == FINDING_FRAME_TIME)
        r->bvh->frame_time = NAN;
    while (l->at < l->end && !bvh_is_line_end(*l->at))
        l->at++;
    return bvh_warn(r->bvh, error, (BvhLocation){bad.line, bad.column}, err, "%s", bad.text);
}

/* Whether the next character begins a number. */
static int is_at_number(BvhLexer *l)
{
    bvh_lexer_skip(l);
    return l->at < l->end && strchr("0123456789+-.", *l->at) != NULL;
}

/* Reads "Frames:" and "Frame Time:", in either order. Without a frame time that is 0. */
static Status read_header(MotionRows *r, Error *err)
{
    BvhLexer *l = r->lexer;
    int has_count = 0, has_time = 0;
    while (!has_count || !has_time) {
        Status status;
        if (!has_count && bvh_lexer_keyword(l, "frames")) {
            has_count = 1;
            status = read_entry(r, BVH_ERROR_FRAME_COUNT, err);
        } else if (!has_time && bvh_lexer_keyword(l, "frame") && bvh_lexer_keyword(l, "time")) {
            has_time = 1;
            status = read_entry(r, FINDING_FRAME_TIME, err);
        } else if (has_count && is_at_number(l)) {
            has_time = 1;
            r->bvh->frame_time_location = bvh_lexer_here(l);
            status = warn_unstated(r, "no Frame Time", err);
        } else {
            status = bvh_lexer_expected(l, has_count ? "Frame Time:" : "Frames:", err);
        }
        if (status)
            return status;
    }
    return STATUS_OK;
}

static Status resize(MotionRows *r, size_t capacity, Error *err)
{
    double *value = realloc(r->bvh->value, capacity * sizeof *value);
    if (!value)
        return error_no_memory(err);
    memory_prefer_huge_pages(value, capacity * sizeof *value);
    r->bvh->value = value;
    r->capacity = capacity;
    return STATUS_OK;
}

/* Reserves memory for the declared frames, but no more than the remaining bytes can contain. */
static Status reserve(MotionRows *r, Error *err)
{
    double announced = r->announced * r->bvh->channel_count;
    r->bound = ((size_t)(r->lexer->end - r->lexer->at) + 1) / 2 + 1;
    return resize(r, announced < (double)r->bound ? (size_t)announced + 1 : r->bound, err);
}

static Status grow(MotionRows *r, Error *err)
{
    return resize(r, r->capacity < r->bound / 2 ? 2 * r->capacity : r->bound, err);
}

static Status warn_glued(MotionRows *r, const char *location, Error *err)
{
    if (r->glued++ >= GLUED_SHOWN)
        return STATUS_OK;
    return bvh_warn(r->bvh, BVH_ERROR_NO_BLANK, bvh_lexer_location(r->lexer, location), err,
                    "missing blank between two numbers; read as two");
}

/* Reads any number (the slow path). */
static Status read_number(MotionRows *r, Error *err)
{
    BvhLexer *l = r->lexer;
    int glued;
    Status status = bvh_lexer_number(l, &r->bvh->value[r->count], &glued, err);
    if (!status && glued)
        status = warn_glued(r, l->at, err);
    r->count += !status;
    return status;
}

/* Reads the values up to the end of the line. number_run_scan may read a few bytes before its start; the HIERARCHY
 * precedes them. */
static Status read_line(MotionRows *r, Error *err)
{
    BvhLexer *l = r->lexer;
    for (;;) {
        double *value = r->bvh->value + r->count;
        l->at = number_run_scan(l->at, l->end, &value, r->bvh->value + r->capacity);
        r->count = (size_t)(value - r->bvh->value);
        bvh_lexer_skip_blanks(l);
        if (l->at == l->end || bvh_is_line_end(*l->at))
            return STATUS_OK;
        Status status = r->count == r->capacity ? grow(r, err) : STATUS_OK;
        if (!status)
            status = read_number(r, err);
        if (status)
            return status;
    }
}

/* Checks the range of values [begin, r->count), the line just read, while they are in the cache. */
static Status check_line(const MotionRows *r, size_t begin, Error *err)
{
    const double *value = r->bvh->value;
    double largest = 0;
    for (size_t i = begin; i < r->count; i++)
        largest = fabs(value[i]) > largest ? fabs(value[i]) : largest;
    if (largest <= BVH_LARGEST)
        return STATUS_OK;
    size_t i = begin;
    while (fabs(value[i]) <= BVH_LARGEST)
        i++;
    return error_set_at(err, STATUS_BAD_INPUT, r->lexer->line, 1, "value %zu of the line, %g, is beyond any motion",
                        i - begin + 1, value[i]);
}

/* Records whether a line of n values completes the unfinished row, begins one, or does not fit. */
static void account_line(MotionRows *r, size_t n)
{
    size_t channels = (size_t)r->bvh->channel_count, total = r->open + n;
    r->lines++;
    if (r->open == 0)
        r->open_line = r->lexer->line;
    int fits = total <= channels || (r->open == 0 && n % channels == 0);
    if (!fits && r->wrong_line == 0) {
        r->wrong_line = r->open_line;
        r->wrong_values = r->open ? r->open : n;
    }
    r->open = total % channels;
    if (!fits)
        r->open_line = r->lexer->line;
}

static Status read_rows(MotionRows *r, Error *err)
{
    BvhLexer *l = r->lexer;
    do {
        size_t before = r->count;
        Status status;
        if ((status = read_line(r, err)) || (status = check_line(r, before, err)))
            return status;
        if (r->count > r->limit)
            return error_set_at(err, STATUS_LIMIT, l->line, 1, "more than %zu frames (--max-frames)",
                                r->limit / (size_t)r->bvh->channel_count);
        if (r->count > before)
            account_line(r, r->count - before);
    } while (bvh_lexer_next_line(l));
    return STATUS_OK;
}

/* If rows are longer than the hierarchy declares and a joint has no channels, reports that joint: probably its CHANNELS
 * line is missing. */
static Status check_channels(const MotionRows *r, Error *err)
{
    const Bvh *bvh = r->bvh;
    int still = 0;
    while (still < bvh->joint_count && bvh->joint_channels[still] > 0)
        still++;
    if (still == bvh->joint_count || r->wrong_values <= (size_t)bvh->channel_count)
        return STATUS_OK;
    return error_set_at(err, STATUS_BAD_INPUT, bvh->line[still], 1,
                        "joint \"%.60s\" has no CHANNELS; rows have %zu values, the hierarchy %d channels (first in "
                        "line %d)", bvh->name[still], r->wrong_values, bvh->channel_count, r->wrong_line);
}

/* Reports a wrong number of values: in a line, in the last row, or in total, if there are as many lines as declared
 * frames but fewer rows. */
static Status check_rows(const MotionRows *r, Error *err)
{
    const BvhLexer *l = r->lexer;
    size_t channels = (size_t)r->bvh->channel_count, frames = r->count / channels;
    if (r->count == 0)
        return bvh_lexer_error(l, err,
                            "no motion rows; header declares %.0f", r->announced);
    int lines_are_frames = r->lines == r->announced;
    int all_needed = r->open == 0 && (double)frames == r->announced && !lines_are_frames;
    Status status = r->wrong_line && !all_needed ? check_channels(r, err) : STATUS_OK;
    if (status)
        return status;
    if (r->wrong_line && !all_needed)
        return error_set_at(err, STATUS_BAD_INPUT, r->wrong_line, 1,
                            "row of %zu values, the hierarchy has %zu channels", r->wrong_values, channels);
    if (r->open)
        return error_set_at(err, STATUS_BAD_INPUT, r->open_line, 1,
                            "the last row is cut: %zu values, the hierarchy has %zu channels", r->open, channels);
    if (lines_are_frames && frames < (size_t)r->lines)
        return error_set_at(err, STATUS_BAD_INPUT, r->announced_at.line, r->announced_at.column,
                            "%d rows with %zu values in all, the hierarchy has %zu channels", r->lines, r->count,
                            channels);
    return STATUS_OK;
}

static Status warn_count(const MotionRows *r, Error *err)
{
    Bvh *bvh = r->bvh;
    if (r->announced_at.line && r->announced != bvh->frame_count)
        return bvh_warn(bvh, BVH_ERROR_FRAME_COUNT, r->announced_at, err,
                        "header declares %.0f frames, file contains %d; using %d", r->announced,
                        bvh->frame_count, bvh->frame_count);
    return STATUS_OK;
}

static Status finish(MotionRows *r, Error *err)
{
    Bvh *bvh = r->bvh;
    bvh->frame_count = (int)(r->count / (size_t)bvh->channel_count);
    Status status = warn_count(r, err);
    if (!status && r->glued > GLUED_SHOWN)
        status = bvh_warn(bvh, BVH_ERROR_NO_BLANK, bvh_lexer_here(r->lexer), err,
                          "%d numbers in all follow another without a blank", r->glued);
    if (!status && r->capacity > r->count)
        status = resize(r, r->count, err);
    return status;
}

/* Rejects too many joints without channels: they cost a file nothing, but each stage an entry per frame. */
static Status check_still_joints(const Bvh *bvh, Error *err)
{
    size_t frames = (size_t)bvh->frame_count, poses = frames * (size_t)bvh->joint_count;
    if (poses > MIN_POSES && poses > STILL_JOINTS * frames * (size_t)bvh->channel_count)
        return error_set_at(err, STATUS_LIMIT, bvh->line[0], 1,
                            "%d joints over %d frames, but only %d channels: too many joints that never move",
                            bvh->joint_count, bvh->frame_count, bvh->channel_count);
    return STATUS_OK;
}

Status bvh_read_motion(BvhLexer *l, const SourceDef *def, Bvh *out, BvhGapTexts *texts, Error *err)
{
    MotionRows r = {.lexer = l,
                    .bvh = out,
                    .limit = (size_t)def->max_frames * (size_t)out->channel_count,
                    .tolerant = def->tolerant};
    if (out->channel_count == 0)
        return error_set_at(err, STATUS_BAD_INPUT, out->line[0], 1, "no joint has channels");
    Status status = read_header(&r, err);
    if (status)
        return status;
    if (r.tolerant) {
        if ((status = bvh_salvage_rows(l, def, out, texts, err)) || (status = warn_count(&r, err)))
            return status;
        return check_still_joints(out, err);
    }
    if ((status = reserve(&r, err)) ||
        (status = read_rows(&r, err)) ||
        (status = check_rows(&r, err)) ||
        (status = finish(&r, err)))
        return status;
    return check_still_joints(out, err);
}
