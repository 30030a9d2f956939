/* See contact_problem.h. */
#include "analysis/contact/contact_problem.h"

void contact_problem_solved(ContactProblem *p)
{
    Ground plane = {.normal = p->ground.normal, .height = p->ground.height};
    ground_free(&p->ground);
    dynamics_free(&p->unloaded);
    p->ground = plane;
}

void contact_problem_free(ContactProblem *p)
{
    if (!p)
        return;
    contact_points_free(&p->points);
    ground_free(&p->ground);
    dynamics_free(&p->unloaded);
    arena_free(&p->memory);
    *p = (ContactProblem){0};
}
