/* Reads untrusted clip files with libhdf5 in a child process with resource limits.
 *
 * libhdf5 is not hardened: corrupted bytes can make it crash or loop. The child has limits of time and memory and
 * returns its result through a pipe; the result is untrusted too. The parent never reads the image, so a mapped file
 * that is truncated meanwhile only affects the child. Cost: a fork, about 0.3 ms; in a host program with gigabytes of
 * memory 10 ms or more, because page tables are copied.
 *
 * In a multithreaded host program, the child is a copy of this thread only. If another thread is inside the same
 * libhdf5 at that moment, the child may fail, which is reported as a damaged file. */
#ifndef KANE_CONTAINER_CONTAINER_GUARD_H
#define KANE_CONTAINER_CONTAINER_GUARD_H

#include "analysis/base/status.h"
#include "formats/container/container_layout.h"

/* Runs in the child: fills layout and scratch; wish is a copy of the parent's data at the call. */
typedef Status (*GuardedWork)(const ContainerImage *image, const void *wish, ContainerLayout *layout, Scratch *scratch,
                              Error *err);

/* Returns the result of work; STATUS_BAD_INPUT if the child died. The caller frees scratch->bytes. */
Status container_guard(const ContainerImage *image, GuardedWork work, const void *wish, ContainerLayout *layout,
                       Scratch *scratch, Error *err);

#endif
