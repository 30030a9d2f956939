/* See evidence.h. */
#include "analysis/evidence/evidence.h"

#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include "analysis/math/elementary.h"

static const double negligible = 0.05;

/* The index for a new observation: a free one, or that of a weaker one; -1: none. */
static int observation_slot(Evidence *evidence, double log_odds)
{
    int weakest = 0;
    if (evidence->count < EVIDENCE_MAX)
        return evidence->count++;
    for (int i = 1; i < EVIDENCE_MAX; i++)
        if (fabs(evidence->observation[i].log_odds) < fabs(evidence->observation[weakest].log_odds))
            weakest = i;
    return fabs(log_odds) > fabs(evidence->observation[weakest].log_odds) ? weakest : -1;
}

void evidence_add(Evidence *evidence, double log_odds, const char *format, ...)
{
    if (!(fabs(log_odds) >= negligible))
        return;
    int place = observation_slot(evidence, log_odds);
    if (place < 0)
        return;
    Observation *observation = &evidence->observation[place];
    va_list args;
    va_start(args, format);
    observation->log_odds = log_odds;
    vsnprintf(observation->text, sizeof observation->text, format, args);
    va_end(args);
}

/* Number of observations of the same sign that are stronger; of equal ones the first is the stronger. */
static int observation_rank(const Evidence *evidence, int index, int sign)
{
    int rank = 0;
    double own = sign * evidence->observation[index].log_odds;
    for (int i = 0; i < evidence->count; i++) {
        double other = sign * evidence->observation[i].log_odds;
        rank += other > own || (other == own && i < index);
    }
    return rank;
}

const Observation *evidence_strongest(const Evidence *evidence, int sign, int rank)
{
    for (int i = 0; i < evidence->count; i++)
        if (sign * evidence->observation[i].log_odds > 0 && observation_rank(evidence, i, sign) == rank)
            return &evidence->observation[i];
    return NULL;
}

void evidence_reverse(Evidence *evidence)
{
    for (int i = 0; i < evidence->count; i++)
        evidence->observation[i].log_odds = -evidence->observation[i].log_odds;
}

int evidence_normalize(double *score, int count)
{
    int best = 0;
    double total = 0;
    for (int i = 1; i < count; i++)
        best = score[i] > score[best] ? i : best;
    double top = score[best];
    for (int i = 0; i < count; i++) {
        score[i] = elementary_exp(score[i] - top);
        total += score[i];
    }
    for (int i = 0; i < count; i++)
        score[i] /= total;
    return best;
}
