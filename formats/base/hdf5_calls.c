/* See hdf5_calls.h. */
#include "formats/base/hdf5_calls.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#ifndef KANE_HDF5 /* soname of the library that -lhdf5 denotes, from the Makefile */
#define KANE_HDF5 "libhdf5.so"
#endif

Hdf5Calls hdf5;

static char failure[256]; /* empty: loaded */

static void find(void *library, const char *name, void *pointer)
{
    void *found = dlsym(library, name);
    if (!found)
        snprintf(failure, sizeof failure, "%s has no %s", KANE_HDF5, name);
    memcpy(pointer, &found, sizeof found); /* ISO C converts no object pointer to one of a function */
}

static void load(void)
{
    void *library = dlopen(KANE_HDF5, RTLD_LAZY | RTLD_LOCAL);
    if (!library) {
        const char *reason = dlerror();
        snprintf(failure, sizeof failure, "%s", reason ? reason : KANE_HDF5 " cannot be loaded");
        return;
    }
#define FIND(name) find(library, "H5" #name, &hdf5.name);
    HDF5_CALLS(FIND)
#undef FIND
#define FIND(name) find(library, "H5" #name "_g", &hdf5.name);
    HDF5_VARIABLES(FIND)
}

Status hdf5_load(Error *err)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    if (*failure)
        return error_set(err, STATUS_IO, "clip files cannot be read without libhdf5: %s", failure);
    return hdf5.open() < 0 ? error_set(err, STATUS_INTERNAL, "HDF5 does not start") : STATUS_OK;
}
