/* Open file descriptors of this process. */
#ifndef KANE_TESTS_DESCRIPTORS_H
#define KANE_TESTS_DESCRIPTORS_H

#include <dirent.h>

/* Returns their number, with that of the listing itself; -1: unknown. */
static inline int open_descriptors(void)
{
    DIR *folder = opendir("/proc/self/fd");
    int count = folder ? 0 : -1;
    while (folder && readdir(folder))
        count++;
    if (folder)
        closedir(folder);
    return count;
}

#endif
