/* Strength curves for data/make_pictures.sh: the paper's formulas as printed, and the bounded ones.
 *
 * usage: strength_curves
 *
 * Prints gnuplot blocks, separated by two blank lines, for hip extension, knee extension and plantarflexion of men of
 * 18 to 25 years, 70 kg and 1.75 m: for each the active torque against velocity at its optimal angle, then the passive
 * torque against angle. Columns: rad/s (positive shortening) or degrees, literal and bounded, N m/kg. */
#include <math.h>
#include <stdio.h>

#include "analysis/angles/strength_curve.h"

#define BODY_MASS 70.0
#define WEIGHT_HEIGHT (BODY_MASS * 9.80665 * 1.75)
#define DEGREE (3.14159265358979323846 / 180)

static double literal_active(const AverageCurve *k, double speed)
{
    double s = fabs(speed);
    double gain = (2 * k->c4 * k->c5 + s * (k->c5 - 3 * k->c4)) / (2 * k->c4 * k->c5 + s * (2 * k->c5 - 4 * k->c4));
    return k->c1 * (speed < 0 ? gain * (1 + k->c6 * s) : gain);
}

static void put_block(const AverageCurve *k)
{
    for (double speed = -12; speed <= 12; speed += 0.1)
        printf("%g %g %g\n", speed, literal_active(k, speed) * WEIGHT_HEIGHT / BODY_MASS,
               average_strength(k, WEIGHT_HEIGHT, k->c3, speed).active / BODY_MASS);
    printf("\n\n");
    for (double angle = -60; angle <= 130; angle++)
        printf("%g %g %g\n", angle, average_passive_literal(k, angle * DEGREE) / BODY_MASS,
               average_strength(k, WEIGHT_HEIGHT, angle * DEGREE, 0).passive / BODY_MASS);
    printf("\n\n");
}

int main(void)
{
    static const StrengthMotion shown[] = {STRENGTH_HIP_EXTENSION, STRENGTH_KNEE_EXTENSION,
                                           STRENGTH_ANKLE_PLANTARFLEXION};
    for (size_t m = 0; m < sizeof shown / sizeof *shown; m++)
        for (int i = 0; i < strength_average_count; i++) {
            const AverageCurve *k = &strength_average[i];
            if (k->motion == shown[m] && k->sex == SEX_MALE && k->age == 18)
                put_block(k);
        }
    return 0;
}
