#include "pipeline/cli/doubt.h"

#include <string.h>

#include "pipeline/cli/message.h"

static const double least_stature = 0.4, greatest_stature = 2.6; /* m */
static const double least_mass = 1, greatest_mass = 500;         /* kg, of a creature made of water */

void doubt_size(const char *verb, const char *path, const Clip *clip)
{
    const Body *body = &clip->body;
    if (!clip->has_body)
        return;
    int is_creature = strncmp(body->model, "capsules", 8) == 0;
    if (is_creature && (body->total_mass < least_mass || body->total_mass > greatest_mass))
        message_note(verb, path, "a creature of %.3g kg: if that is not so, give import's --unit or body's --mass",
                     body->total_mass);
    if (!is_creature && body->stature > 0 && (body->stature < least_stature || body->stature > greatest_stature))
        message_note(verb, path, "a person of %.3g m: if that is not so, give import's --unit", body->stature);
}
