/* Force plates as a file records them: forces per plate, not yet attributed to feet. */
#ifndef KANE_CONTACT_PLATE_RECORD_H
#define KANE_CONTACT_PLATE_RECORD_H

#include "analysis/base/status.h"
#include "analysis/math/vec.h"

enum { PLATE_CORNERS = 4, PLATE_NAME_SIZE = 32 };

typedef struct Plate {
    char name[PLATE_NAME_SIZE];  /* "plate 1", "ground_force_r" */
    int foot;                    /* FOOT_LEFT, FOOT_RIGHT: its only user, by its name; FOOT_COUNT: unknown */
    int has_surface;             /* 0: the members below are unknown */
    Vec3 corner[PLATE_CORNERS];  /* m, in the order of the file */
    Vec3 centre;                 /* m, mean of the corners */
    Vec3 normal;                 /* unit, out of the surface, towards the body */
    double baseline;             /* N, size of the force that was subtracted as that of the unloaded plate */
} Plate;

typedef struct PlateRecord {
    int plate_count, sample_count;
    Plate *plate; /* [plate] */
    double *time; /* [sample] s, increasing */
    Vec3 *force;  /* [sample][plate] N, on the body */
    Vec3 *moment; /* [sample][plate] N m, about the origin */
} PlateRecord;

Status plate_record_init(PlateRecord *record, int plate_count, int sample_count, Error *err);
void plate_record_free(PlateRecord *record);

static inline size_t plate_index(const PlateRecord *r, int sample, int plate)
{
    return (size_t)sample * (size_t)r->plate_count + (size_t)plate;
}

/* Centre of pressure: where the force crosses the plane through `origin` with this normal; the origin if the force
 * along the normal is below 1 N. */
Vec3 plate_pressure(Vec3 force, Vec3 moment, Vec3 origin, Vec3 normal);

/* Linear interpolation at a time; zero outside the recording. */
void plate_record_at(const PlateRecord *r, double time, int plate, Vec3 *force, Vec3 *moment);

/* Removes a plate. */
void plate_record_drop(PlateRecord *record, int plate);

/* Whether every force of a plate is zero, as of one that nobody trod on. */
int plate_is_idle(const PlateRecord *record, int plate);

/* How the level of an unloaded plate is found. */
typedef enum PlateZero {
    PLATE_ZERO_FILE,     /* as the file states; formats without a statement: none */
    PLATE_ZERO_UNLOADED, /* mean of the samples in which the plate is unloaded */
    PLATE_ZERO_NONE
} PlateZero;

/* N: mean size of the force while the plate is unloaded; 0 if it never is for 0.1 s. `force` and `moment` (may be NULL)
 * get the means. */
double plate_unloaded_level(const PlateRecord *r, int plate, Vec3 *force, Vec3 *moment);

/* Subtracts the means of the unloaded samples from each plate. */
void plate_record_zero(PlateRecord *r);

/* Rotates and shifts everything: p -> rows p + shift, where rows are the axes of the new frame in the old one. */
void plate_record_move(PlateRecord *r, const Vec3 rows[3], Vec3 shift);

#endif
