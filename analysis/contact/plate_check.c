/* Check of force plates against the motion (plate_check.h). */
#include "analysis/contact/plate_check.h"

#include <math.h>

#include "analysis/clip/contact.h"
#include "analysis/math/vec.h"

static Vec3 read_plate_signal(const PlateSignals *s, int frame, PlatePart part)
{
    return vec3(plate_signal(s, frame, part, PLATE_FORWARD), plate_signal(s, frame, part, PLATE_UP),
                plate_signal(s, frame, part, PLATE_RIGHTWARD));
}

static double distance_of_foot(const PlateCase *c, const PlateSignals *s, int frame, int foot)
{
    size_t at = (size_t)frame * FOOT_COUNT + (size_t)foot;
    Vec3 plates = read_plate_signal(s, frame, (PlatePart)(PLATES_LEFT + foot));
    Vec3 estimate = read_plate_signal(s, frame, (PlatePart)(ESTIMATE_LEFT + foot));
    Vec3 force = vec3_sub(plates, estimate);
    Vec3 pressure = vec3_sub(c->plates->foot_cop[at], c->estimate->foot_cop[at]);
    double load = fmin(c->plates->foot_force[at].y, c->estimate->foot_force[at].y) / s->weight;
    double moment = fmax(0, load) * sqrt(pressure.x * pressure.x + pressure.z * pressure.z) / PLATE_PRESSURE_LENGTH;
    return sqrt(vec3_dot(force, force) + moment * moment);
}

double plate_distance(const PlateCase *c, const PlateSignals *s, int frame)
{
    return fmax(distance_of_foot(c, s, frame, FOOT_LEFT), distance_of_foot(c, s, frame, FOOT_RIGHT));
}

/* Whether a finding contradicts the forces. */
static int contradicts_forces(const PlateErrors *errors, int mass_is_given)
{
    for (int i = 0; i < errors->count; i++)
        if (errors->error[i].kind != PLATES_SCALE || mass_is_given)
            return 1;
    return 0;
}

static int has_load(const PlateCase *c, const PlateSignals *s, int frame)
{
    for (int foot = 0; foot < FOOT_COUNT; foot++)
        if (vec3_norm(plate_foot_force(c->plates, frame, foot)) > PLATES_MIN_LOAD * s->weight)
            return 1;
    return 0;
}

Status plate_check(const PlateCase *c, PlateReport *out, Arena *arena, Error *err)
{
    PlateSignals s;
    uint8_t *doubted = arena_array(arena, (size_t)c->plates->frame_count, 1, 1);
    *out = (PlateReport){.is_doubted = doubted};
    Status status;
    if ((status = plate_signals_find(c, &s, arena, err)) || (status = plate_measures_find(c, &s, &out->measures, err)))
        return status;
    plate_errors_find(&out->measures, plate_sound, &out->errors);
    int contradicts = contradicts_forces(&out->errors, c->mass_is_given);
    for (int f = 0; f < s.frame_count; f++)
        doubted[f] = !s.is_unseen[f] && ((contradicts && has_load(c, &s, f)) ||
                                         plate_distance(c, &s, f) > PLATE_SPREAD);
    out->is_unseen = s.is_unseen;
    return STATUS_OK;
}
