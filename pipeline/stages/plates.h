/* Check of measured forces against the motion, which adds warnings and flags to the clip. */
#ifndef KANE_PIPELINE_PLATES_H
#define KANE_PIPELINE_PLATES_H

#include "analysis/clip/clip.h"
#include "analysis/dynamics/loads.h"
#include "pipeline/stages/notes.h"

/* Beginning of the warning that plates were not compared. */
#define PLATES_NOT_COMPARED "plates were not compared with the motion"

/* Removes the warnings and flags of plates_judge. */
void plates_forget(Clip *clip);

/* Compares measured forces with an estimate from the motion. Adds a warning per error of the plates and flags frames
 * that are off the plates or in doubt. Only notes why nothing was compared if the clip has no masses, no two feet or no
 * translating root. contact: contact_from_external of the rows. */
Status plates_judge(const ExternalRows *rows, const Contact *contact, Clip *clip, Notes *notes, Error *err);

/* The same for a table that is not stored in /contact. */
Status plates_judge_table(const char *path, Clip *clip, Notes *notes, Error *err);

#endif
