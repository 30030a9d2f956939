/* Check of measured forces against the motion, which adds warnings and flags to the clip. */
#ifndef KANE_PIPELINE_PLATES_H
#define KANE_PIPELINE_PLATES_H

#include "analysis/clip/clip.h"
#include "pipeline/stages/measured_file.h"
#include "pipeline/stages/notes.h"

/* Beginning of the warning that plates were not compared. */
#define PLATES_NOT_COMPARED "plates were not compared with the motion"

/* Removes the warnings and flags of plates_judge. */
void plates_forget(Clip *clip);

/* Compares measured forces with an estimate from the motion. Adds a warning per error of the plates and flags frames
 * that are off the plates or in doubt. Only notes why nothing was compared if the clip has no masses, no two feet or no
 * translating root. contact: contact_from_external of the rows. */
Status plates_judge(const MeasuredFile *file, const Contact *contact, Clip *clip, Notes *notes, Error *err);

/* The same for forces that are not stored in /contact; call plates_forget before they are read. */
Status plates_judge_table(const MeasuredFile *file, Clip *clip, Notes *notes, Error *err);

#endif
