/* Limits of this process before it reads a hostile file: memory, processor time, and system calls.
 *
 * Afterwards the process can use memory, write to files that are open, and end; it can open, create, rename or remove
 * nothing, has no network, and starts no process. */
#ifndef KANE_SCENE_HELPER_SANDBOX_H
#define KANE_SCENE_HELPER_SANDBOX_H

#include <stddef.h>

/* Returns 0, or -1 with errno. A kernel without seccomp leaves the resource limits, under which no file can be opened
 * or grow. */
int sandbox_enter(size_t megabytes, unsigned seconds);

#endif
