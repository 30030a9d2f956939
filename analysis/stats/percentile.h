/* Percentile by selection in linear expected time. */
#ifndef KANE_STATS_PERCENTILE_H
#define KANE_STATS_PERCENTILE_H

/* The smallest of count > 0 values that at least part (0..1) of them do not exceed (nearest rank). Reorders value, in
 * which no NaN may be. */
double percentile(double *value, int count, double part);

#endif
