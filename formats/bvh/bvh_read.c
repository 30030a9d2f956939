/* Reads BVH files from memory, or the hierarchy alone from a path.
 *
 * Joint names become valid UTF-8 without control characters. Bytes that are not UTF-8 are read as Latin-1, with a
 * warning; duplicate names also get a warning. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "analysis/base/arena.h"
#include "formats/base/bytes.h"
#include "formats/base/text.h"
#include "formats/bvh/bvh.h"
#include "formats/bvh/bvh_gaps.h"
#include "formats/bvh/bvh_lexer.h"
#include "formats/bvh/bvh_roots.h"
#include "formats/bvh/bvh_scale.h"

#define MAX_NAME_BYTES 1024
#define NOT_SEEN (-1) /* joint_channels before the CHANNELS line was read */

/* ---- Names ---- */

static int is_utf8(const unsigned char *text, size_t size)
{
    for (size_t i = 0; i < size;) {
        int n = utf8_length(text + i, size - i);
        if (n == 0)
            return 0;
        i += (size_t)n;
    }
    return 1;
}

/* Copies a name: tabs become spaces, other control characters '_', and unless the text is UTF-8, bytes above 0x7F are
 * converted from Latin-1 to two bytes. */
static void copy_name(char *out, const unsigned char *text, size_t size, int utf8)
{
    for (size_t i = 0; i < size; i++) {
        unsigned c = text[i];
        if (c < ' ' || c == 0x7F)
            c = bvh_is_blank((char)c) ? ' ' : '_';
        if (c >= 0x80 && !utf8) {
            *out++ = (char)(0xC0 | c >> 6);
            c = 0x80 | (c & 0x3F);
        }
        *out++ = (char)c;
    }
    *out = 0;
}

static Status too_long(BvhLocation at, Error *err)
{
    return error_set_at(err, STATUS_BAD_INPUT, at.line, at.column, "a joint name of more than %d bytes",
                        MAX_NAME_BYTES);
}

static Status read_name(BvhLexer *l, Bvh *bvh, char **name, Error *err)
{
    size_t size;
    const char *text = bvh_lexer_name(l, &size);
    BvhLocation at = bvh_lexer_location(l, text);
    if (size == 0)
        return bvh_lexer_expected(l, "a joint name", err);
    if (size > MAX_NAME_BYTES)
        return too_long(at, err);
    if (memchr(text, 0, size))
        return error_set_at(err, STATUS_BAD_INPUT, at.line, at.column, "a NUL byte in a joint name");
    int utf8 = is_utf8((const unsigned char *)text, size);
    char *copy = malloc(2 * size + 1);
    if (!copy)
        return error_no_memory(err);
    copy_name(copy, (const unsigned char *)text, size, utf8);
    Status status = STATUS_OK;
    if (strlen(copy) > MAX_NAME_BYTES) /* length as UTF-8, so that a written name can be read again */
        status = too_long(at, err);
    else if (!utf8)
        status = bvh_warn(bvh, BVH_ERROR_ENCODING, at, err,
                          "joint name \"%.60s\" is not UTF-8; read as Latin-1", copy);
    if (status)
        free(copy);
    else
        *name = copy;
    return status;
}

typedef struct NamedJoint {
    const char *name;
    int joint;
} NamedJoint;

static int compare_names(const void *a, const void *b)
{
    const NamedJoint *x = a, *y = b;
    int order = strcmp(x->name, y->name);
    return order ? order : x->joint - y->joint;
}

static Status check_names(Bvh *bvh, Error *err)
{
    NamedJoint *sorted = array_new((size_t)bvh->joint_count, 1, sizeof *sorted);
    if (!sorted)
        return error_no_memory(err);
    for (int j = 0; j < bvh->joint_count; j++)
        sorted[j] = (NamedJoint){bvh->name[j], j};
    qsort(sorted, (size_t)bvh->joint_count, sizeof *sorted, compare_names);
    Status status = STATUS_OK;
    for (int i = 1; !status && i < bvh->joint_count; i++)
        if (strcmp(sorted[i].name, sorted[i - 1].name) == 0)
            status = bvh_warn(bvh, BVH_ERROR_NAME, (BvhLocation){bvh->line[sorted[i].joint], 1}, err,
                              "joint name \"%.60s\" of line %d again", sorted[i].name, bvh->line[sorted[i - 1].joint]);
    free(sorted);
    return status;
}

/* ---- Joints ---- */

typedef struct Builder {
    BvhLexer *lexer;
    const SourceDef *def;
    Bvh *bvh;
    int joint; /* current joint, -1 outside the root */
    int depth;
    int is_orientation_noted; /* 1: its warning was given */
} Builder;

/* The numbers of an OFFSET line: three, or six with a rest orientation. */
enum { POSITION_NUMBERS = 3, OFFSET_NUMBERS = 6 };

static int number_follows(BvhLexer *l)
{
    bvh_lexer_skip_blanks(l);
    return l->at < l->end && memchr("+-.0123456789", *l->at, 13) != NULL;
}

static Status read_offset_number(Builder *b, double *number, int is_last, Error *err)
{
    int glued;
    Status status = bvh_lexer_number(b->lexer, number, &glued, err);
    if (!status && fabs(*number) > BVH_LARGEST)
        return bvh_lexer_error(b->lexer, err, "an OFFSET of %g is beyond any body", *number);
    if (!status && glued && !is_last)
        status = bvh_warn(b->bvh, BVH_ERROR_NO_BLANK, bvh_lexer_here(b->lexer), err,
                          "missing blank between two numbers; read as two");
    return status;
}

/* Reads three or six numbers; *count is their number. */
static Status read_numbers(Builder *b, double number[OFFSET_NUMBERS], int *count, Error *err)
{
    BvhLexer fourth = *b->lexer;
    *count = 0;
    while (*count < POSITION_NUMBERS || (*count < OFFSET_NUMBERS && number_follows(b->lexer))) {
        int is_last = *count == POSITION_NUMBERS - 1 || *count == OFFSET_NUMBERS - 1;
        Status status = read_offset_number(b, &number[*count], is_last, err);
        if (status)
            return status;
        if (++*count == POSITION_NUMBERS && number_follows(b->lexer))
            fourth = *b->lexer;
    }
    int too_many = number_follows(b->lexer);
    if (!too_many && *count % POSITION_NUMBERS == 0)
        return STATUS_OK;
    return bvh_lexer_error(too_many ? b->lexer : &fourth, err,
                           "an OFFSET has three numbers, or six with the orientation at rest");
}

static int is_turned(const double *angle) { return angle[0] != 0 || angle[1] != 0 || angle[2] != 0; }

/* Stores the rest orientation of the joint. Warns of the first one in a file, because programs interpret it
 * differently. */
static Status keep_orientation(Builder *b, const double *angle, Error *err)
{
    Bvh *bvh = b->bvh;
    bvh->orientation[b->joint] = vec3_load(angle);
    if (!is_turned(angle) || b->is_orientation_noted)
        return STATUS_OK;
    b->is_orientation_noted = 1;
    return bvh_warn(bvh, BVH_ERROR_ORIENTATION, bvh_lexer_here(b->lexer), err,
                    "an OFFSET with six numbers; the last three are read as the orientation at rest, degrees about X, "
                    "Y and Z in the order of the rotation channels");
}

static Status read_offset(Builder *b, Error *err)
{
    Vec3 *offset = &b->bvh->offset[b->joint];
    if (!isnan(offset->x))
        return bvh_lexer_error(b->lexer, err,
                            "a second OFFSET in joint \"%.60s\"", b->bvh->name[b->joint]);
    double number[OFFSET_NUMBERS];
    int count;
    Status status = read_numbers(b, number, &count, err);
    if (status)
        return status;
    *offset = vec3_load(number);
    return count == OFFSET_NUMBERS ? keep_orientation(b, number + POSITION_NUMBERS, err) : STATUS_OK;
}

static int take_channel(BvhLexer *l, BvhChannel *channel)
{
    static const char *const name[] = {"xposition", "yposition", "zposition", "xrotation", "yrotation",
                                       "zrotation", "xscale",    "yscale",    "zscale"};
    for (int c = 0; c < BVH_LINE_CHANNELS; c++)
        if (bvh_lexer_keyword(l, name[c])) {
            *channel = (BvhChannel)c;
            return 1;
        }
    return 0;
}

/* Warns of a repeated rotation axis (proper Euler angles); a repeated position is an error. */
static Status check_repeat(Builder *b, int first, BvhChannel channel, Error *err)
{
    BvhLexer *l = b->lexer;
    for (int i = first; i < b->bvh->channel_count; i++)
        if (b->bvh->channel[i] == channel) {
            if (!bvh_is_rotation(channel) || channel >= BVH_XSCALE)
                return bvh_lexer_error(l, err, "the same %s channel twice in joint \"%.60s\"",
                                       channel >= BVH_XSCALE ? "scale" : "position", b->bvh->name[b->joint]);
            return bvh_warn(b->bvh, BVH_ERROR_CHANNEL, bvh_lexer_here(l), err,
                            "the same rotation channel twice in joint \"%.60s\"", b->bvh->name[b->joint]);
        }
    return STATUS_OK;
}

static Status read_channel_count(BvhLexer *l, int *count, Error *err)
{
    BvhLexer before = *l;
    double number;
    int glued;
    Status status = bvh_lexer_number(l, &number, &glued, err);
    if (status)
        return status;
    if (!(number >= 0 && number <= BVH_LINE_CHANNELS && number == floor(number)))
        return bvh_lexer_expected(&before, "a number of channels from 0 to 6, or 9 with scales", err);
    *count = (int)number;
    return STATUS_OK;
}

static Status read_channels(Builder *b, Error *err)
{
    Bvh *bvh = b->bvh;
    if (bvh->joint_channels[b->joint] != NOT_SEEN)
        return bvh_lexer_error(b->lexer, err,
                            "a second CHANNELS in joint \"%.60s\"", bvh->name[b->joint]);
    int count = 0;
    Status status = read_channel_count(b->lexer, &count, err);
    if (status)
        return status;
    int first = bvh->channel_count, moving = 0;
    bvh->first_channel[b->joint] = first;
    bvh->joint_channels[b->joint] = count;
    for (int i = 0; i < count; i++) {
        BvhChannel channel;
        BvhLexer before = *b->lexer;
        if (!take_channel(b->lexer, &channel))
            return bvh_lexer_expected(b->lexer, "a channel such as Xposition or Zrotation", err);
        moving += channel < BVH_XSCALE;
        status = moving > BVH_MAX_CHANNELS ? bvh_lexer_expected(&before, "at most 6 positions and rotations", err)
                                           : check_repeat(b, first, channel, err);
        if (status)
            return status;
        if (!array_grow(&bvh->channel, bvh->channel_count, sizeof *bvh->channel))
            return error_no_memory(err);
        bvh->channel[bvh->channel_count++] = channel;
    }
    return STATUS_OK;
}

static Status check_limits(const Builder *b, Error *err)
{
    const BvhLexer *l = b->lexer;
    int column = bvh_lexer_here(l).column;
    if (b->bvh->joint_count >= b->def->max_joints)
        return error_set_at(err, STATUS_LIMIT, l->line, column, "more than %d joints (--max-joints)",
                            b->def->max_joints);
    if (b->depth >= b->def->max_depth)
        return error_set_at(err, STATUS_LIMIT, l->line, column, "joints nested deeper than %d (--max-depth)",
                            b->def->max_depth);
    return STATUS_OK;
}

static Status open_block(BvhLexer *l, Error *err)
{
    return bvh_lexer_character(l, '{') ? STATUS_OK : bvh_lexer_expected(l, "\"{\"", err);
}

/* Reads "JOINT name {" after the keyword. */
static Status open_joint(Builder *b, Error *err)
{
    Bvh *bvh = b->bvh;
    Status status = check_limits(b, err);
    if (status)
        return status;
    if (!bvh_make_room_for_joint(bvh))
        return error_no_memory(err);
    int joint = bvh->joint_count, line = b->lexer->line;
    status = read_name(b->lexer, bvh, &bvh->name[joint], err);
    if (status)
        return status;
    bvh->parent[joint] = b->joint;
    bvh->offset[joint] = vec3(NAN, NAN, NAN);
    bvh->orientation[joint] = vec3(0, 0, 0);
    bvh->first_channel[joint] = bvh->channel_count;
    bvh->joint_channels[joint] = NOT_SEEN;
    bvh->line[joint] = line;
    bvh->joint_count++;
    b->joint = joint;
    b->depth++;
    return open_block(b->lexer, err);
}

static Status close_joint(Builder *b, Error *err)
{
    Bvh *bvh = b->bvh;
    int joint = b->joint;
    if (bvh->joint_channels[joint] == NOT_SEEN)
        bvh->joint_channels[joint] = 0;
    b->joint = bvh->parent[joint];
    b->depth--;
    if (!isnan(bvh->offset[joint].x))
        return STATUS_OK;
    bvh->offset[joint] = vec3(0, 0, 0);
    return bvh_warn(bvh, BVH_ERROR_OFFSET, (BvhLocation){bvh->line[joint], 1}, err,
                    "joint \"%.60s\" has no OFFSET; using 0 0 0", bvh->name[joint]);
}

/* Reads "End Site { OFFSET x y z }" after "End"; a name after "Site" is ignored. */
static Status read_end_site(Builder *b, Error *err)
{
    Bvh *bvh = b->bvh;
    BvhLexer *l = b->lexer;
    size_t ignored;
    if (!array_grow(&bvh->end_offset, bvh->end_count, sizeof *bvh->end_offset) ||
        !array_grow(&bvh->end_parent, bvh->end_count, sizeof *bvh->end_parent))
        return error_no_memory(err);
    bvh_lexer_name(l, &ignored);
    Status status = open_block(l, err);
    if (status)
        return status;
    if (!bvh_lexer_keyword(l, "offset"))
        return bvh_lexer_expected(l, "OFFSET", err);
    double number[OFFSET_NUMBERS];
    int count; /* the orientation of an end site has no effect */
    status = read_numbers(b, number, &count, err);
    if (status)
        return status;
    bvh->end_offset[bvh->end_count] = vec3_load(number);
    bvh->end_parent[bvh->end_count++] = b->joint;
    return bvh_lexer_character(l, '}') ? STATUS_OK : bvh_lexer_expected(l, "\"}\"", err);
}

/* Reports MOTION or the end of the file inside a block: a closing brace is missing. */
static Status report_open_block(const Builder *b, const BvhLexer *at, const char *what, Error *err)
{
    return bvh_lexer_error(at, err,
                        "%s inside joint \"%.60s\" of line %d: a \"}\" is missing", what, b->bvh->name[b->joint],
                        b->bvh->line[b->joint]);
}

/* Reads one statement of the current joint. */
static Status read_statement(Builder *b, Error *err)
{
    BvhLexer *l = b->lexer;
    bvh_lexer_skip(l);
    BvhLexer before = *l;
    if (bvh_lexer_character(l, '}'))
        return close_joint(b, err);
    if (bvh_lexer_keyword(l, "offset"))
        return read_offset(b, err);
    if (bvh_lexer_keyword(l, "channels"))
        return read_channels(b, err);
    if (bvh_lexer_keyword(l, "joint"))
        return open_joint(b, err);
    if (bvh_lexer_keyword(l, "end") || bvh_lexer_keyword(l, "endsite"))
        return read_end_site(b, err);
    if (bvh_lexer_keyword(l, "motion"))
        return report_open_block(b, &before, "MOTION", err);
    if (bvh_lexer_keyword(l, "root"))
        return report_open_block(b, &before, "ROOT", err);
    if (l->at == l->end)
        return report_open_block(b, &before, "the file ends", err);
    return bvh_lexer_expected(l, "OFFSET, CHANNELS, JOINT, End Site or \"}\"", err);
}

static Status expect_motion(Builder *b, Error *err)
{
    BvhLexer *l = b->lexer;
    if (bvh_lexer_keyword(l, "motion"))
        return STATUS_OK;
    BvhLexer before = *l;
    if (bvh_lexer_character(l, '}'))
        return bvh_lexer_error(&before, err,
                            "a \"}\" that closes nothing");
    return bvh_lexer_expected(l, "MOTION", err);
}

/* Frees the orientations if all of them are zero. */
static void drop_no_orientation(Bvh *bvh)
{
    for (int j = 0; j < bvh->joint_count; j++)
        if (is_turned(&bvh->orientation[j].x))
            return;
    free(bvh->orientation);
    bvh->orientation = NULL;
}

/* Fills the joints, channels and end sites of *out, of all ROOTs, and stops after the word MOTION. After failure *out
 * contains what was read and must be freed. Iterative: parent[] is the stack. */
static Status bvh_read_hierarchy(BvhLexer *l, const SourceDef *def, Bvh *out, Error *err)
{
    Builder b = {.lexer = l, .def = def, .bvh = out, .joint = -1};
    if (!bvh_lexer_keyword(l, "hierarchy"))
        return bvh_lexer_expected(l, "HIERARCHY", err);
    if (!bvh_lexer_keyword(l, "root"))
        return bvh_lexer_expected(l, "ROOT", err);
    Status status;
    do {
        status = open_joint(&b, err);
        while (!status && b.joint >= 0)
            status = read_statement(&b, err);
        if (!status)
            bvh_lexer_skip(l);
    } while (!status && bvh_lexer_keyword(l, "root"));
    return status ? status : expect_motion(&b, err);
}

/* Makes one skeleton without scales of what was read, without the joints that def leaves out. */
static Status settle(Bvh *bvh, const SourceDef *def, Error *err)
{
    Status status = bvh_remove_scale(bvh, def->tolerant, err);
    if (!status)
        status = bvh_choose_roots(bvh, def, err);
    if (!status)
        status = bvh_drop_joints(bvh, def, err);
    if (!status)
        status = check_names(bvh, err);
    drop_no_orientation(bvh);
    return status;
}

static Status check_text(const char *text, size_t size, Error *err)
{
    size_t blank = 0;
    while (blank < size && strchr(" \t\r\n", text[blank]) && text[blank])
        blank++;
    if (blank == size)
        return error_set(err, STATUS_BAD_INPUT, "the file is empty");
    if (size >= 2 && (memcmp(text, "\xFF\xFE", 2) == 0 || memcmp(text, "\xFE\xFF", 2) == 0))
        return error_set_at(err, STATUS_BAD_INPUT, 1, 1, "the file is UTF-16 text, expected UTF-8");
    return STATUS_OK;
}

/* texts: of cells that are no numbers, in a tolerant file. */
static Status parse(const char *text, size_t size, const SourceDef *def, Bvh *out, BvhGapTexts *texts, Error *err)
{
    BvhLexer lexer = bvh_lexer_new(text, size);
    *out = (Bvh){0};
    Status status = bvh_read_hierarchy(&lexer, def, out, err);
    if (!status)
        status = bvh_read_motion(&lexer, def, out, texts, err);
    if (!status)
        status = settle(out, def, err);
    if (!status && out->gap)
        status = bvh_gaps_report(out, texts, err);
    free(out->gap);
    out->gap = NULL;
    if (status)
        bvh_free(out);
    else
        findings_sort(&out->findings);
    return status;
}

/* The first finding for which import refuses the rows; NULL: none. */
static const Finding *refused_finding(const Findings *findings)
{
    for (int i = 0; i < findings->count; i++) {
        int kind = findings->found[i].kind;
        if (kind == BVH_ERROR_NUMBER || kind == BVH_ERROR_ROW || kind == BVH_ERROR_LAST_ROW)
            return &findings->found[i];
    }
    return NULL;
}

/* Reads a file again in whose line `line` a cell is no number: without the joints that are left out it may be sound;
 * otherwise the error names what all such cells have in common. */
static Status parse_without_gaps(const char *text, size_t size, const SourceDef *def, int line, Bvh *out, Error *err)
{
    SourceDef tolerant = *def;
    BvhGapTexts texts = {0};
    tolerant.tolerant = 1;
    Error failed = {0};
    Status status = parse(text, size, &tolerant, out, &texts, &failed);
    if (status)
        return status == STATUS_NO_MEMORY || failed.line == 0 ? error_set(err, status, "%s", failed.text)
                                                              : STATUS_BAD_INPUT;
    const Finding *refused = refused_finding(&out->findings);
    int is_gap = texts.first_line == line;
    if (is_gap && !refused) {
        free(out->location);
        out->location = NULL;
        return STATUS_OK;
    }
    if (is_gap && refused->kind == BVH_ERROR_NUMBER)
        error_set_at(err, STATUS_BAD_INPUT, refused->at.line, refused->at.column, "%s", refused->text);
    bvh_free(out);
    return STATUS_BAD_INPUT;
}

Status bvh_parse(const char *text, size_t size, const SourceDef *def, Bvh *out, Error *err)
{
    BvhGapTexts texts = {0};
    Error first = {0};
    *out = (Bvh){0};
    Status status = check_text(text, size, err);
    if (status)
        return status;
    if (text[size - 1] == 0x1A) /* end-of-file mark of DOS */
        size--;
    status = parse(text, size, def, out, &texts, &first);
    if (status && err)
        *err = first;
    return status == STATUS_BAD_INPUT && !def->tolerant ? parse_without_gaps(text, size, def, first.line, out, err)
                                                        : status;
}

/* ---- The hierarchy alone ---- */

enum { HEAD_LOOK = 1 << 14, HEAD_MAX = 1 << 24 };

/* Parses the hierarchy in the first bytes of a file. A truncated hierarchy is an error, because its last brace is
 * missing. */
static Status parse_head(const char *text, size_t size, const SourceDef *def, Bvh *out, Error *err)
{
    BvhLexer lexer = bvh_lexer_new(text, size);
    *out = (Bvh){0};
    Status status = check_text(text, size, err);
    if (!status)
        status = bvh_read_hierarchy(&lexer, def, out, err);
    if (!status)
        status = settle(out, def, err);
    if (status)
        bvh_free(out);
    return status;
}

static Status read_head(FILE *stream, const SourceDef *def, Bvh *out, Error *err)
{
    char *text = NULL;
    Status status = STATUS_BAD_INPUT;
    size_t size = 0;
    for (size_t look = HEAD_LOOK; status == STATUS_BAD_INPUT && look <= HEAD_MAX; look *= 4) {
        char *grown = realloc(text, look);
        if (!grown) {
            status = error_no_memory(err);
            break;
        }
        text = grown;
        size += fread(text + size, 1, look - size, stream);
        status = parse_head(text, size, def, out, err);
        if (size < look)
            break;
    }
    free(text);
    return status;
}

Status bvh_read_head(const char *path, const SourceDef *def, Bvh *out, Error *err)
{
    struct stat info;
    *out = (Bvh){0};
    if (stat(path, &info) || !S_ISREG(info.st_mode))
        return error_set(err, STATUS_IO, "%s is not a regular file", path);
    FILE *stream = fopen(path, "rbe");
    if (!stream)
        return error_set(err, STATUS_IO, "cannot read: %s", strerror(errno));
    setvbuf(stream, NULL, _IONBF, 0);
    Status status = read_head(stream, def, out, err);
    fclose(stream);
    return status;
}
