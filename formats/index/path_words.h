/* The words of a path, for the full-text search of an index. */
#ifndef KANE_INDEX_PATH_WORDS_H
#define KANE_INDEX_PATH_WORDS_H

/* Splits "LaFAN/jumpsAndStumbles1_subject2.bvh.h5" into "la fan jumps and stumbles 1 subject 2". Words end at
 * characters other than letters and digits, between letters and digits, and before a capital next to a small letter;
 * extensions are dropped. The caller frees the result; NULL if memory runs out. */
char *path_words(const char *path);

#endif
