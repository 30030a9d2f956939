/* See retimed.h. */
#include "pipeline/stages/retimed.h"

#include <stdlib.h>

void retimed_free(Retimed *retimed)
{
    motion_free(&retimed->motion);
    trust_free(&retimed->trust);
    free(retimed->place);
    free(retimed->overload);
    *retimed = (Retimed){0};
}
