/* Measured forces held against the motion: warnings of the clip, and reasons in its trust. */
#ifndef KANE_PIPELINE_PLATES_H
#define KANE_PIPELINE_PLATES_H

#include "analysis/clip/clip.h"
#include "analysis/dynamics/inverse_dynamics.h"
#include "pipeline/stages/option.h"

/* How the note begins that the plates were not compared. */
#define PLATES_NOT_COMPARED "plates were not compared with the motion"

/* Takes back what plates_judge left in the clip. */
void plates_forget(Clip *clip);

/* Estimates the forces of the ground from the motion and compares. Leaves a warning per fault of the plates, and marks
 * frames that plates do not see or that are not to be trusted. A clip without masses, two feet or a
 * root path is not compared, which a note states. contact: contact_from_external of the rows. */
Status plates_judge(const ExternalRows *rows, const Contact *contact, Clip *clip, Notes *notes, Error *err);

/* The same of a table whose forces do not become /contact. */
Status plates_judge_table(const char *path, Clip *clip, Notes *notes, Error *err);

#endif
