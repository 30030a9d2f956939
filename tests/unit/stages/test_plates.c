/* pipeline/stages/plates: removes the results of an earlier comparison from a clip, and nothing else. */
#include "tests/support/test.h"

#include <stdio.h>
#include <string.h>

#include "analysis/contact/plate_errors.h"
#include "pipeline/stages/plates.h"

enum { FRAMES = 5, JOINTS = 3 };

/* A warning of each kind of plate error between two others; both plate flags beside one of the motion. */
TEST(new_comparison_drops_earlier_plate_findings)
{
    Clip clip = {0};
    assert_int_equal(clip_add_warning(&clip, "teleport", "in frame 3", NULL), STATUS_OK);
    for (int kind = 0; kind < PLATE_ERROR_KINDS; kind++)
        assert_int_equal(clip_add_warning(&clip, plate_error_name((PlateErrorKind)kind), "of plates", NULL), STATUS_OK);
    assert_int_equal(clip_add_warning(&clip, "sliding", "in frame 4", NULL), STATUS_OK);
    plates_forget(&clip); /* without flags */
    assert_string_equal(clip.provenance.warnings, "teleport: in frame 3\nsliding: in frame 4");

    assert_int_equal(trust_init(&clip.trust, FRAMES, JOINTS, 1, NULL), STATUS_OK);
    clip.has_trust = 1;
    clip.trust.reason[0] = TRUST_OFF_PLATES;
    clip.trust.reason[2] = TRUST_PLATES_DOUBTED | TRUST_TELEPORT;
    clip.trust.reason[4] = TRUST_OFF_PLATES | TRUST_PLATES_DOUBTED;
    trust_settle(&clip.trust);
    plates_forget(&clip);
    for (int f = 0; f < FRAMES; f++)
        assert_int_equal(clip.trust.reason[f], f == 2 ? TRUST_TELEPORT : 0);
    clip_free(&clip);
}
