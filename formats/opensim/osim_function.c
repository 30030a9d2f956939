/* See osim_function.h.
 *
 * SimmSpline, which older files call NaturalCubicSpline though it is not natural, is the cubic spline of Forsythe,
 * Malcolm and Moler (Computer Methods for Mathematical Computations, 1977, section 4.4): its third derivatives at the
 * ends are those of the cubics through the first four and the last four points. Here it is solved for the second
 * derivatives m of its points: with steps h,
 *   h[i-1] m[i-1] + 2 (h[i-1] + h[i]) m[i] + h[i] m[i+1] = 6 (slope[i] - slope[i-1])
 *   m[1] - m[0] = h[0] t0,  m[n-1] - m[n-2] = h[n-2] t1  with these third derivatives t0, t1 (0 for three points). */
#include "formats/opensim/osim_function.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "formats/opensim/osim_values.h"

enum { MAX_POINTS = 100000 };

static double *space(Arena *memory, int count) { return arena_array(memory, (size_t)count, 1, sizeof(double)); }

OsimFunction osim_constant(double value, Arena *memory)
{
    OsimFunction f = {.kind = OSIM_POLYNOMIAL, .count = 1, .y = space(memory, 1), .scale = 1};
    if (f.y)
        f.y[0] = value;
    return f;
}

OsimFunction osim_identity(Arena *memory)
{
    OsimFunction f = {.kind = OSIM_POLYNOMIAL, .count = 2, .y = space(memory, 2), .scale = 1};
    if (f.y)
        f.y[1] = 1;
    return f;
}

/* ---- Splines ---- */

/* Third derivative of the cubic through four points: 6 times its third divided difference. */
static double third_derivative(const double *x, const double *y)
{
    double d[4] = {y[0], y[1], y[2], y[3]};
    for (int order = 1; order < 4; order++)
        for (int i = 3; i >= order; i--)
            d[i] = (d[i] - d[i - 1]) / (x[i] - x[i - order]);
    return 6 * d[3];
}

/* Solves for the second derivatives m by elimination of the three diagonals. upper: scratch. */
static void second_derivatives(const OsimFunction *f, double *upper, double *m)
{
    int n = f->count, last = n - 1;
    const double *x = f->x, *y = f->y;
    double first = n > 3 ? third_derivative(x, y) : 0, end = n > 3 ? third_derivative(x + n - 4, y + n - 4) : 0;
    upper[0] = -1; /* m[0] - m[1] = -h[0] t0 */
    m[0] = -(x[1] - x[0]) * first;
    for (int i = 1; i < n; i++) {
        double h = x[i] - x[i - 1], next = i < last ? x[i + 1] - x[i] : 0;
        double lower = i < last ? h : -1, middle = i < last ? 2 * (h + next) : 1;
        double right = i < last ? 6 * ((y[i + 1] - y[i]) / next - (y[i] - y[i - 1]) / h) : h * end;
        double pivot = middle - lower * upper[i - 1];
        upper[i] = next / pivot;
        m[i] = (right - lower * m[i - 1]) / pivot;
    }
    for (int i = last; i-- > 0;)
        m[i] -= upper[i] * m[i + 1];
}

static Status fit_spline(OsimFunction *f, Arena *memory, Error *err)
{
    int n = f->count;
    f->slope = space(memory, n);
    double *upper = space(memory, n), *m = space(memory, n);
    if (memory->failed)
        return error_no_memory(err);
    if (n > 2)
        second_derivatives(f, upper, m);
    for (int i = 0; i < n; i++) {
        int a = i < n - 1 ? i : i - 1;
        double h = f->x[a + 1] - f->x[a], chord = (f->y[a + 1] - f->y[a]) / h;
        f->slope[i] = i < n - 1 ? chord - h * (2 * m[a] + m[a + 1]) / 6 : chord + h * (m[a] + 2 * m[a + 1]) / 6;
    }
    return STATUS_OK;
}

/* ---- Reading ---- */

static Status read_points(const XmlElement *element, const char *owner, Arena *memory, OsimFunction *out, Error *err)
{
    OsimNumbers xs, ys;
    Status status = osim_numbers(element, "x", MAX_POINTS, memory, &xs, err);
    if (!status)
        status = osim_numbers(element, "y", MAX_POINTS, memory, &ys, err);
    if (status)
        return status;
    if (xs.count != ys.count || xs.count < 1)
        return xml_error(element, STATUS_BAD_INPUT, err, "%.60s: %s has %d values of x and %d of y", owner,
                         element->name, xs.count, ys.count);
    out->x = xs.value;
    out->y = ys.value;
    out->count = xs.count;
    for (int i = 1; i < out->count; i++)
        if (!(out->x[i] > out->x[i - 1]))
            return xml_error(element, STATUS_BAD_INPUT, err, "%.60s: the x of %s do not increase at point %d", owner,
                             element->name, i + 1);
    return out->kind == OSIM_SPLINE && out->count > 1 ? fit_spline(out, memory, err) : STATUS_OK;
}

/* Coefficients in the file begin with the highest power. */
static Status read_polynomial(const XmlElement *element, const char *owner, Arena *memory, OsimFunction *out,
                              Error *err)
{
    OsimNumbers powers;
    Status status = osim_numbers(element, "coefficients", MAX_POINTS, memory, &powers, err);
    if (status)
        return status;
    out->y = powers.value;
    out->count = powers.count;
    if (out->count < 1)
        return xml_error(element, STATUS_BAD_INPUT, err, "%.60s: %s has no coefficients", owner, element->name);
    for (int low = 0, high = out->count - 1; low < high; low++, high--) {
        double kept = out->y[low];
        out->y[low] = out->y[high];
        out->y[high] = kept;
    }
    return STATUS_OK;
}

static Status read_constant(const XmlElement *element, Arena *memory, OsimFunction *out, Error *err)
{
    double value = 0;
    Status status = osim_number(element, "value", &value, err);
    *out = osim_constant(value, memory);
    return status || !memory->failed ? status : error_no_memory(err);
}

/* The element of a multiple's function: <function><Constant>, with or without <function>. */
static const XmlElement *inner(const XmlElement *multiplier)
{
    const XmlElement *holder = xml_first(multiplier, "function");
    return holder ? holder->first : NULL;
}

Status osim_function_read(const XmlElement *element, const char *owner, Arena *memory, OsimFunction *out, Error *err)
{
    static const struct { const char *name; OsimFunctionKind kind; } kinds[] = {
        {"LinearFunction", OSIM_POLYNOMIAL},       {"PolynomialFunction", OSIM_POLYNOMIAL},
        {"SimmSpline", OSIM_SPLINE},               {"NaturalCubicSpline", OSIM_SPLINE},
        {"natCubicSpline", OSIM_SPLINE},           {"PiecewiseLinearFunction", OSIM_PIECEWISE_LINEAR},
    };
    double scale = 1, factor = 1;
    Status status = STATUS_OK;
    *out = (OsimFunction){.scale = 1};
    while (!status && element && strcmp(element->name, "MultiplierFunction") == 0) {
        status = osim_number(element, "scale", &factor, err);
        scale *= factor;
        factor = 1;
        const XmlElement *within = inner(element);
        if (!within && !status)
            return xml_error(element, STATUS_BAD_INPUT, err, "%.60s: a MultiplierFunction without a function", owner);
        element = within;
    }
    if (status)
        return status;
    if (strcmp(element->name, "Constant") == 0) {
        status = read_constant(element, memory, out, err);
    } else {
        size_t k = 0, count = sizeof kinds / sizeof *kinds;
        while (k < count && strcmp(kinds[k].name, element->name) != 0)
            k++;
        if (k == count)
            return xml_error(element, STATUS_BAD_INPUT, err, "%.60s: the function %.60s is not supported", owner,
                             element->name);
        out->kind = kinds[k].kind;
        status = out->kind == OSIM_POLYNOMIAL ? read_polynomial(element, owner, memory, out, err)
                                              : read_points(element, owner, memory, out, err);
    }
    out->scale = scale;
    return status;
}

/* ---- Values ---- */

static double polynomial(const OsimFunction *f, double x, double *slope)
{
    double value = 0, rate = 0;
    for (int k = f->count - 1; k >= 0; k--) {
        rate = rate * x + value;
        value = value * x + f->y[k];
    }
    *slope = rate;
    return value;
}

/* The interval of x: its first point. */
static int interval(const OsimFunction *f, double x)
{
    int low = 0, high = f->count - 1;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (x < f->x[middle])
            high = middle;
        else
            low = middle;
    }
    return low;
}

static double straight(const OsimFunction *f, int i, double rate, double x, double *slope)
{
    *slope = rate;
    return f->y[i] + rate * (x - f->x[i]);
}

static double between_points(const OsimFunction *f, double x, double *slope)
{
    int last = f->count - 1, i = interval(f, x);
    if (last == 0)
        return straight(f, 0, 0, x, slope);
    double h = f->x[i + 1] - f->x[i], rise = f->y[i + 1] - f->y[i], chord = rise / h;
    if (f->kind == OSIM_PIECEWISE_LINEAR)
        return straight(f, i, chord, x, slope);
    if (x < f->x[0])
        return straight(f, 0, f->slope[0], x, slope);
    if (x > f->x[last])
        return straight(f, last, f->slope[last], x, slope);
    double t = x - f->x[i], square = (3 * chord - 2 * f->slope[i] - f->slope[i + 1]) / h;
    double cube = (f->slope[i] + f->slope[i + 1] - 2 * chord) / (h * h);
    *slope = f->slope[i] + t * (2 * square + t * 3 * cube);
    return f->y[i] + t * (f->slope[i] + t * (square + t * cube));
}

double osim_function_value(const OsimFunction *f, double x, double *slope)
{
    double rate, value = f->kind == OSIM_POLYNOMIAL ? polynomial(f, x, &rate) : between_points(f, x, &rate);
    if (slope)
        *slope = f->scale * rate;
    return f->scale * value;
}

int osim_function_is_linear(const OsimFunction *f, double c[2])
{
    int power = f->kind == OSIM_POLYNOMIAL ? f->count - 1 : f->count;
    while (f->kind == OSIM_POLYNOMIAL && power > 1 && f->y[power] == 0)
        power--;
    if (f->kind != OSIM_POLYNOMIAL || power > 1)
        return 0;
    c[0] = f->scale * f->y[0];
    c[1] = power > 0 ? f->scale * f->y[1] : 0;
    return 1;
}
