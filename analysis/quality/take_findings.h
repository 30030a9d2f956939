/* Findings about a take of any format: defective rows, uncertain decisions of import, and motion that no body makes. */
#ifndef KANE_QUALITY_TAKE_FINDINGS_H
#define KANE_QUALITY_TAKE_FINDINGS_H

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"
#include "analysis/clip/skeleton.h"
#include "analysis/detect/import_guess.h"
#include "analysis/detect/take.h"
#include "analysis/quality/artifacts.h"
#include "analysis/repair/lost_rows.h"
#include "analysis/repair/row_steps.h"

/* What import makes of a take. (TakeVerdict){0} is empty. */
typedef struct TakeVerdict {
    Clip clip; /* as by clip_settle */
    ImportGuess guess;
    Artifacts artifacts;
    FilledFrame *frame; /* [frame of the take, before one is dropped] after lost rows were put back; NULL: none were */
    RowStep *step;      /* [step_count] of each row of the file; NULL: all are plain */
    int step_count;
} TakeVerdict;

void take_verdict_free(TakeVerdict *verdict);

/* Puts rows that were lost back into the motion, marks them and the frames beside them as artifacts, decides, and
 * appends to take->findings, in order of their locations, what is odd: repeated and missing rows, Euler
 * flips, frame time, unit, up axis, positions, root path, a first frame that is not part of the take, artifacts, bones
 * of varying length, feet that never come down. The one voice of kane check, import, run and batch. Skeleton and motion
 * are moved out of the take, as by clip_settle. Free *out also after failure. */
Status take_judge(Take *take, const ImportGuessDef *def, TakeVerdict *out, Error *err);

/* take_judge without a clip, for kane check: also of a take without a frame time. If a skeleton of the same family is
 * given, appends those of its joints that the take lacks. */
Status take_inspect(Take *take, const ImportGuessDef *def, const Skeleton *family, Error *err);

#endif
