/* One row of channels through a section, in place. One twin an instruction set.
 *
 * state is [2][channel_count], the transposed direct form II:
 *     y = b0 x + s1,   s1 = b1 x - a1 y + s2,   s2 = b2 x - a2 y */
#ifndef KANE_SIGNAL_SECTION_KERNEL_H
#define KANE_SIGNAL_SECTION_KERNEL_H

#include "analysis/signal/section.h"

typedef void SectionRow(const Section *section, double *row, double *state, size_t channel_count);

LANE_TWINS(SectionRow, section_row);

#endif
