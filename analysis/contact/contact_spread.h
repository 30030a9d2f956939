/* Spread between people of those constants that are the same for all: data/contact_spread.tsv, compiled in, measured
 * by research/contact_spread.py. Input of the uncertainty of estimated forces. */
#ifndef KANE_CONTACT_CONTACT_SPREAD_H
#define KANE_CONTACT_CONTACT_SPREAD_H

#include "analysis/contact/contact_constants.h"

/* Standard deviations between people, in the units of the constants of the same names. */
typedef struct ContactSpread {
    double pass_time;
    double walk_lean;
    double walk_side_lean;
    double run_lean;
    double run_side_lean;
    double stand_push;
    double pressure_at;
    double pressure_side;
    double share; /* without a constant: RMS difference between a foot's fraction of the load and the line by which
                     it is transferred */
} ContactSpread;

extern const ContactSpread contact_spread;
extern const ConstantName contact_spread_list[]; /* members of ContactSpread, by name */
extern const int contact_spread_count;

/* The constants of a person who deviates by deviate[i] standard deviations from the mean in member i of the list. The
 * load fraction, which is not a constant, has no effect. */
void contact_constants_vary(const ContactConstants *from, const double *deviate, ContactConstants *out);

#endif
