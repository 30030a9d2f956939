/* What was decided of a clip and why: the value, its confidence and the observations for and against it, as the clip
 * file keeps them in the root attribute `evidence`.
 *
 * A stage records its judgement in the provenance; a later one of the same subject replaces it. The text has one line
 * per judgement and one per observation, fields separated by tabs:
 *
 *     up<TAB>0.93<TAB>Y                                     subject, confidence ("-": not measured), value
 *     up<TAB>+4.20<TAB>the ground is at zero, against Z     subject, log odds with their sign, observation */
#ifndef KANE_EVIDENCE_JUDGEMENT_H
#define KANE_EVIDENCE_JUDGEMENT_H

#include "analysis/base/status.h"
#include "analysis/clip/clip.h"
#include "analysis/evidence/evidence.h"

/* In the order in which they are printed. */
typedef enum JudgementSubject {
    JUDGED_UNIT,
    JUDGED_UP,
    JUDGED_RATE,
    JUDGED_FRONT, /* which way is front, and which side is left */
    JUDGED_LEVEL, /* whether the up axis is vertical */
    JUDGED_PATH,  /* how the body moves along (locomotion.h) */
    JUDGED_ROLES,
    JUDGED_BODY,
    JUDGEMENTS
} JudgementSubject;

/* The value of JUDGED_ROLES for a body that has no roles because it is an animal. */
#define ROLES_OF_AN_ANIMAL "none: an animal"

enum { JUDGEMENT_VALUE = 96, JUDGEMENT_SHOWN = 2 /* observations kept for each, the strongest, and as many against */ };

typedef struct Judgement {
    JudgementSubject subject;
    char value[JUDGEMENT_VALUE];
    double confidence; /* probability, 0..1, that the value is right; 1 without observations: set by an option or
                          stated by the format; NaN: not measured */
    Evidence evidence; /* for the value; its own confidence is not used */
} Judgement;

/* "up" */
const char *judgement_name(JudgementSubject subject);

/* Replaces the judgement of this subject, or adds it. */
Status judgement_record(Provenance *provenance, const Judgement *judgement, Error *err);

/* Reads the judgement of a subject; 0: there is none. Malformed lines, which a file may have, are skipped. */
int judgement_recall(const Provenance *provenance, JudgementSubject subject, Judgement *out);

#endif
