/* What libhdf5 does with a container from outside, it does in a child process with limits.
 *
 * libhdf5 is not hardened: flipped bytes make it crash or run for ever. The child works under limits of time and memory
 * and hands its result back through a pipe; what comes back is not trusted either. The parent never looks into the
 * image, so that a mapping of a file that others cut short harms the child alone. Cost: a fork, some 0.3 ms; in a host
 * program with gigabytes of memory 10 ms or more, since its page tables are copied.
 *
 * In a host program with threads: the child starts as a copy of this thread alone. Where another thread is inside the
 * same libhdf5 at that moment the child may fail, which reads as a damaged container. */
#ifndef KANE_FORMATS_CONTAINER_GUARD_H
#define KANE_FORMATS_CONTAINER_GUARD_H

#include "formats/container/container_layout.h"

/* Runs in the child. Fills layout and scratch; wish is the parent's, as it was at the call. */
typedef Status (*GuardedWork)(const ContainerImage *image, const void *wish, ContainerLayout *layout, Scratch *scratch,
                              Error *err);

/* The result of work; STATUS_BAD_INPUT where the child died over it. scratch->bytes are the caller's to free. */
Status container_guard(const ContainerImage *image, GuardedWork work, const void *wish, ContainerLayout *layout,
                       Scratch *scratch, Error *err);

#endif
