/* See assimp_calls.h. */
#include "scene_helper/assimp_calls.h"

#include <dlfcn.h>
#include <string.h>

#ifndef KANE_ASSIMP /* soname of the library that -lassimp denotes, from the Makefile */
#define KANE_ASSIMP "libassimp.so"
#endif

static int find(void *library, const char *name, void *pointer)
{
    void *found = dlsym(library, name);
    memcpy(pointer, &found, sizeof found); /* ISO C converts no object pointer to one of a function */
    return found != NULL;
}

const char *assimp_load(AssimpCalls *out)
{
    void *library = dlopen(KANE_ASSIMP, RTLD_LAZY | RTLD_LOCAL);
    if (!library)
        return dlerror();
#define FIND(name) \
    if (!find(library, "ai" #name, &out->name)) \
        return KANE_ASSIMP " has no ai" #name;
    ASSIMP_CALLS(FIND)
#undef FIND
    return NULL;
}
