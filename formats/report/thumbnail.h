/* A thumbnail: a pose of a clip as an SVG path of less than a kilobyte. */
#ifndef KANE_REPORT_THUMBNAIL_H
#define KANE_REPORT_THUMBNAIL_H

enum { POSTER_SIZE = 100, POSTER_TEXT = 700 };

/* Writes the d attribute of an SVG path in a square of POSTER_SIZE units, to be stroked with thick round lines: trunk,
 * head and limbs of one sample of the motion features, seen from the front left, with the lowest point at the bottom.
 * Features contain only the direction of trunk and head; their lengths are averages. Returns the length of text, 0 if
 * the sample has no pose. */
int thumbnail_draw(const unsigned char *sample, char text[POSTER_TEXT]);

/* Returns the sample with a pose nearest to t, s after the start of the clip, or NULL if there is none. t NaN: the
 * middle. */
const unsigned char *thumbnail_sample(const unsigned char *samples, int count, double t);

#endif
