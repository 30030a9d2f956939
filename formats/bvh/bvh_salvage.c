/* See bvh_salvage.h. */
#include "formats/bvh/bvh_salvage.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/base/arena.h"
#include "formats/base/bytes.h"
#include "formats/bvh/bvh_gaps.h"

typedef struct Salvage {
    BvhLexer *lexer;
    Bvh *bvh;
    BvhGapTexts *texts;
    double *value;         /* [value_count] in file order */
    BvhLocation *location; /* [value_count] */
    unsigned char *gap;  /* [value_count] */
    size_t value_count;
    int *line_values; /* [line_count] number of values per non-empty line */
    int line_count;
    int glued;             /* numbers that follow another without a blank */
    BvhLocation first_glued;
} Salvage;

/* ---- Values and lines ---- */

static void note_gap(Salvage *s, BvhGap gap, BvhLocation at, const char *text)
{
    char *first = s->texts->text[gap];
    if (s->texts->first_line == 0)
        s->texts->first_line = at.line;
    if (!*first)
        snprintf(first, sizeof s->texts->text[gap], "%.99s", text);
}

/* Reads a value; NaN for a word that is no number, or one beyond any motion. */
static void read_value(Salvage *s, double *value)
{
    BvhLexer *l = s->lexer, before = *l;
    Error bad = {0};
    BvhGap gap = BVH_GAP_NONE;
    int glued;
    if (bvh_lexer_number(l, value, &glued, &bad)) {
        while (l->at < l->end && !bvh_is_blank(*l->at) && !bvh_is_line_end(*l->at))
            l->at++;
        gap = bvh_gap_of_word(before.at, (size_t)(l->at - before.at));
    } else {
        if (glued && s->glued++ == 0)
            s->first_glued = bvh_lexer_here(l);
        if (fabs(*value) > BVH_LARGEST) {
            snprintf(bad.text, sizeof bad.text, "a value of %g is beyond any motion", *value);
            gap = BVH_GAP_LARGE;
        }
    }
    if (gap) {
        note_gap(s, gap, bvh_lexer_here(&before), bad.text);
        *value = NAN;
    }
    s->gap[s->value_count] = (unsigned char)gap;
    s->location[s->value_count] = bvh_lexer_here(&before);
}

static Status read_salvaged_line(Salvage *s, Error *err)
{
    BvhLexer *l = s->lexer;
    size_t before = s->value_count;
    for (;;) {
        bvh_lexer_skip_blanks(l);
        if (l->at == l->end || bvh_is_line_end(*l->at))
            break;
        read_value(s, &s->value[s->value_count]);
        s->value_count++;
    }
    if (s->value_count == before)
        return STATUS_OK;
    if (!array_grow(&s->line_values, s->line_count, sizeof *s->line_values))
        return error_no_memory(err);
    s->line_values[s->line_count++] = (int)(s->value_count - before);
    return STATUS_OK;
}

static Status read_lines(Salvage *s, size_t limit, Error *err)
{
    /* A value takes at least two bytes: a digit and a blank or sign. */
    size_t max = ((size_t)(s->lexer->end - s->lexer->at) + 1) / 2 + 1;
    s->value = array_new(max, 1, sizeof *s->value);
    s->location = array_new(max, 1, sizeof *s->location);
    s->gap = array_new(max, 1, 1);
    if (!s->value || !s->location || !s->gap)
        return error_no_memory(err);
    do {
        Status status = read_salvaged_line(s, err);
        if (status)
            return status;
        if (s->value_count > limit)
            return error_set_at(err, STATUS_LIMIT, s->lexer->line, 1, "more than %zu frames (--max-frames)",
                                limit / (size_t)s->bvh->channel_count);
    } while (bvh_lexer_next_line(s->lexer));
    return STATUS_OK;
}

/* ---- Rows ---- */

/* Adds the row of values from index `first`. make_rows has reserved room. */
static void add_row(Salvage *s, size_t first)
{
    size_t channels = (size_t)s->bvh->channel_count, at = (size_t)s->bvh->frame_count++ * channels;
    memcpy(s->bvh->value + at, s->value + first, channels * sizeof *s->value);
    memcpy(s->bvh->location + at, s->location + first, channels * sizeof *s->location);
    memcpy(s->bvh->gap + at, s->gap + first, channels);
}

/* Adds a row of NaN, at the position of value `first`. */
static void add_unknown_row(Salvage *s, size_t first)
{
    size_t channels = (size_t)s->bvh->channel_count, at = (size_t)s->bvh->frame_count++ * channels;
    for (size_t c = 0; c < channels; c++) {
        s->bvh->value[at + c] = NAN;
        s->bvh->location[at + c] = s->location[first];
    }
}

/* Rows with a wrong number of values: the first, and how many others there are. */
typedef struct WrongRows {
    BvhLocation first;
    int values, count;
} WrongRows;

static Status warn_rows(Salvage *s, const WrongRows *wrong, Error *err)
{
    char more[48] = "";
    if (wrong->count == 0)
        return STATUS_OK;
    if (wrong->count > 1)
        snprintf(more, sizeof more, "; %d more such rows", wrong->count - 1);
    return bvh_warn(s->bvh, BVH_ERROR_ROW, wrong->first, err, "row of %d values, the hierarchy has %d channels%s",
                    wrong->values, s->bvh->channel_count, more);
}

static Status warn_last_row(Salvage *s, BvhLocation at, int values, Error *err)
{
    return bvh_warn(s->bvh, BVH_ERROR_LAST_ROW, at, err,
                    "the last row is cut: %d values, the hierarchy has %d channels", values, s->bvh->channel_count);
}

/* Splits lines into rows: a line is one or more rows; two lines that add up to one row are a split row. */
static Status rows_from_lines(Salvage *s, Error *err)
{
    int channels = s->bvh->channel_count;
    WrongRows wrong = {0};
    size_t at = 0;
    Status status = STATUS_OK;
    for (int i = 0; i < s->line_count && !status; i++) {
        int values = s->line_values[i], next = i + 1 < s->line_count ? s->line_values[i + 1] : 0;
        if (values < channels && values + next == channels)
            values += s->line_values[++i];
        int whole = values / channels, rest = values % channels;
        for (int row = 0; row < whole && rest == 0; row++)
            add_row(s, at + (size_t)row * (size_t)channels);
        if (rest && whole == 0 && i + 1 == s->line_count) {
            status = warn_last_row(s, s->location[at], rest, err);
        } else if (rest) {
            add_unknown_row(s, at);
            if (wrong.count++ == 0) {
                wrong.first = s->location[at];
                wrong.values = values;
            }
        }
        at += (size_t)values;
    }
    return status ? status : warn_rows(s, &wrong, err);
}

static Status rows_from_stream(Salvage *s, Error *err)
{
    size_t channels = (size_t)s->bvh->channel_count, rows = s->value_count / channels;
    for (size_t row = 0; row < rows; row++)
        add_row(s, row * channels);
    int rest = (int)(s->value_count % channels);
    return rest ? warn_last_row(s, s->location[rows * channels], rest, err) : STATUS_OK;
}

static int lines_are_mainly_rows(const Salvage *s)
{
    int rows = 0;
    for (int i = 0; i < s->line_count; i++)
        rows += s->line_values[i] == s->bvh->channel_count;
    return 2 * rows >= s->line_count;
}

static Status make_rows(Salvage *s, Error *err)
{
    Bvh *bvh = s->bvh;
    size_t channels = (size_t)bvh->channel_count, rows = s->value_count / channels + (size_t)s->line_count;
    int by_line = lines_are_mainly_rows(s);
    bvh->value = array_new(rows, channels, sizeof *bvh->value);
    bvh->location = array_new(rows, channels, sizeof *bvh->location);
    bvh->gap = array_new(rows, channels, 1);
    if (!bvh->value || !bvh->location || !bvh->gap)
        return error_no_memory(err);
    return by_line ? rows_from_lines(s, err) : rows_from_stream(s, err);
}

static Status warn_glued(Salvage *s, Error *err)
{
    char count[32] = "";
    if (s->glued == 0)
        return STATUS_OK;
    if (s->glued > 1)
        snprintf(count, sizeof count, ", %d times", s->glued);
    return bvh_warn(s->bvh, BVH_ERROR_NO_BLANK, s->first_glued, err,
                    "missing blank between two numbers%s; read as two", count);
}

Status bvh_salvage_rows(BvhLexer *l, const SourceDef *def, Bvh *out, BvhGapTexts *texts, Error *err)
{
    Salvage s = {.lexer = l, .bvh = out, .texts = texts};
    Status status = read_lines(&s, (size_t)def->max_frames * (size_t)out->channel_count, err);
    if (!status)
        status = make_rows(&s, err);
    if (!status && out->frame_count == 0)
        status = bvh_lexer_error(l, err, "no motion rows");
    if (!status)
        status = warn_glued(&s, err);
    free(s.value);
    free(s.location);
    free(s.gap);
    free(s.line_values);
    return status;
}
