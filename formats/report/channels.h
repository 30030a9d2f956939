/* The quantities of an actor as series: turns of the joints, torque, ground force and so on, each with its name, unit
 * and number of series. What the clip lacks is left out. */
#ifndef KANE_FORMATS_REPORT_CHANNELS_H
#define KANE_FORMATS_REPORT_CHANNELS_H

#include <stdio.h>

#include "formats/report/actor.h"
#include "formats/report/series.h"

/* Appends the series to block and writes a JSON list to json, in the order of the series:
 * {"name", "unit", "series": [[least, step] ...]}.
 *
 * Of a pose, a place or a force the sample is its first frame; of a load or an error it is the frame, of all that the
 * sample stands for, in which it is largest in size, so that no peak is lost. */
Status channels_write(const Actor *actor, SeriesBlock *block, FILE *json, Error *err);

/* How many anatomical coordinates have series: none of a controller, nor in a page too long to show every frame. */
int channels_coordinate_count(const Actor *actor);

#endif
