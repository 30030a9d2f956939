/* Position of the pressure along a foot in gait (roll_over.h). */
#include "analysis/contact/roll_over.h"

#include <math.h>

#define MAX_COM 0.5     /* L */
#define MIN_PITCH -0.4 /* rad */
#define MAX_PITCH 1.0   /* rad */
#define MIN_LENGTH 0.16 /* L */
#define MAX_LENGTH 0.27

static double clamp(double x, double min, double max) { return fmax(min, fmin(max, x)); }

static double polynomial_at(const RollOverTerms *c, double com, double pitch)
{
    return c->at + com * (c->com + com * (c->com2 + com * c->com3)) +
           pitch * (c->pitch + pitch * c->pitch2 + com * c->pitch_com);
}

double roll_over_position(const RollOver *table, RollOverPose pose)
{
    double com = clamp(pose.com, -MAX_COM, MAX_COM), pitch = clamp(pose.pitch, MIN_PITCH, MAX_PITCH);
    double walk = polynomial_at(&table->walk, com, pitch), run = polynomial_at(&table->run, com, pitch);
    return walk + pose.run * (run - walk) + table->foot_length * clamp(pose.length, MIN_LENGTH, MAX_LENGTH);
}
