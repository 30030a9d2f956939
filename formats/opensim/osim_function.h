/* Functions of one coordinate in an OpenSim model: constant, linear, polynomial, piecewise linear, cubic spline, and
 * multiples of these. */
#ifndef KANE_OPENSIM_OSIM_FUNCTION_H
#define KANE_OPENSIM_OSIM_FUNCTION_H

#include "analysis/base/arena.h"
#include "analysis/base/status.h"
#include "formats/base/xml_tree.h"

typedef enum OsimFunctionKind { OSIM_POLYNOMIAL, OSIM_PIECEWISE_LINEAR, OSIM_SPLINE } OsimFunctionKind;

typedef struct OsimFunction {
    OsimFunctionKind kind;
    int count;       /* coefficients, or points; at least 1 */
    double *x;       /* [count] of the points, increasing; NULL: a polynomial */
    double *y;       /* [count] of the points; or coefficients, of power 0 first */
    double *slope;   /* [count] of a spline at its points */
    double scale;    /* factor of the value */
} OsimFunction;

/* Reads a function element such as <SimmSpline>. owner: the joint in messages. STATUS_BAD_INPUT, with the line, for
 * another kind of function and for points that do not increase. Arrays are of `memory`. */
Status osim_function_read(const XmlElement *element, const char *owner, Arena *memory, OsimFunction *out, Error *err);

/* The function that is always `value`, and the one that is its argument. */
OsimFunction osim_constant(double value, Arena *memory);
OsimFunction osim_identity(Arena *memory);

/* Value at x, and its derivative unless slope is NULL. Points are continued by straight lines. */
double osim_function_value(const OsimFunction *f, double x, double *slope);

/* Whether it is a constant, or linear; coefficients then are value = c[0] + c[1] x. */
int osim_function_is_linear(const OsimFunction *f, double c[2]);

#endif
