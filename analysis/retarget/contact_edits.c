/* See contact_edits.h. */
#include "analysis/retarget/contact_edits.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/base/arena.h"
#include "analysis/retarget/foot_contact.h"

#define HALF_FRAME 0.5 /* frames: tolerance, because times are written with few digits */

void contact_edits_free(ContactEdits *rows)
{
    if (!rows)
        return;
    free(rows->row);
    *rows = (ContactEdits){0};
}

static int is_down(const FootContact *c, int foot, int part, int frame)
{
    return frame >= 0 && frame < c->frame_count && c->down[part][foot_index(frame, foot)];
}

/* A row begins where a part touches down or its mode changes. */
static int begins(const FootContact *c, int foot, int part, int f)
{
    return is_down(c, foot, part, f) &&
           (!is_down(c, foot, part, f - 1) ||
            c->locked[foot_index(f, foot)] != c->locked[foot_index(f - 1, foot)]);
}

Status contact_edits_from(const FootContact *contact, const Motion *motion, ContactEdits *out, Error *err)
{
    const int tracks = FOOT_COUNT * 2;
    int count = 0;
    for (int i = 0; i < tracks; i++)
        for (int f = 0; f < contact->frame_count; f++)
            count += begins(contact, i / 2, i % 2, f);
    *out = (ContactEdits){.row = array_new((size_t)count, 1, sizeof *out->row)};
    if (!out->row)
        return error_no_memory(err);
    for (int i = 0; i < tracks; i++)
        for (int f = 0; f < contact->frame_count; f++) {
            if (!begins(contact, i / 2, i % 2, f))
                continue;
            int end = f + 1;
            while (is_down(contact, i / 2, i % 2, end) && !begins(contact, i / 2, i % 2, end))
                end++;
            out->row[out->count++] = (ContactRow){i / 2, i % 2, motion->time[f],
                                                  motion->time[end - 1] + motion->frame_time,
                                                  contact->locked[foot_index(f, i / 2)] ? PLANT_LOCK : PLANT_KEEP};
        }
    return STATUS_OK;
}

void contact_edits_apply(const ContactEdits *rows, const Motion *motion, FootContact *contact)
{
    size_t cells = (size_t)contact->frame_count * FOOT_COUNT;
    memset(contact->down[SOLE_HEEL], 0, cells);
    memset(contact->down[SOLE_BALL], 0, cells);
    memset(contact->locked, 0, cells);
    for (int i = 0; i < rows->count; i++) {
        const ContactRow *row = &rows->row[i];
        double slack = HALF_FRAME * motion->frame_time;
        for (int f = 0; f < contact->frame_count; f++) {
            if (motion->time[f] < row->from - slack || motion->time[f] > row->to - slack)
                continue;
            size_t at = foot_index(f, row->foot);
            contact->down[row->part][at] = row->mode != PLANT_NONE;
            if (row->mode != PLANT_NONE)
                contact->locked[at] = row->mode == PLANT_LOCK;
        }
    }
    for (size_t i = 0; i < cells; i++)
        contact->in_contact[i] = contact->down[SOLE_HEEL][i] || contact->down[SOLE_BALL][i];
}
