/* pipeline/stages/option: names of earlier versions, of options, values and commands, also in a history. */
#include "tests/support/test.h"

#include <string.h>

#include "pipeline/stages/history_read.h"
#include "pipeline/stages/option.h"
#include "pipeline/stages/stage.h"

typedef struct Given {
    int pace;
    double reach;
} Given;

static const char *const paces[] = {"slow", "fast", NULL};
static const char *const old_paces[] = {"", "hasty"};

static const Option table[] = {
    {.name = "pace", .argument = "slow|fast", .help = "How fast", .kind = &option_choice,
     .offset = offsetof(Given, pace), .choices = paces, .old_choices = old_paces},
    {.name = "reach", .argument = "M", .help = "How far", .kind = &option_positive, .offset = offsetof(Given, reach),
     .old_name = "stretch"},
    {0},
};

static const Stage stage = {.command = {.name = "walk", .options = table, .old_name = "amble"}};

TEST(old_option_name_is_accepted)
{
    assert_ptr_equal(option_find(table, "reach"), &table[1]);
    assert_ptr_equal(option_find(table, "stretch"), &table[1]);
    assert_null(option_find(table, "stretc"));
    assert_null(option_find(table, ""));
}

TEST(old_stage_prefix_is_accepted)
{
    OptionGroup prefixed = {&stage.command, table, NULL}, plain = {NULL, table, NULL};
    assert_ptr_equal(option_find_prefixed(&prefixed, "walk-reach"), &table[1]);
    assert_ptr_equal(option_find_prefixed(&prefixed, "amble-reach"), &table[1]);
    assert_ptr_equal(option_find_prefixed(&prefixed, "amble-stretch"), &table[1]);
    assert_null(option_find_prefixed(&prefixed, "reach"));
    assert_null(option_find_prefixed(&prefixed, "stroll-reach"));
    assert_ptr_equal(option_find_prefixed(&plain, "stretch"), &table[1]);
    assert_null(option_find_prefixed(&plain, "walk-reach"));
    assert_true(command_is(&stage.command, "walk") && command_is(&stage.command, "amble"));
    assert_false(command_is(&stage.command, "amb") || command_is(&stage.command, ""));
}

TEST(old_value_name_is_accepted)
{
    Given given = {0};
    Error err = {0};
    char text[OPTION_TEXT_SIZE];
    assert_int_equal(option_choice.parse(&table[0], "hasty", &given.pace, &err), STATUS_OK);
    assert_int_equal(given.pace, 1);
    option_choice.format(&table[0], &given.pace, text, sizeof text);
    assert_string_equal(text, "fast");
    assert_int_equal(option_choice.parse(&table[0], "", &given.pace, &err), STATUS_USAGE);
    assert_int_equal(option_choice.parse(&table[0], "hast", &given.pace, &err), STATUS_USAGE);
}

/* The last occurrence counts, under either name. */
TEST(history_with_old_names_is_read)
{
    Clip clip = {0};
    OptionValues values;
    Error err = {0};
    char file[64];
    assert_int_equal(clip_add_history(&clip, "walk --pace slow --reach 2", NULL), STATUS_OK);
    assert_int_equal(clip_add_history(&clip, "amble --pace hasty --stretch 3 # as it was", NULL), STATUS_OK);
    assert_true(history_has(&clip, &stage) && history_line_has(&clip, &stage, "--stretch "));
    assert_int_equal(history_read(&clip, &stage, &values, file, sizeof file, &err), STATUS_OK);
    const Given *given = (const Given *)&values;
    assert_int_equal(given->pace, 1);
    assert_near(given->reach, 3, 0);
    assert_int_equal(clip_add_history(&clip, "ambles --reach 5", NULL), STATUS_OK);
    assert_int_equal(history_read(&clip, &stage, &values, file, sizeof file, &err), STATUS_OK);
    assert_near(given->reach, 3, 0);
    clip_free(&clip);
}
