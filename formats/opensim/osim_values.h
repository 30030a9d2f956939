/* Values of elements of an OpenSim model: numbers, vectors, flags. A missing element keeps the caller's value. Errors
 * have the element's line. */
#ifndef KANE_OPENSIM_OSIM_VALUES_H
#define KANE_OPENSIM_OSIM_VALUES_H

#include "analysis/base/arena.h"
#include "analysis/base/status.h"
#include "analysis/math/vec.h"
#include "formats/base/xml_tree.h"

/* Largest value of any number. */
#define OSIM_LARGEST 1e9

/* Read the child `name` of an element. */
Status osim_number(const XmlElement *element, const char *name, double *value, Error *err);
Status osim_vector(const XmlElement *element, const char *name, double *value, int count, Error *err);
Status osim_vec3(const XmlElement *element, const char *name, Vec3 *value, Error *err);
Status osim_flag(const XmlElement *element, const char *name, int *value, Error *err);

typedef struct OsimNumbers {
    double *value; /* [count], of an arena */
    int count;
} OsimNumbers;

/* Reads up to max numbers into an array of `memory`; a missing element has none. */
Status osim_numbers(const XmlElement *element, const char *name, int max, Arena *memory, OsimNumbers *out, Error *err);

/* The name of the element, "" without one. */
const char *osim_name(const XmlElement *element);

/* The part of a path after its last slash: "pelvis" of "/bodyset/pelvis". */
const char *osim_path_end(const char *path);

#endif
