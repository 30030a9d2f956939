/* What the motion of a file contradicts (analysis/evidence/motion_evidence.h), in words: frame rate, level, sides, path
 * and feet. */
#ifndef KANE_DETECT_CONTRADICTIONS_H
#define KANE_DETECT_CONTRADICTIONS_H

#include "analysis/detect/findings.h"
#include "analysis/detect/import_guess.h"
#include "analysis/evidence/evidence.h"

enum { CONTRADICTIONS_MAX = 6 };

typedef struct Contradiction {
    FindingKind kind;
    char text[160];           /* "the world leans by 19 degrees (standard deviation 1.8)" */
    const char *remedy;       /* "set import's --level auto"; NULL: none. Static storage */
    const Evidence *evidence; /* of the guess */
} Contradiction;

/* Returns their number. */
int contradictions_list(const ImportGuess *guess, Contradiction out[CONTRADICTIONS_MAX]);

#endif
