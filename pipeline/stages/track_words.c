/* See track_words.h. */
#include "pipeline/stages/track_words.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "pipeline/stages/option.h"

#define HIGHEST 1000.0 /* m, of a dropped ball */
#define STEEPEST_SLOPE 45.0 /* degrees */
#define MAX_SPEED 100.0 /* m/s, of a thrown one */

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

enum { MAX_PARTS = 8 };

/* Parts of a list between commas. */
typedef struct Parts {
    int count;
    TrackName part[MAX_PARTS];
} Parts;

/* Returns 0 for a list with too many parts or one that is empty or too long. */
static int split(const char *text, Parts *out)
{
    for (out->count = 0; out->count < MAX_PARTS;) {
        size_t length = strcspn(text, ",");
        char *to = out->part[out->count++].text;
        if (length == 0 || length >= sizeof out->part->text)
            return 0;
        memcpy(to, text, length);
        to[length] = '\0';
        if (!text[length])
            return 1;
        text += length + 1;
    }
    return 0;
}

static int number_in(const Parts *p, int i, double *out) { return !real_parse(p->part[i].text, out, NULL); }

Status track_parse_push(const char *text, Push *push, TrackName *joint, Error *err)
{
    Parts p;
    *push = (Push){0};
    int good = split(text, &p) && (p.count == 5 || p.count == 8) && number_in(&p, 1, &push->force) &&
               number_in(&p, 3, &push->start) && number_in(&p, 4, &push->seconds);
    if (good && p.count == 8) {
        push->has_point = 1;
        good = number_in(&p, 5, &push->point.x) && number_in(&p, 6, &push->point.y) && number_in(&p, 7, &push->point.z);
    }
    if (!good || !push_is_sound(push))
        return error_set(err, STATUS_USAGE, "--push: expected ROLE,NEWTON,DIRECTION,START,SECONDS[,X,Y,Z], force and "
                                            "duration positive, found \"%s\"", text);
    *joint = p.part[0];
    return push_direction_parse(p.part[2].text, &push->direction)
               ? STATUS_OK
               : error_set(err, STATUS_USAGE, "--push: " PUSH_DIRECTIONS_EXPECTED, p.part[2].text);
}

Status track_parse_slope(const char *text, double *degrees, Error *err)
{
    if (!real_parse(text, degrees, NULL) && fabs(*degrees) <= STEEPEST_SLOPE)
        return STATUS_OK;
    return error_set(err, STATUS_USAGE, "--slope: expected %g to %g degrees, found \"%s\"", -STEEPEST_SLOPE,
                     STEEPEST_SLOPE, text);
}

Status track_parse_throw(const char *text, BallDrop *ball, TrackName *joint, Error *err)
{
    Parts p;
    int good = split(text, &p) && p.count == 5 && number_in(&p, 0, &ball->mass) && number_in(&p, 1, &ball->speed) &&
               number_in(&p, 4, &ball->time) && ball->mass > 0 && ball->speed > 0 && ball->time > 0 &&
               ball->speed <= MAX_SPEED;
    if (!good)
        return error_set(err, STATUS_USAGE, "--throw: expected MASS,SPEED,FROM,ROLE,TIME with positive numbers, speed "
                                            "up to %g m/s, found \"%s\"", MAX_SPEED, text);
    *joint = p.part[3];
    return push_direction_parse(p.part[2].text, &ball->from)
               ? STATUS_OK
               : error_set(err, STATUS_USAGE, "--throw: " PUSH_DIRECTIONS_EXPECTED, p.part[2].text);
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
