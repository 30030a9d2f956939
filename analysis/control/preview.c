/* See preview.h. */
#include "analysis/control/preview.h"

#include <math.h>

/* Value of a state x = (d, d'): x'P x / 2 + b'x. */
typedef struct PreviewValue {
    double p[2][2], b[2];
} PreviewValue;

/* One step back. v' = v + dt (spring d + drive w + drift), d' = d + dt v'. */
static PreviewValue step_back(const PreviewDef *def, PreviewStep *s, const PreviewValue *next)
{
    double h = def->dt, a[2][2] = {{1 + h * h * s->spring, h}, {h * s->spring, 1}};
    double in[2] = {h * h * s->drive, h * s->drive}, drift[2] = {h * h * s->drift, h * s->drift};
    double pin[2], later[2];
    for (int i = 0; i < 2; i++) {
        pin[i] = next->p[i][0] * in[0] + next->p[i][1] * in[1];
        later[i] = next->b[i] + next->p[i][0] * drift[0] + next->p[i][1] * drift[1];
    }
    double weight = h * def->cost + in[0] * pin[0] + in[1] * pin[1];
    for (int i = 0; i < 2; i++)
        s->gain[i] = (pin[0] * a[0][i] + pin[1] * a[1][i]) / weight;
    s->bias = (in[0] * later[0] + in[1] * later[1]) / weight;
    double closed[2][2];
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 2; k++)
            closed[i][k] = a[i][k] - in[i] * s->gain[k];
    PreviewValue value = {{{h, 0}, {0, h * def->rate}}, {0, 0}};
    for (int i = 0; i < 2; i++) {
        value.b[i] = closed[0][i] * later[0] + closed[1][i] * later[1];
        for (int k = 0; k < 2; k++)
            for (int l = 0; l < 2; l++)
                for (int m = 0; m < 2; m++)
                    value.p[i][k] += a[l][i] * next->p[l][m] * closed[m][k];
    }
    value.p[0][1] = value.p[1][0] = 0.5 * (value.p[0][1] + value.p[1][0]);
    return value;
}

void preview_solve(const PreviewDef *def, PreviewStep *step, int count)
{
    PreviewValue value = {{{1, 0}, {0, def->rate}}, {0, 0}};
    PreviewStep last = step[count - 1];
    last.drift = 0;
    for (int i = 0; i < (int)ceil(def->rest / def->dt); i++)
        value = step_back(def, &last, &value);
    for (int i = count - 1; i >= 0; i--)
        value = step_back(def, &step[i], &value);
}
