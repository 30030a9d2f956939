/* Force plates of a C3D file (c3d_plates.h).
 *
 * Axes of a plate (user guide): x from corner 2 to 1, y from corner 4 to 1, z = x cross y, into the surface. ORIGIN is
 * the vector from the origin of the measurement to the centre of the surface, which lies at negative z; files with the
 * opposite sign are in use, and are read as meant. The measured force is that on the body. */
#include "formats/c3d/c3d_plates.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "analysis/base/arena.h"
#include "analysis/clip/contact.h"

#define PLATES_MAX 64
#define VALUES_MAX 100e6 /* plates x samples */
#define CHANNELS_MAX 8
#define VALUES 6         /* Fx Fy Fz Mx My Mz about the measurement's origin; type 1: Fx Fy Fz Px Py Mz */
#define LOADED 50.0      /* N: a force with a comparable centre of pressure */
#define MARGIN 0.1       /* of the plate's size: accuracy of corners and pressures */

typedef enum PlateType { COP_PLATE = 1, MOMENT_PLATE = 2, KISTLER_PLATE = 3, MATRIX_PLATE = 4 } PlateType;

typedef struct PlateReader {
    const C3d *c3d;
    int number, type, channel_count;
    C3dChannel channel[CHANNELS_MAX];
    double baseline[CHANNELS_MAX];
    double matrix[VALUES][VALUES]; /* of type 4 */
    Vec3 axis[3];                  /* of the plate, in axes of the file */
    Vec3 centre, origin;           /* m; origin in plate axes */
    double half[2];                /* m, half the sides along x and y */
    double force_unit, length_unit; /* N, m: of channels */
} PlateReader;

static const C3dParameter *of_plates(const C3d *c, const char *name)
{
    return c3d_find(&c->parameters, "FORCE_PLATFORM", name);
}

int c3d_plate_count(const C3d *c3d)
{
    double used = c3d_count(&c3d->parameters, of_plates(c3d, "USED"), 0, 0);
    return used > 0 && used < 32767 ? (int)used : 0;
}

int c3d_plate_type(const C3d *c3d, int plate)
{
    return (int)c3d_number(&c3d->parameters, of_plates(c3d, "TYPE"), (size_t)plate, 0);
}

static Status fails(const PlateReader *r, Error *err, const char *what)
{
    return error_set(err, STATUS_BAD_INPUT, "force plate %d: %s", r->number + 1, what);
}

/* ---- Geometry ---- */

static Status read_triple(const PlateReader *r, const C3dParameter *from, size_t at, Vec3 *out, Error *err)
{
    double v[3];
    for (size_t i = 0; i < 3; i++)
        if (!isfinite(v[i] = c3d_number(&r->c3d->parameters, from, at + i, NAN)))
            return fails(r, err, "FORCE_PLATFORM:CORNERS or ORIGIN is missing or no number");
    *out = vec3_scale(vec3_load(v), r->c3d->metres_per_unit);
    return STATUS_OK;
}

static Status read_surface(PlateReader *r, Plate *plate, Error *err)
{
    const C3dParameter *corners = of_plates(r->c3d, "CORNERS"), *origin = of_plates(r->c3d, "ORIGIN");
    Status status = read_triple(r, origin, 3 * (size_t)r->number, &r->origin, err);
    plate->centre = vec3(0, 0, 0);
    for (size_t i = 0; !status && i < PLATE_CORNERS; i++) {
        status = read_triple(r, corners, 3 * (PLATE_CORNERS * (size_t)r->number + i), &plate->corner[i], err);
        plate->centre = vec3_mad(plate->centre, 0.25, plate->corner[i]);
    }
    if (status)
        return status;
    Vec3 x = vec3_sub(plate->corner[0], plate->corner[1]), y = vec3_sub(plate->corner[0], plate->corner[3]);
    r->axis[0] = vec3_normalize(x);
    r->axis[2] = vec3_normalize(vec3_cross(r->axis[0], y));
    r->axis[1] = vec3_cross(r->axis[2], r->axis[0]);
    r->half[0] = vec3_norm(x) / 2;
    r->half[1] = vec3_norm(y) / 2;
    r->centre = plate->centre;
    if (r->type != KISTLER_PLATE && r->origin.z > 0)
        r->origin = vec3_neg(r->origin);
    plate->normal = vec3_neg(r->axis[2]);
    plate->has_surface = 1;
    return vec3_norm(r->axis[2]) > 0 ? STATUS_OK : fails(r, err, "its corners lie on one line");
}

static Vec3 to_file(const PlateReader *r, Vec3 v)
{
    return vec3_mad(vec3_mad(vec3_scale(r->axis[0], v.x), v.y, r->axis[1]), v.z, r->axis[2]);
}

/* ---- Channels ---- */

static Status read_channels(PlateReader *r, Error *err)
{
    const C3dParameter *list = of_plates(r->c3d, "CHANNEL");
    int stride = list && list->dimension_count > 1 ? list->dimension[0] : r->channel_count;
    if (stride < r->channel_count)
        return fails(r, err, "FORCE_PLATFORM:CHANNEL has too few channels");
    for (int i = 0; i < r->channel_count; i++) {
        double number = c3d_number(&r->c3d->parameters, list, (size_t)(stride * r->number + i), 0);
        if (!(number >= 1 && number <= r->c3d->channel_count))
            return fails(r, err, "FORCE_PLATFORM:CHANNEL names a channel that the file does not have");
        r->channel[i] = c3d_channel(r->c3d, (int)number - 1);
        if (!isfinite(r->channel[i].scale) || !isfinite(r->channel[i].offset))
            return fails(r, err, "ANALOG:SCALE or OFFSET of its channels is no number");
    }
    return STATUS_OK;
}

static Status read_matrix(PlateReader *r, Error *err)
{
    const C3dParameter *matrix = of_plates(r->c3d, "CAL_MATRIX");
    char order[16];
    c3d_text(&r->c3d->parameters, of_plates(r->c3d, "MATRIX_STORE"), 0, order, sizeof order);
    int by_row = !strcasecmp(order, "BYROW");
    for (size_t i = 0; r->type == MATRIX_PLATE && i < VALUES; i++)
        for (size_t j = 0; j < VALUES; j++) {
            size_t at = VALUES * VALUES * (size_t)r->number + (by_row ? VALUES * i + j : VALUES * j + i);
            if (!isfinite(r->matrix[i][j] = c3d_number(&r->c3d->parameters, matrix, at, NAN)))
                return fails(r, err, "of type 4, but FORCE_PLATFORM:CAL_MATRIX is missing or no number");
        }
    return STATUS_OK;
}

/* Returns the unit of a channel as text: "N", "Nmm". */
static void channel_unit(const PlateReader *r, int channel, char *text, size_t size)
{
    c3d_long_text(r->c3d, "ANALOG", "UNITS", r->channel[channel].number, text, size);
}

/* Forces in N unless the unit is kN or lbf; moments per length unit of the points unless it is stated. */
static void find_units(PlateReader *r)
{
    char force[16], moment[16];
    channel_unit(r, 2, force, sizeof force);
    channel_unit(r, 3, moment, sizeof moment);
    r->force_unit = !strcasecmp(force, "kN") ? 1000 : !strncasecmp(force, "lb", 2) ? 4.4482216152605 : 1;
    r->length_unit = r->c3d->metres_per_unit;
    if (r->type == COP_PLATE || r->type == KISTLER_PLATE)
        return;
    size_t length = strlen(moment);
    if (strcasestr(moment, "mm"))
        r->length_unit = 1e-3;
    else if (strcasestr(moment, "cm"))
        r->length_unit = 1e-2;
    else if (length > 1 && (*moment == 'N' || *moment == 'n') && moment[length - 1] == 'm')
        r->length_unit = 1;
}

/* ---- Samples ---- */

/* Forces and moments about the origin of the measurement of an 8-channel plate: fx12 fx34 fy14 fy23 fz1 fz2 fz3 fz4;
 * ORIGIN is a, b and the depth of the sensors. */
static void sum_sensors(const PlateReader *r, const double v[CHANNELS_MAX], double out[VALUES])
{
    double a = fabs(r->origin.x), b = fabs(r->origin.y);
    out[0] = v[0] + v[1];
    out[1] = v[2] + v[3];
    out[2] = v[4] + v[5] + v[6] + v[7];
    out[3] = b * (v[4] + v[5] - v[6] - v[7]);
    out[4] = a * (-v[4] + v[5] + v[6] - v[7]);
    out[5] = b * (-v[0] + v[1]) + a * (v[2] - v[3]);
}

static void calibrated(const PlateReader *r, const double v[CHANNELS_MAX], double out[VALUES])
{
    for (int i = 0; i < VALUES; i++) {
        out[i] = r->type == MATRIX_PLATE ? 0 : v[i];
        for (int j = 0; r->type == MATRIX_PLATE && j < VALUES; j++)
            out[i] += r->matrix[i][j] * v[j];
    }
}

/* Force and moment about the centre of the surface, in plate axes, with moments per unit of length of the file. */
static void about_centre(const PlateReader *r, const double v[CHANNELS_MAX], Vec3 *force, Vec3 *moment)
{
    double w[VALUES], length = r->length_unit;
    Vec3 to_centre = r->origin;
    if (r->type == KISTLER_PLATE) {
        sum_sensors(r, v, w);
        length = 1;
        to_centre = vec3(0, 0, -fabs(r->origin.z));
    } else {
        calibrated(r, v, w);
    }
    *force = vec3_load(w);
    *moment = vec3_scale(vec3_load(w + 3), length);
    if (r->type == COP_PLATE) { /* positions in place of two moments */
        Vec3 point = vec3_sub(vec3(moment->x, moment->y, 0), vec3(to_centre.x, to_centre.y, 0));
        *moment = vec3_add(vec3(0, 0, moment->z), vec3_cross(point, *force));
    } else {
        *moment = vec3_sub(*moment, vec3_cross(to_centre, *force));
    }
    *force = vec3_scale(*force, r->force_unit);
    *moment = vec3_scale(*moment, r->force_unit);
}

static Status read_sample(const PlateReader *r, int sample, Vec3 *force, Vec3 *moment, Error *err)
{
    double v[CHANNELS_MAX];
    for (int i = 0; i < r->channel_count; i++) {
        v[i] = c3d_sample(r->c3d, &r->channel[i], sample) - r->baseline[i];
        if (!isfinite(v[i]))
            return error_set(err, STATUS_BAD_INPUT, "analogue channel %d: sample %d is no number",
                             r->channel[i].number + 1, sample + 1);
    }
    about_centre(r, v, force, moment);
    return STATUS_OK;
}

/* Means of the channels over the analogue samples of ZERO, which are counted from 1. Positions of type 1 have none. */
static void find_baseline(PlateReader *r)
{
    const C3d *c = r->c3d;
    double first = c3d_number(&c->parameters, of_plates(c, "ZERO"), 0, 0);
    double last = c3d_number(&c->parameters, of_plates(c, "ZERO"), 1, 0);
    if (!(first >= 1 && last >= first && last <= c3d_sample_count(c)))
        return;
    int from = (int)first - 1, to = (int)last;
    for (int i = 0; i < r->channel_count; i++) {
        double sum = 0;
        for (int s = from; s < to; s++)
            sum += c3d_sample(c, &r->channel[i], s);
        r->baseline[i] = r->type == COP_PLATE && (i == 3 || i == 4) ? 0 : sum / (to - from);
    }
}

/* ---- Unit of moments ---- */

/* Fraction of the loaded samples whose pressure is on the plate with this unit of moments. */
static double on_plate(PlateReader *r, double length_unit)
{
    double stated = r->length_unit;
    int loaded = 0, on = 0, samples = c3d_sample_count(r->c3d);
    r->length_unit = length_unit;
    for (int s = 0; s < samples; s++) {
        Vec3 force, moment;
        if (read_sample(r, s, &force, &moment, NULL) || !(fabs(force.z) > LOADED))
            continue;
        double x = -moment.y / force.z, y = moment.x / force.z;
        loaded++;
        on += fabs(x) <= (1 + MARGIN) * r->half[0] && fabs(y) <= (1 + MARGIN) * r->half[1];
    }
    r->length_unit = stated;
    return loaded ? (double)on / loaded : 1;
}

/* Takes N m or N mm if the stated unit puts the pressure off the plate and the other puts it on. In N mm, everything
 * read as N m lies at the centre of the plate, so the larger unit is tried first. */
static void check_unit(PlateReader *r)
{
    static const double others[] = {1, 1e-3};
    if (r->type == KISTLER_PLATE || on_plate(r, r->length_unit) > 0.5)
        return;
    for (int i = 0; i < 2; i++)
        if (on_plate(r, others[i]) > 0.9) {
            r->length_unit = others[i];
            return;
        }
}

/* ---- All ---- */

static Status prepare(PlateReader *r, PlateZero zero, Plate *plate, Error *err)
{
    snprintf(plate->name, sizeof plate->name, "plate %d", r->number + 1);
    plate->foot = FOOT_COUNT;
    r->type = c3d_plate_type(r->c3d, r->number);
    r->channel_count = r->type == KISTLER_PLATE ? CHANNELS_MAX : VALUES;
    if (r->type < COP_PLATE || r->type > MATRIX_PLATE)
        return error_set(err, STATUS_BAD_INPUT, "force plate %d is of type %d; kane reads the types 1 to 4: export its "
                         "forces as a table", r->number + 1, r->type);
    Status status;
    if ((status = read_surface(r, plate, err)) || (status = read_channels(r, err)) || (status = read_matrix(r, err)))
        return status;
    find_units(r);
    if (zero == PLATE_ZERO_FILE)
        find_baseline(r);
    check_unit(r);
    return STATUS_OK;
}

/* Size of the force that the baseline is. */
static double baseline_size(const PlateReader *r)
{
    Vec3 force, moment;
    about_centre(r, r->baseline, &force, &moment);
    return vec3_norm(force);
}

static Status read_plate(PlateReader *r, PlateRecord *out, Error *err)
{
    Status status = STATUS_OK;
    out->plate[r->number].baseline = baseline_size(r);
    for (int s = 0; !status && s < out->sample_count; s++) {
        Vec3 force, moment;
        size_t at = plate_index(out, s, r->number);
        if ((status = read_sample(r, s, &force, &moment, err)))
            return fails(r, err, err ? err->text : "");
        out->force[at] = to_file(r, force);
        out->moment[at] = vec3_add(to_file(r, moment), vec3_cross(r->centre, out->force[at]));
    }
    return status;
}

static Status read_plates(const C3d *c3d, PlateZero zero, PlateRecord *out, Error *err)
{
    Status status = STATUS_OK;
    for (int s = 0; s < out->sample_count; s++)
        out->time[s] = s / (c3d->rate * c3d->samples_per_frame);
    for (int p = 0; !status && p < out->plate_count; p++) {
        PlateReader r = {.c3d = c3d, .number = p};
        status = prepare(&r, zero, &out->plate[p], err);
        if (!status)
            status = read_plate(&r, out, err);
    }
    return status;
}

Status c3d_plates(const C3d *c3d, PlateZero zero, PlateRecord *out, Error *err)
{
    int plates = c3d_plate_count(c3d), samples = c3d_sample_count(c3d);
    *out = (PlateRecord){0};
    if (!plates || !samples)
        return error_set(err, STATUS_BAD_INPUT, "has no force plates: FORCE_PLATFORM:USED or the analogue channels "
                         "are missing; export the trial with its analogue data");
    if (plates > PLATES_MAX || (double)plates * samples > VALUES_MAX)
        return error_set(err, STATUS_LIMIT, "%d force plates with %d samples each, more than %d plates or %.0f values",
                         plates, samples, PLATES_MAX, VALUES_MAX);
    Status status = plate_record_init(out, plates, samples, err);
    if (!status)
        status = read_plates(c3d, zero, out, err);
    if (!status && zero == PLATE_ZERO_UNLOADED)
        plate_record_zero(out);
    if (status)
        plate_record_free(out);
    return status;
}
