/* Evidence for a decision: observations, each with the log odds that it gives, which add up to a confidence.
 *
 * A decision rests on independent observations of the body and of the file. Each is a likelihood ratio: its natural
 * logarithm is positive if the observation supports the decision, negative if it contradicts it (Good 1950, "weight of
 * evidence"). */
#ifndef KANE_EVIDENCE_EVIDENCE_H
#define KANE_EVIDENCE_EVIDENCE_H

enum { EVIDENCE_MAX = 12, EVIDENCE_TEXT = 96 };

typedef struct Observation {
    double log_odds;          /* for the decision, natural logarithm */
    char text[EVIDENCE_TEXT]; /* "free fall of 9.7 m/s2 in 3 flights" */
} Observation;

typedef struct Evidence {
    int count;
    Observation observation[EVIDENCE_MAX];
    double confidence; /* probability, 0..1, that the decision is right; 0: not decided */
} Evidence;

/* Adds an observation; one beyond EVIDENCE_MAX replaces the weakest if it is stronger. Observations of less than 0.05
 * are dropped. */
void evidence_add(Evidence *evidence, double log_odds, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* The observation of the given rank, 0: the strongest, among those for (sign 1) or against (sign -1) the decision; NULL
 * if there are fewer. */
const Observation *evidence_strongest(const Evidence *evidence, int sign, int rank);

/* Makes the observations those for the opposite decision. */
void evidence_reverse(Evidence *evidence);

/* Converts log scores of count hypotheses to probabilities in place. Returns the index of the most probable. */
int evidence_normalize(double *score, int count);

#endif
