/* See bvh.h and bvh_lexer.h. */
#include "formats/bvh/bvh_lexer.h"

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/base/bytes.h"
#include "formats/base/number.h"
#include "formats/bvh/bvh.h"

#define SHOWN_BYTES 32 /* of a word quoted in an error */

void bvh_free(Bvh *bvh)
{
    if (!bvh)
        return;
    for (int j = 0; bvh->name && j < bvh->joint_count; j++)
        free(bvh->name[j]);
    free(bvh->name);
    free(bvh->parent);
    free(bvh->offset);
    free(bvh->orientation);
    free(bvh->first_channel);
    free(bvh->joint_channels);
    free(bvh->channel);
    free(bvh->line);
    free(bvh->end_offset);
    free(bvh->end_parent);
    free(bvh->value);
    free(bvh->location);
    free(bvh->gap);
    findings_free(&bvh->findings);
    *bvh = (Bvh){0};
}

int bvh_make_room_for_joint(Bvh *bvh)
{
    const struct {
        void *array;
        size_t size;
    } of_joint[] = {
        {&bvh->name, sizeof *bvh->name},
        {&bvh->parent, sizeof *bvh->parent},
        {&bvh->offset, sizeof *bvh->offset},
        {&bvh->orientation, sizeof *bvh->orientation},
        {&bvh->first_channel, sizeof *bvh->first_channel},
        {&bvh->joint_channels, sizeof *bvh->joint_channels},
        {&bvh->line, sizeof *bvh->line},
    };
    int grown = 1;
    for (size_t i = 0; i < sizeof of_joint / sizeof *of_joint && grown; i++)
        grown = array_grow(of_joint[i].array, bvh->joint_count, of_joint[i].size);
    return grown;
}

Status bvh_warn(Bvh *bvh, int kind, BvhLocation at, Error *err, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    FileLocation location = {.line = at.line, .column = at.column};
    Status status = findings_add_list(&bvh->findings, kind, location, err, format, args);
    va_end(args);
    return status;
}

int bvh_channels_pack(const BvhChannel *channel, int count)
{
    int packed = 0;
    for (int i = 0; i < count; i++)
        packed = 10 * packed + (int)channel[i] + 1;
    return packed;
}

int bvh_channels_unpack(int packed, BvhChannel channel[BVH_MAX_CHANNELS])
{
    int count = 0;
    if (packed < 0)
        return -1;
    for (int rest = packed; rest > 0; rest /= 10)
        count++;
    if (count > BVH_MAX_CHANNELS)
        return -1;
    for (int i = count - 1, rest = packed; i >= 0; i--, rest /= 10) {
        int digit = rest % 10;
        if (digit < 1 || digit > BVH_ZROTATION + 1)
            return -1;
        channel[i] = (BvhChannel)(digit - 1);
    }
    return count;
}

static int lists(const BvhChannel *channel, int count, BvhChannel wanted)
{
    for (int i = 0; i < count; i++)
        if (channel[i] == wanted)
            return 1;
    return 0;
}

int bvh_channels_complete(BvhChannel channel[BVH_MAX_CHANNELS], int count, BvhRequiredChannels required)
{
    static const BvhChannel position[] = {BVH_XPOSITION, BVH_YPOSITION, BVH_ZPOSITION};
    static const BvhChannel rotation[] = {BVH_ZROTATION, BVH_XROTATION, BVH_YROTATION};
    BvhChannel out[BVH_MAX_CHANNELS];
    int filled = 0;
    for (int i = 0; i < 3 && required.positions; i++)
        if (!lists(channel, count, position[i]))
            out[filled++] = position[i];
    for (int i = 0; i < count; i++)
        if (!lists(out, filled, channel[i]))
            out[filled++] = channel[i];
    for (int i = 0; i < 3 && required.rotations; i++)
        if (!lists(out, filled, rotation[i]))
            out[filled++] = rotation[i];
    memcpy(channel, out, (size_t)filled * sizeof *out);
    return filled;
}

BvhLexer bvh_lexer_new(const char *text, size_t size)
{
    size_t mark = size >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    return (BvhLexer){.at = text + mark, .end = text + size, .line_start = text + mark, .line = 1};
}

BvhLocation bvh_lexer_location(const BvhLexer *l, const char *location)
{
    ptrdiff_t column = location - l->line_start + 1;
    return (BvhLocation){l->line, column < INT_MAX ? (int)column : INT_MAX};
}

BvhLocation bvh_lexer_here(const BvhLexer *l)
{
    return bvh_lexer_location(l, l->at);
}

Status bvh_lexer_error(const BvhLexer *l, Error *err, const char *format, ...)
{
    char words[ERROR_TEXT_SIZE];
    BvhLocation here = bvh_lexer_here(l);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    return error_set_at(err, STATUS_BAD_INPUT, here.line, here.column, "%s", words);
}

void bvh_lexer_skip_blanks(BvhLexer *l)
{
    while (l->at < l->end && bvh_is_blank(*l->at))
        l->at++;
}

int bvh_lexer_next_line(BvhLexer *l)
{
    if (l->at == l->end || !bvh_is_line_end(*l->at))
        return 0;
    int crlf = l->at[0] == '\r' && l->at + 1 < l->end && l->at[1] == '\n';
    l->at += 1 + crlf;
    l->line_start = l->at;
    l->line += l->line < INT_MAX;
    return 1;
}

void bvh_lexer_skip(BvhLexer *l)
{
    do
        bvh_lexer_skip_blanks(l);
    while (bvh_lexer_next_line(l));
}

static int is_word_character(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
}

int bvh_lexer_keyword(BvhLexer *l, const char *keyword)
{
    bvh_lexer_skip(l);
    size_t length = strlen(keyword);
    if ((size_t)(l->end - l->at) < length)
        return 0;
    for (size_t i = 0; i < length; i++)
        if ((l->at[i] | 0x20) != keyword[i])
            return 0;
    if (l->at + length < l->end && is_word_character(l->at[length]))
        return 0;
    l->at += length;
    return 1;
}

int bvh_lexer_character(BvhLexer *l, char c)
{
    bvh_lexer_skip(l);
    if (l->at == l->end || *l->at != c)
        return 0;
    l->at++;
    return 1;
}

const char *bvh_lexer_name(BvhLexer *l, size_t *length)
{
    bvh_lexer_skip_blanks(l);
    const char *start = l->at;
    while (l->at < l->end && !bvh_is_line_end(*l->at) && *l->at != '{')
        l->at++;
    const char *stop = l->at;
    while (stop > start && bvh_is_blank(stop[-1]))
        stop--;
    *length = (size_t)(stop - start);
    return start;
}

/* Quotes the next word; bytes other than printable ASCII as \xNN. */
static void describe_word(const BvhLexer *l, char text[4 * SHOWN_BYTES + 64])
{
    char *out = text;
    const char *p = l->at;
    if (p == l->end) {
        strcpy(text, "the end of the file");
        return;
    }
    if (*p == 0) {
        strcpy(text, "a NUL byte");
        return;
    }
    *out++ = '"';
    for (; p < l->end && !bvh_is_blank(*p) && !bvh_is_line_end(*p) && p - l->at < SHOWN_BYTES; p++)
        out += *p > ' ' && *p <= '~' ? sprintf(out, "%c", *p) : sprintf(out, "\\x%02x", (unsigned char)*p);
    strcpy(out, "\"");
    if (l->end - l->at >= 7 && (memcmp(l->at, "<<<<<<<", 7) == 0 || memcmp(l->at, "=======", 7) == 0 ||
                                memcmp(l->at, ">>>>>>>", 7) == 0))
        strcat(text, ", a merge conflict marker");
}

Status bvh_lexer_expected(BvhLexer *l, const char *what, Error *err)
{
    bvh_lexer_skip(l);
    char found[4 * SHOWN_BYTES + 64];
    describe_word(l, found);
    return bvh_lexer_error(l, err, "expected %s, found %s", what, found);
}

/* Returns 1 if the character after a number may follow it: a blank, line end, brace, the end of the text, or the sign
 * of the next number. */
static int ends_number(const BvhLexer *l, const char *after)
{
    if (after == l->end)
        return 1;
    char c = *after;
    return bvh_is_blank(c) || bvh_is_line_end(c) || c == '{' || c == '}' || c == '-' || c == '+';
}

static Status expected_number(BvhLexer *l, Error *err)
{
    const char *hint = number_hint(l->at, (size_t)(l->end - l->at));
    Status status = bvh_lexer_expected(l, "a number", err);
    if (err && *hint)
        snprintf(err->text + strlen(err->text), sizeof err->text - strlen(err->text), "%s", hint);
    return status;
}

Status bvh_lexer_number(BvhLexer *l, double *value, int *glued, Error *err)
{
    bvh_lexer_skip(l);
    const char *after = number_scan(l->at, l->end, value);
    if (!after || !ends_number(l, after))
        return expected_number(l, err);
    if (!isfinite(*value))
        return bvh_lexer_expected(l, "a number below 1.8e308", err);
    l->at = after;
    *glued = after < l->end && (*after == '-' || *after == '+');
    return STATUS_OK;
}
