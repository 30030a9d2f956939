/* How far people differ in numbers of contact_constants.h that are taken for alike in all: data/contact_spread.tsv,
 * compiled in, measured by scripts/contact_spread.py. What an uncertainty of estimated forces begins with. */
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
    double share; /* of no constant: of a foot's share of the load from the line on which it passes, RMS */
} ContactSpread;

extern const ContactSpread contact_spread;
extern const ConstantName contact_spread_list[]; /* members of ContactSpread, by name */
extern const int contact_spread_count;

/* The constants of a person who lies deviate[i] standard deviations from the mean in member i of the list; the share,
 * which is no constant, changes nothing. */
void contact_constants_vary(const ContactConstants *from, const double *deviate, ContactConstants *out);

#endif
