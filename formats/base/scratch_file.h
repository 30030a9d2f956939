/* Large arrays in an unnamed file instead of in memory, so that a clip may be longer than memory.
 *
 * While a scratch file is open, arrays of several megabytes that array_new, array_space and arenas allocate are
 * mappings of the file, which the system writes to disk when memory runs short. A timer of processor time releases
 * their pages whenever more than `resident` bytes of the process are in memory; what is read again comes back from the
 * file. Values, and with them results, do not change. One file per process. */
#ifndef KANE_BASE_SCRATCH_FILE_H
#define KANE_BASE_SCRATCH_FILE_H

#include <stddef.h>

/* Opens the file in a folder, without a name, so that nothing remains of it. Where that is impossible, or the disk is
 * full, arrays stay in memory. Takes SIGPROF and ITIMER_PROF. */
void scratch_file_open(const char *folder, size_t resident);

/* Later arrays are in memory again; those in the file stay valid until they are freed. */
void scratch_file_close(void);

#endif
