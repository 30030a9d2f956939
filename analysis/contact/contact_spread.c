/* Constants of ground contact that vary between people (contact_spread.h). */
#include "analysis/contact/contact_spread.h"

#include <string.h>

static double *constant_named(ContactConstants *c, const char *name)
{
    for (int i = 0; i < contact_constants_count; i++)
        if (!strcmp(contact_constants_list[i].name, name))
            return (double *)((char *)c + contact_constants_list[i].offset);
    return NULL;
}

void contact_constants_vary(const ContactConstants *from, const double *deviate, ContactConstants *out)
{
    *out = *from;
    for (int i = 0; i < contact_spread_count; i++) {
        double *constant = constant_named(out, contact_spread_list[i].name);
        if (constant)
            *constant += deviate[i] * *(const double *)((const char *)&contact_spread + contact_spread_list[i].offset);
    }
}
