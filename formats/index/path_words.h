/* The words of a path: what the text search of the index finds a clip by. */
#ifndef KANE_FORMATS_PATH_WORDS_H
#define KANE_FORMATS_PATH_WORDS_H

/* "LaFAN/jumpsAndStumbles1_subject2.bvh.h5" gives "la fan jumps and stumbles 1 subject 2". Words end at anything but
 * letters and digits, where a digit meets a letter, and before a capital that follows a small letter or that a small
 * letter follows; the suffixes of containers are left out. Owned by the caller; NULL without memory. */
char *path_words(const char *path);

#endif
