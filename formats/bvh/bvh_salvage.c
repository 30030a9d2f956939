#include "formats/bvh/bvh_salvage.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/base/memory.h"
#include "formats/bvh/bvh_warning.h"
#include "formats/base/grow.h"

/* A line with values. */
typedef struct Line {
    int number;
    int value_count;
} Line;

typedef struct Salvage {
    BvhLexer *lexer;
    Bvh *bvh;
    double *value; /* [value_count] as they come */
    size_t value_count;
    Line *line;    /* [line_count] */
    int line_count;
} Salvage;

/* ---- Values and lines ---- */

static Status read_value(Salvage *s, Error *err)
{
    BvhLexer *l = s->lexer, before = *l;
    Error bad = {0};
    double value;
    int glued;
    Status status = bvh_lexer_number(l, &value, &glued, &bad);
    if (status != STATUS_OK) {
        value = NAN;
        while (l->at < l->end && !bvh_is_blank(*l->at) && !bvh_is_line_end(*l->at))
            l->at++;
        status = bvh_warn(s->bvh, BVH_FAULT_NUMBER, bad.line, bad.column, err, "%s", bad.text);
    } else if (glued) {
        status = bvh_warn(s->bvh, BVH_FAULT_NO_BLANK, l->line, bvh_lexer_column(l, l->at), err,
                          "no blank between two numbers; read as two");
    }
    if (status == STATUS_OK && fabs(value) > BVH_LARGEST) {
        status = bvh_warn(s->bvh, BVH_FAULT_NUMBER, before.line, bvh_lexer_column(&before, before.at), err,
                          "a value of %g is beyond any motion", value);
        value = NAN;
    }
    if (status == STATUS_OK)
        s->value[s->value_count++] = value;
    return status;
}

static Status read_line(Salvage *s, Error *err)
{
    BvhLexer *l = s->lexer;
    size_t before = s->value_count;
    for (;;) {
        bvh_lexer_skip_blanks(l);
        if (l->at == l->end || bvh_is_line_end(*l->at))
            break;
        Status status = read_value(s, err);
        if (status != STATUS_OK)
            return status;
    }
    if (s->value_count == before)
        return STATUS_OK;
    if (!array_grow(&s->line, s->line_count, sizeof *s->line))
        return error_no_memory(err);
    s->line[s->line_count++] = (Line){l->line, (int)(s->value_count - before)};
    return STATUS_OK;
}

static Status read_lines(Salvage *s, size_t limit, Error *err)
{
    /* A value takes two bytes at least, itself and a blank or sign. */
    size_t most = ((size_t)(s->lexer->end - s->lexer->at) + 1) / 2 + 1;
    s->value = array_new(most, 1, sizeof *s->value);
    if (!s->value)
        return error_no_memory(err);
    do {
        Status status = read_line(s, err);
        if (status != STATUS_OK)
            return status;
        if (s->value_count > limit)
            return error_set_at(err, STATUS_LIMIT, s->lexer->line, 1, "more than %zu frames (--max-frames)",
                                limit / (size_t)s->bvh->channel_count);
    } while (bvh_lexer_next_line(s->lexer));
    return STATUS_OK;
}

/* ---- Rows ---- */

/* values NULL: a row of which nothing is known. There is room: see make_rows. */
static void add_row(Salvage *s, const double *values, int line)
{
    size_t channels = (size_t)s->bvh->channel_count;
    double *row = s->bvh->value + (size_t)s->bvh->frame_count * channels;
    if (values)
        memcpy(row, values, channels * sizeof *row);
    for (size_t c = 0; !values && c < channels; c++)
        row[c] = NAN;
    s->bvh->row_line[s->bvh->frame_count++] = line;
}

static Status warn_row(Salvage *s, int line, int values, Error *err)
{
    return bvh_warn(s->bvh, BVH_FAULT_ROW, line, 1, err, "row of %d values, the hierarchy has %d channels", values,
                    s->bvh->channel_count);
}

static Status warn_last_row(Salvage *s, int line, int values, Error *err)
{
    return bvh_warn(s->bvh, BVH_FAULT_LAST_ROW, line, 1, err,
                    "the last row is cut: %d values, the hierarchy has %d channels", values, s->bvh->channel_count);
}

/* A line is a row or several; two lines that make one row are one that was split. */
static Status rows_from_lines(Salvage *s, Error *err)
{
    int channels = s->bvh->channel_count;
    const double *at = s->value;
    Status status = STATUS_OK;
    for (int i = 0; i < s->line_count && status == STATUS_OK; i++) {
        Line line = s->line[i];
        int next = i + 1 < s->line_count ? s->line[i + 1].value_count : 0;
        if (line.value_count < channels && line.value_count + next == channels)
            line.value_count += s->line[++i].value_count;
        int whole = line.value_count / channels, rest = line.value_count % channels;
        for (int row = 0; row < whole && rest == 0; row++)
            add_row(s, at + (size_t)row * (size_t)channels, line.number);
        if (rest && whole == 0 && i + 1 == s->line_count) {
            status = warn_last_row(s, line.number, rest, err);
        } else if (rest) {
            add_row(s, NULL, line.number);
            status = warn_row(s, line.number, line.value_count, err);
        }
        at += line.value_count;
    }
    return status;
}

static Status rows_from_stream(Salvage *s, Error *err)
{
    size_t channels = (size_t)s->bvh->channel_count, rows = s->value_count / channels, read = 0;
    int line = 0;
    for (size_t row = 0; row < rows; row++) {
        while (read + (size_t)s->line[line].value_count <= row * channels)
            read += (size_t)s->line[line++].value_count;
        add_row(s, s->value + row * channels, s->line[line].number);
    }
    int rest = (int)(s->value_count % channels);
    return rest ? warn_last_row(s, s->line[s->line_count - 1].number, rest, err) : STATUS_OK;
}

static int most_lines_are_rows(const Salvage *s)
{
    int rows = 0;
    for (int i = 0; i < s->line_count; i++)
        rows += s->line[i].value_count == s->bvh->channel_count;
    return 2 * rows >= s->line_count;
}

static Status make_rows(Salvage *s, Error *err)
{
    Bvh *bvh = s->bvh;
    size_t channels = (size_t)bvh->channel_count, rows = s->value_count / channels + (size_t)s->line_count;
    int by_line = most_lines_are_rows(s);
    bvh->value = array_new(rows, channels, sizeof *bvh->value);
    bvh->row_line = array_new(rows, 1, sizeof *bvh->row_line);
    if (!bvh->value || !bvh->row_line)
        return error_no_memory(err);
    return by_line ? rows_from_lines(s, err) : rows_from_stream(s, err);
}

Status bvh_salvage_rows(BvhLexer *l, const BvhDef *def, Bvh *out, Error *err)
{
    Salvage s = {.lexer = l, .bvh = out};
    Status status = read_lines(&s, (size_t)def->max_frames * (size_t)out->channel_count, err);
    if (status == STATUS_OK)
        status = make_rows(&s, err);
    if (status == STATUS_OK && out->frame_count == 0)
        status = error_set_at(err, STATUS_BAD_INPUT, l->line, bvh_lexer_column(l, l->at), "no motion rows");
    free(s.value);
    free(s.line);
    return status;
}
