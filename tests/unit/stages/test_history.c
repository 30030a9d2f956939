/* pipeline/stages/history: the table of computed groups agrees with the stages. */
#include "tests/support/test.h"

#include <string.h>

#include "pipeline/stages/history.h"
#include "pipeline/stages/stage_list.h"

#define STAGE_ADDRESS(name) &stage_##name,
static const Stage *const stages[] = {STAGES(STAGE_ADDRESS)};
enum { STAGE_COUNT = sizeof stages / sizeof *stages };

static const ComputedGroup *find_group(const char *stage)
{
    const ComputedGroup *c = computed_groups;
    while (c->stage && strcmp(c->stage, stage) != 0)
        c++;
    return c->stage ? c : NULL;
}

static void assert_same_name(const char *a, const char *b)
{
    assert_int_equal(!a, !b);
    if (a)
        assert_string_equal(a, b);
}

TEST(each_computing_stage_has_a_group_row)
{
    for (int i = 0; i < STAGE_COUNT; i++) {
        const ComputedGroup *c = find_group(stages[i]->command.name);
        assert_int_equal(c != NULL, !(stages[i]->fills & CLIP_ALWAYS));
        if (!c)
            continue;
        assert_int_equal(c->group, stages[i]->fills);
        assert_same_name(c->old_name, stages[i]->command.old_name);
    }
}

TEST(every_group_row_has_a_stage)
{
    for (const ComputedGroup *c = computed_groups; c->stage; c++)
        assert_non_null(stage_find(c->stage));
}

TEST(lines_of_absent_and_repeated_groups_are_dropped)
{
    Clip clip = {.has_body = 1, .has_contact = 1};
    clip.provenance.history = strdup("import\nsmooth --cutoff 8\nbody --mass 70\ndiff\ncontact\nsmooth --cutoff 6");
    history_drop_stale(&clip, CLIP_CONTACT);
    assert_string_equal(clip.provenance.history, "import\nsmooth --cutoff 8\nbody --mass 70\nsmooth --cutoff 6");
    free(clip.provenance.history);
}
