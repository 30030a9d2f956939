/* Foot contacts as rows of a table that users can edit: the interval in which a part of a foot is down, and whether it
 * slides as in the source, stays at rest, or is free. */
#ifndef KANE_RETARGET_CONTACT_EDITS_H
#define KANE_RETARGET_CONTACT_EDITS_H

#include "analysis/base/status.h"
#include "analysis/clip/motion.h"
#include "analysis/retarget/foot_contact.h"

typedef enum PlantMode { PLANT_KEEP = 0, PLANT_LOCK, PLANT_NONE } PlantMode;

typedef struct ContactRow {
    int foot;        /* FOOT_LEFT, FOOT_RIGHT */
    int part;        /* SOLE_HEEL, SOLE_BALL */
    double from, to; /* s, time of the source: frames with from <= time < to */
    PlantMode mode;  /* PLANT_NONE: no contact there */
} ContactRow;

typedef struct ContactEdits {
    int count;
    ContactRow *row; /* owned */
} ContactEdits;

void contact_edits_free(ContactEdits *rows);

/* Lists the contacts, ordered by foot, part and time. */
Status contact_edits_from(const FootContact *contact, const Motion *motion, ContactEdits *out, Error *err);

/* Replaces the contacts by those of the rows; of overlapping rows the last one applies. Frame times are those of the
 * motion. */
void contact_edits_apply(const ContactEdits *rows, const Motion *motion, FootContact *contact);

#endif
