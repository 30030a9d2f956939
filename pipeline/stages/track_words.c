/* See track_words.h. */
#include "pipeline/stages/track_words.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define HIGHEST 1000.0 /* m, of a dropped ball */

Status track_parse_perturb(const char *text, BallDrop *ball, const char **body, Error *err)
{
    const char *whole = text;
    char *end;
    ball->mass = strtod(text, &end);
    int good = end != text && *end == ',' && ball->mass > 0;
    if (good) {
        text = end + 1;
        ball->height = strtod(text, &end);
        good = end != text && *end == ',' && ball->height > 0 && isfinite(ball->mass) && ball->height <= HIGHEST;
    }
    *body = good ? end + 1 : "";
    if (!**body)
        return error_set(err, STATUS_USAGE,
                         "--perturb: expected MASS,HEIGHT,BODY with positive numbers, height up to %g m, found \"%s\"",
                         HIGHEST, whole);
    return STATUS_OK;
}

Status track_parse_weights(const char *text, BalanceWeights *weights, Error *err)
{
    double *value[] = {&weights->root, &weights->turning, &weights->force, &weights->torque};
    const char *at = text;
    int good = 1;
    for (int i = 0; i < 4 && good; i++) {
        char *end;
        *value[i] = strtod(at, &end);
        good = end != at && isfinite(*value[i]) && *value[i] >= (i < 3 ? 1e-9 : 0) && *end == (i < 3 ? ',' : 0);
        at = end + 1;
    }
    return good ? STATUS_OK
                : error_set(err, STATUS_USAGE, "--balance-weights: expected R,W,E,T, positive numbers of which T may "
                                               "be 0, found \"%s\"", text);
}

Status track_parse_controller(const char *text, int *kind, Error *err)
{
    *kind = -1;
    if (!strcmp(text, "all"))
        return STATUS_OK;
    for (int i = 0; i < CONTROLLER_COUNT; i++)
        if (!strcmp(text, controller_name((ControllerKind)i)))
            *kind = i;
    return *kind >= 0 ? STATUS_OK
                      : error_set(err, STATUS_USAGE, "--controller: unknown controller \"%s\"; see kane track "
                                                     "--help", text);
}
