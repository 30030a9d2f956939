/* Contacts of feet as rows of a table, to be seen and edited: which part of which foot is down from when to when, and
 * whether it keeps the source's own slide, stands still, or is let go. */
#ifndef KANE_RETARGET_CONTACT_EDITS_H
#define KANE_RETARGET_CONTACT_EDITS_H

#include "analysis/clip/motion.h"
#include "analysis/retarget/foot_contact.h"

typedef enum PlantMode { PLANT_KEEP = 0, PLANT_LOCK, PLANT_NONE } PlantMode;

typedef struct ContactRow {
    int foot;        /* FOOT_LEFT, FOOT_RIGHT */
    int part;        /* SOLE_HEEL, SOLE_BALL */
    double from, to; /* s, of the source's time: the frames from the first on, before the second */
    PlantMode mode;  /* PLANT_NONE: no contact there */
} ContactRow;

typedef struct ContactRows {
    int count;
    ContactRow *row; /* owned */
} ContactRows;

void contact_rows_free(ContactRows *rows);

/* What is down in the contact, in order of feet, parts and time. */
Status contact_rows_from(const FootContact *contact, const Motion *motion, ContactRows *out, Error *err);

/* The contact becomes that of the rows; where they overlap the later one holds. Frame times are those of the motion. */
void contact_rows_apply(const ContactRows *rows, const Motion *motion, FootContact *contact);

#endif
