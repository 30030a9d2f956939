/* The parameter section of a C3D file: groups of named arrays (C3D user guide, "Parameter section"). */
#ifndef KANE_C3D_C3D_PARAMETERS_H
#define KANE_C3D_C3D_PARAMETERS_H

#include <stddef.h>

#include "analysis/base/status.h"
#include "formats/c3d/c3d_words.h"

enum { C3D_NAME_SIZE = 128, C3D_GROUPS = 128, C3D_DIMENSIONS = 7 };

typedef struct C3dParameter {
    char name[C3D_NAME_SIZE];
    int group;
    int type; /* -1: characters, 1: bytes, 2: words, 4: reals */
    int dimension_count;
    int dimension[C3D_DIMENSIONS]; /* the first varies fastest */
    size_t count;                  /* elements */
    size_t at;                     /* first byte of its data */
} C3dParameter;

typedef struct C3dParameters {
    const unsigned char *bytes; /* of the file; not owned */
    C3dProcessor processor;
    char group[C3D_GROUPS][C3D_NAME_SIZE];
    C3dParameter *parameter; /* [count] owned */
    int count;
} C3dParameters;

/* Reads the section that begins at byte `start`. STATUS_BAD_INPUT names the byte. On failure *out is empty. */
Status c3d_parameters_read(const unsigned char *bytes, size_t size, size_t start, C3dParameters *out, Error *err);
void c3d_parameters_free(C3dParameters *p);

/* Returns a parameter by group and name, such as "POINT" and "RATE", regardless of case; NULL if there is none. */
const C3dParameter *c3d_find(const C3dParameters *p, const char *group, const char *name);

/* An element as a number; `otherwise` if parameter is NULL, text, or has fewer elements. Words are signed. */
double c3d_number(const C3dParameters *p, const C3dParameter *parameter, size_t index, double otherwise);

/* The same with unsigned words, for counts. */
double c3d_count(const C3dParameters *p, const C3dParameter *parameter, size_t index, double otherwise);

/* Number of texts in an array of texts. */
size_t c3d_text_count(const C3dParameter *parameter);

/* Writes text number `index` without surrounding blanks, and other than printable ASCII as '_'; "" if there is none. */
void c3d_text(const C3dParameters *p, const C3dParameter *parameter, size_t index, char *text, size_t size);

#endif
