/* Forces of the surroundings at other times. */
#ifndef KANE_MOTION_RESAMPLE_CONTACT_H
#define KANE_MOTION_RESAMPLE_CONTACT_H

#include "analysis/clip/contact.h"
#include "analysis/clip/motion.h"

/* The forces of a motion whose first time and frame time are given, at the times of another: forces and couples in
 * straight lines from frame to frame, centres of pressure by what each frame's vertical force weighs. Fills *out. */
Status contact_resample(const Contact *from, double first_time, double frame_time, const Motion *now, Contact *out,
                        Error *err);

#endif
