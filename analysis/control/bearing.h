/* Which points of a body support it in the steps of a reference. */
#ifndef KANE_CONTROL_BEARING_H
#define KANE_CONTROL_BEARING_H

#include "analysis/clip/contact.h"
#include "analysis/control/footing.h"

typedef struct BearingDef {
    const Kinematics *reference; /* of the simulated bodies, a frame per step, as recorded */
    const Footing *ground;       /* that of the recording */
    const Contact *contact;      /* of the clip, whose points are those of the ground; NULL or with other points: points
                                    near the ground that hardly move support */
    double contact_frame_time;   /* s, of the clip */
    double dt;                   /* s */
    double weight;               /* N, of the body */
} BearingDef;

/* Fills supports[step][point] with 1 where a point supports a force. */
void bearing_find(const BearingDef *def, char *supports);

#endif
