/* Files of other programs that a person may give for a motion: what they are, and what to do about it. */
#ifndef KANE_FORMATS_FOREIGN_FILE_H
#define KANE_FORMATS_FOREIGN_FILE_H

#include <stddef.h>

/* Bytes of a file's beginning that tell it. */
enum { FOREIGN_FRONT_SIZE = 65536 };

/* "an FBX file: export the take as BVH from the program that made it" for the front of a file, of which kane reads
 * none; NULL where it is none that is known. Valid for the life of the program. */
const char *foreign_file(const char *front, size_t size);

#endif
