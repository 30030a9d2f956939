/* An element with the defaults that apply to it; what it has but kane does not support is refused. */
#include <string.h>

#include "formats/model/mjcf_values.h"
#include "formats/model/mjcf_word.h"

/* Default elements that apply to an element, by its words. */
static const struct Behind {
    const char *words, *tag;
} behind[] = {{"joint", "joint"}, {"geom", "geom"}, {"site", "site"}, {"connect", "equality"}, {"weld", "equality"},
              {"couple", "equality"}, {"spatial", "tendon"}, {"mesh", "mesh"}, {"pair", "pair"},
              {"motor", MJCF_ACTUATOR}, {"position", MJCF_ACTUATOR}, {"velocity", MJCF_ACTUATOR},
              {"general", MJCF_ACTUATOR}};

/* Returns 1 for elements with child elements of their own; in others every child is refused by name. */
static int has_children(const char *words)
{
    static const char *const with[] = {"compiler", "option", "body", "frame", "spatial"};
    for (size_t i = 0; i < sizeof with / sizeof *with; i++)
        if (!strcmp(with[i], words))
            return 1;
    return 0;
}

MjcfItem mjcf_item(MjcfReader *r, const XmlElement *e, const char *words)
{
    MjcfItem i = {e, NULL, -1};
    if (!r->status)
        r->status = mjcf_check_attributes(e, words, r->remarks, r->err);
    for (size_t k = 0; k < sizeof behind / sizeof *behind; k++)
        if (!strcmp(behind[k].words, words))
            i.tag = behind[k].tag;
    int class = r->status ? -1 : mjcf_class(r, e);
    i.class = i.tag ? class : -1;
    mjcf_check_values(r, &i, words);
    for (const XmlElement *c = e->first; c && !r->status && !has_children(words); c = c->next)
        mjcf_unread(r, c, c->name);
    return i;
}
