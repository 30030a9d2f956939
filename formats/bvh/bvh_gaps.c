/* See bvh_gaps.h. */
#include "formats/bvh/bvh_gaps.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "analysis/base/arena.h"
#include "formats/base/text.h"
#include "formats/bvh/bvh_cut.h"

BvhGap bvh_gap_of_word(const char *word, size_t size)
{
    static const char *const unknown[] = {"nan", "inf", "1.#", "null", "none", "n/a", "na", "--"};
    if (size > 1 && (*word == '-' || *word == '+') && word[1] != '-') {
        word++;
        size--;
    }
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++)
        if (size >= strlen(unknown[i]) && !strncasecmp(word, unknown[i], strlen(unknown[i])))
            return BVH_GAP_NAN;
    return BVH_GAP_TEXT;
}

/* ---- Joints without numbers ---- */

static int has_number(const Bvh *bvh, int channel)
{
    for (size_t f = 0; f < (size_t)bvh->frame_count; f++)
        if (!isnan(bvh->value[f * (size_t)bvh->channel_count + (size_t)channel]))
            return 1;
    return 0;
}

/* Sets lacks[joint] where a channel has no number in any row. */
static void find_lacking(const Bvh *bvh, char *lacks)
{
    for (int j = 0; j < bvh->joint_count; j++)
        for (int c = bvh->first_channel[j]; bvh->value && c < bvh->first_channel[j] + bvh->joint_channels[j]; c++)
            lacks[j] |= (char)!has_number(bvh, c);
}

/* Clears mark[joint] of joints above an unmarked one that has channels, and of the root. */
static void keep_above(const Bvh *bvh, char *mark)
{
    for (int j = bvh->joint_count - 1; j > 0; j--)
        if (!mark[j] && bvh->parent[j] >= 0)
            mark[bvh->parent[j]] = 0;
    mark[0] = 0;
}

/* Marks joints below marked ones. */
static void mark_below(const Bvh *bvh, char *mark)
{
    for (int j = 1; j < bvh->joint_count; j++)
        if (bvh->parent[j] >= 0 && mark[bvh->parent[j]])
            mark[j] = 1;
}

static Status mark_named(const Bvh *bvh, const char *name, size_t size, char *mark, Error *err)
{
    int found = 0;
    for (int j = 0; j < bvh->joint_count; j++)
        if (strlen(bvh->name[j]) == size && !memcmp(bvh->name[j], name, size)) {
            mark[j] = 1;
            found = 1;
            if (j == 0)
                return error_set(err, STATUS_BAD_INPUT,
                                 "the root \"%.60s\" cannot be left out by import's --drop-joints", bvh->name[0]);
        }
    char wrong[64], similar[200];
    snprintf(wrong, sizeof wrong, "%.*s", (int)(size < 60 ? size : 60), name);
    did_you_mean(wrong, (const char *const *)bvh->name, (size_t)bvh->joint_count, similar, sizeof similar);
    return found ? STATUS_OK
                 : error_set(err, STATUS_BAD_INPUT, "no joint \"%s\" to leave out by import's --drop-joints%s", wrong,
                             similar);
}

static Status mark_dropped(const Bvh *bvh, const char *list, char *mark, Error *err)
{
    if (strcmp(list, "auto") == 0) {
        find_lacking(bvh, mark);
        keep_above(bvh, mark);
        return STATUS_OK;
    }
    Status status = STATUS_OK;
    for (const char *at = list; at && !status; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
        status = mark_named(bvh, at, strcspn(at, ","), mark, err);
    mark_below(bvh, mark);
    return status;
}

static Status warn_dropped(Bvh *bvh, const char *dropped, Error *err)
{
    char names[BVH_NAMES_SIZE];
    int first = 0, count = 0;
    for (int j = bvh->joint_count - 1; j > 0; j--)
        if (dropped[j]) {
            first = j;
            count++;
        }
    bvh_list_names(bvh, dropped, names);
    return bvh_warn(bvh, BVH_ERROR_JOINTS, (BvhLocation){bvh->line[first], 1}, err, "%d joint%s left out: %s", count,
                    count == 1 ? "" : "s", names);
}

Status bvh_drop_joints(Bvh *bvh, const SourceDef *def, Error *err)
{
    if (!def->drop_joints)
        return STATUS_OK;
    Arena arena = {0};
    char *drop = arena_array(&arena, (size_t)bvh->joint_count, 1, 1);
    Status status = drop ? mark_dropped(bvh, def->drop_joints, drop, err) : error_no_memory(err);
    if (!status && memchr(drop, 1, (size_t)bvh->joint_count)) {
        status = warn_dropped(bvh, drop, err);
        for (int j = 0; j < bvh->joint_count; j++)
            drop[j] = (char)!drop[j];
        if (!status)
            status = bvh_keep_joints(bvh, drop, err);
    }
    arena_free(&arena);
    return status;
}

int bvh_set_rest(Bvh *bvh)
{
    int count = 0;
    for (int j = 0; j < bvh->joint_count; j++) {
        const double offset[3] = {bvh->offset[j].x, bvh->offset[j].y, bvh->offset[j].z};
        for (int c = bvh->first_channel[j]; c < bvh->first_channel[j] + bvh->joint_channels[j]; c++) {
            if (has_number(bvh, c))
                continue;
            count++;
            for (size_t f = 0; f < (size_t)bvh->frame_count; f++)
                bvh->value[f * (size_t)bvh->channel_count + (size_t)c] =
                    bvh_is_rotation(bvh->channel[c]) ? 0 : offset[bvh->channel[c]];
        }
    }
    return count;
}

/* ---- Findings ---- */

/* Joints of one finding. */
typedef enum GapGroup {
    GROUP_SOME_ROWS,
    GROUP_ALL_ROWS, /* a channel has no number in any row, of a joint with others below it */
    GROUP_LEAVES,   /* the same, with nothing below it but such joints */
    GROUP_COUNT
} GapGroup;

typedef struct GapCause {
    int cells, rows, last_frame;
    BvhLocation first;
    char *is_named; /* [joint] */
} GapCause;

static const char *const remedies[GROUP_COUNT] = {
    [GROUP_SOME_ROWS] = "; kane check --repair interpolates them",
    [GROUP_ALL_ROWS] = "; kane check --repair holds the rest pose there",
    [GROUP_LEAVES] = "; import's --drop-joints auto leaves these leaves out, kane check --repair holds their rest pose",
};

static Status report_cause(Bvh *bvh, const GapCause *cause, GapGroup group, const char *text, Error *err)
{
    char names[BVH_NAMES_SIZE], where[64] = "in every row";
    if (cause->cells == 0)
        return STATUS_OK;
    if (cause->cells == 1)
        return bvh_warn(bvh, BVH_ERROR_NUMBER, cause->first, err, "%s", text);
    bvh_list_names(bvh, cause->is_named, names);
    if (group == GROUP_SOME_ROWS)
        snprintf(where, sizeof where, "in %d cells of %d row%s", cause->cells, cause->rows,
                 cause->rows == 1 ? "" : "s");
    return bvh_warn(bvh, BVH_ERROR_NUMBER, cause->first, err, "%s, %s of %s%s", text, where, names, remedies[group]);
}

static void count_cell(const Bvh *bvh, int frame, int channel, int joint, GapCause *cause)
{
    if (cause->cells++ == 0)
        cause->first = bvh_location(bvh, frame, channel);
    if (cause->rows == 0 || cause->last_frame != frame)
        cause->rows++;
    cause->last_frame = frame;
    cause->is_named[joint] = 1;
}

static void count_cells(const Bvh *bvh, const unsigned char *group, GapCause cause[BVH_GAP_COUNT][GROUP_COUNT])
{
    for (int f = 0; f < bvh->frame_count; f++)
        for (int j = 0; j < bvh->joint_count; j++)
            for (int c = bvh->first_channel[j]; c < bvh->first_channel[j] + bvh->joint_channels[j]; c++) {
                int gap = bvh->gap[(size_t)f * (size_t)bvh->channel_count + (size_t)c];
                if (gap)
                    count_cell(bvh, f, c, j, &cause[gap][group[j]]);
            }
}

/* Sets group[joint]. leaf: scratch */
static void group_joints(const Bvh *bvh, char *leaf, unsigned char *group)
{
    find_lacking(bvh, leaf);
    for (int j = 0; j < bvh->joint_count; j++)
        group[j] = leaf[j] ? GROUP_ALL_ROWS : GROUP_SOME_ROWS;
    keep_above(bvh, leaf);
    for (int j = 0; j < bvh->joint_count; j++)
        if (leaf[j])
            group[j] = GROUP_LEAVES;
}

Status bvh_gaps_report(Bvh *bvh, const BvhGapTexts *texts, Error *err)
{
    Arena arena = {0};
    GapCause cause[BVH_GAP_COUNT][GROUP_COUNT] = {{{0}}};
    size_t joints = (size_t)bvh->joint_count;
    char *leaf = arena_array(&arena, joints, 1, 1);
    unsigned char *group = arena_array(&arena, joints, 1, 1);
    for (int k = 0; k < BVH_GAP_COUNT * GROUP_COUNT; k++)
        cause[k / GROUP_COUNT][k % GROUP_COUNT].is_named = arena_array(&arena, joints, 1, 1);
    Status status = arena.failed ? error_no_memory(err) : STATUS_OK;
    if (!status) {
        group_joints(bvh, leaf, group);
        count_cells(bvh, group, cause);
    }
    for (int k = 0; k < BVH_GAP_COUNT * GROUP_COUNT && !status; k++)
        status = report_cause(bvh, &cause[k / GROUP_COUNT][k % GROUP_COUNT], (GapGroup)(k % GROUP_COUNT),
                              texts->text[k / GROUP_COUNT], err);
    arena_free(&arena);
    return status;
}
