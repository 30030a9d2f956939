/* A pose of a clip as a small drawing: the path of an SVG, of less than a kilobyte. */
#ifndef KANE_FORMATS_POSTER_H
#define KANE_FORMATS_POSTER_H

#include "analysis/stats/motion_sketch.h"

enum { POSTER_SIZE = 100, POSTER_TEXT = 700 };

/* Writes the d of a path in a square of POSTER_SIZE units, to be drawn with thick round lines: trunk, head and limbs of
 * a sample of a sketch, seen from the left and the front with what is up at the top, the lowest point at the bottom.
 * Trunk and head, of which a sketch tells only the direction, are as long as most people's. "" where the sample holds
 * no pose. Returns its length. */
int poster_draw(const unsigned char *sample, char text[POSTER_TEXT]);

/* The sample nearest to a time, s after the clip's begin, that holds a pose; NULL where none does. t may be NaN: the
 * middle. */
const unsigned char *poster_sample(const unsigned char *samples, int count, double t);

#endif
