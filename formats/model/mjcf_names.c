/* Check for duplicate names. */
#include <stdlib.h>
#include <string.h>

#include "formats/model/mjcf_values.h"

/* A name and its kind (body, joint, equality and so on); each kind has its own namespace. */
typedef struct Named {
    const char *kind, *name;
    const XmlElement *element;
    int order; /* position in the file */
} Named;

typedef struct Names {
    int count;
    Named *named;
} Names;

/* Returns the kind. In worldbody, contact and asset each element type is a kind; in other sections all elements are of
 * one kind. */
static const char *element_kind(const XmlElement *e, const char *section)
{
    static const char *const apart[] = {"worldbody", "contact", "asset", "custom", NULL};
    int k = 0;
    while (apart[k] && strcmp(apart[k], section) != 0)
        k++;
    if (!apart[k])
        return section;
    return strcmp(e->name, "freejoint") ? e->name : "joint";
}

/* Collects the names in a section; counts them if named is NULL. */
static void collect(const XmlElement *e, const char *section, Names *names)
{
    for (const XmlElement *c = e->first; c; c = c->next) {
        const char *name = xml_attribute(c, "name");
        if (name && *name && names->named)
            names->named[names->count] = (Named){element_kind(c, section), name, c, names->count};
        names->count += name && *name;
        collect(c, section, names);
    }
}

static void collect_all(const XmlElement *root, Names *names)
{
    names->count = 0;
    for (const XmlElement *s = root->first; s; s = s->next)
        if (strcmp(s->name, "default") != 0)
            collect(s, s->name, names);
}

static int compare(const void *a, const void *b)
{
    const Named *x = a, *y = b;
    int kind = strcmp(x->kind, y->kind), name = kind ? kind : strcmp(x->name, y->name);
    return name ? name : x->order - y->order;
}

void mjcf_check_names(MjcfReader *r, const XmlElement *root)
{
    Names names = {0};
    collect_all(root, &names);
    names.named = arena_array(&r->scratch, (size_t)names.count + 1, 1, sizeof *names.named);
    if (!names.named) {
        r->status = error_no_memory(r->err);
        return;
    }
    collect_all(root, &names);
    names.named[names.count++] = (Named){"body", "world", root, -1};
    qsort(names.named, (size_t)names.count, sizeof *names.named, compare);
    for (int i = 1; i < names.count && !r->status; i++) {
        const Named *a = &names.named[i - 1], *b = &names.named[i];
        if (!strcmp(a->kind, b->kind) && !strcmp(a->name, b->name))
            mjcf_fail(r, b->element, "duplicate %s \"%.60s\", also at %.60s%s%d", a->kind, a->name,
                      a->element->file ? a->element->file : "line", a->element->file ? ":" : " ", a->element->line);
    }
}
