/* Parses options with glibc's argp from the option tables. */
#include "pipeline/cli/command_line.h"

#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/base/status.h"
#include "formats/base/text.h"
#include "formats/source/source_table.h"
#include "pipeline/cli/help.h"
#include "pipeline/cli/manual.h"
#include "pipeline/stages/stage.h"
#include "pipeline/stages/stage_list.h"

/* Keys of long options without a letter, above all letters. */
enum { FIRST_KEY = 1000, KEY_HELP = '?', KEY_USAGE = 999 };

/* One entry of the flattened tables. */
typedef struct Slot {
    const Command *stage; /* stage of its group, or NULL */
    const Option *option;
    void *value;
} Slot;

typedef struct Parser {
    Slot *slot;               /* [slot] */
    struct argp_option *argp; /* [slot] with hidden old names after each option, then help and usage; terminated by a
                                 zero entry */
    const Command *command;
    const OptionGroup *groups; /* [group_count] */
    int group_count;
    int slot_count;
    int argp_count;
    int first; /* index of the first positional argument */
} Parser;

static char *long_name(const char *prefix, const char *name)
{
    char *text;
    if (asprintf(&text, "%s%s%s", prefix ? prefix : "", prefix ? "-" : "", name) < 0)
        return NULL;
    return text;
}

enum { NAMES_PER_OPTION = 4 };

/* Adds an option by its name, and hidden by the earlier names of it or its stage. */
static void add_names(Parser *parser, const Command *stage, const Option *option, struct argp_option entry)
{
    const char *const name[] = {option->name, option->old_name};
    const char *const prefix[] = {stage ? stage->name : NULL, stage ? stage->old_name : NULL};
    for (int i = 0; i < NAMES_PER_OPTION; i++) {
        if (!name[i % 2] || (i >= 2 && !prefix[1]))
            continue;
        entry.name = long_name(prefix[i / 2], name[i % 2]);
        parser->argp[parser->argp_count++] = entry;
        entry.flags = OPTION_HIDDEN;
    }
}

static void add_group(Parser *parser, const OptionGroup *group)
{
    for (const Option *option = group->options; option && option->name; option++) {
        void *value = (char *)group->values + option->offset;
        int plain = !group->stage;
        add_names(parser, group->stage, option, (struct argp_option){
            .key = plain && option->key ? option->key : FIRST_KEY + parser->slot_count,
            .arg = option->argument,
        });
        parser->slot[parser->slot_count++] = (Slot){group->stage, option, value};
    }
}

static const Slot *slot_of_key(const Parser *parser, int key)
{
    if (key >= FIRST_KEY)
        return key - FIRST_KEY < parser->slot_count ? &parser->slot[key - FIRST_KEY] : NULL;
    for (int i = 0; i < parser->slot_count; i++)
        if (key && parser->slot[i].option->key == key)
            return &parser->slot[i];
    return NULL;
}

static error_t parse_key(int key, char *argument, struct argp_state *state)
{
    Parser *parser = state->input;
    Error err = {0};
    if (key == ARGP_KEY_ARGS) {
        parser->first = state->next;
        state->next = state->argc;
        return 0;
    }
    if (key == ARGP_KEY_NO_ARGS) {
        parser->first = state->argc;
        return 0;
    }
    if (key == KEY_HELP) {
        help_print(parser->command, parser->groups, parser->group_count, stdout);
        exit(fflush(stdout) ? status_exit_code(STATUS_IO) : 0);
    }
    if (key == KEY_USAGE)
        argp_state_help(state, stdout, ARGP_HELP_USAGE | ARGP_HELP_EXIT_OK);
    const Slot *slot = slot_of_key(parser, key);
    if (!slot)
        return ARGP_ERR_UNKNOWN;
    if (slot->option->kind->parse(slot->option, argument, slot->value, &err))
        argp_error(state, "--%s%s%s: %s", slot->stage ? slot->stage->name : "", slot->stage ? "-" : "",
                   slot->option->name, err.text);
    return 0;
}

static void parser_free(Parser *parser)
{
    for (int i = 0; i < parser->argp_count; i++)
        free((char *)parser->argp[i].name);
    free(parser->argp);
    free(parser->slot);
}

/* Counts the options that a word such as "cutoff" or "cutoff=8" names or abbreviates; *exact: the option with exactly
 * this name. */
static int count_matches(const Parser *parser, const char *word, const struct argp_option **exact)
{
    size_t length = strcspn(word, "=");
    int count = 0;
    *exact = NULL;
    for (int i = 0; i < parser->argp_count; i++) {
        const char *name = parser->argp[i].name;
        if (!name || strncmp(name, word, length) != 0)
            continue;
        count++;
        if (!name[length] || !*exact)
            *exact = &parser->argp[i];
    }
    return count;
}

/* Returns the current name of an option from a possibly hidden name. */
static const char *shown_name(const Parser *parser, const char *name)
{
    int at = 0;
    while (parser->argp[at].name != name)
        at++;
    while (parser->argp[at].flags & OPTION_HIDDEN)
        at--;
    return parser->argp[at].name;
}

/* Returns 1 if name is "smooth-cutoff" for the word "cutoff". */
static int is_of_stage(const char *name, const char *word)
{
    size_t whole = strlen(name), part = strlen(word);
    return whole > part && name[whole - part - 1] == '-' && strcmp(name + whole - part, word) == 0;
}

/* Suggests options that end in the word, as stage options of `kane run` do, else the most similar ones; always by
 * current names. */
static void suggest(const Parser *parser, const char *word, char *text, size_t size)
{
    const char *names[1024], *of_stages[512];
    size_t count = 0, stages = 0, used = 0;
    char plain[64];
    snprintf(plain, sizeof plain, "%.*s", (int)strcspn(word, "="), word);
    for (int i = 0; i < parser->argp_count && count < sizeof names / sizeof *names; i++)
        if (parser->argp[i].name) {
            names[count++] = parser->argp[i].name;
            const char *shown = shown_name(parser, parser->argp[i].name);
            if (is_of_stage(parser->argp[i].name, plain) && (stages == 0 || of_stages[stages - 1] != shown))
                of_stages[stages++] = shown;
        }
    const char *near = nearest_name(plain, names, count);
    if (stages == 0 && near)
        of_stages[stages++] = shown_name(parser, near);
    for (size_t i = 0; i < stages && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s--%s%s",
                                 i == 0 ? "; did you mean " : i + 1 < stages ? ", " : " or ", of_stages[i],
                                 i + 1 == stages ? "?" : "");
    if (stages == 0)
        text[0] = 0;
}

/* Removed stage options and their replacements. */
static const struct {
    const char *stage, *name, *instead;
} removed[] = {
    {"retarget", "no-plant", "plant none"},
    {"kinematics", "window", "scheme fivepoint"},
    {"kinematics", "order", "scheme fivepoint"},
};

/* Returns 1 if the first length letters of a word are the current or old name of a stage. */
static int is_stage(const char *stage, const char *word, size_t length)
{
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)length, word);
    const Stage *named = stage_find(name);
    return named && command_is(&named->command, stage);
}

/* Finds the replacement of "no-plant" in `kane retarget` or "retarget-no-plant" in `kane run`. */
static int find_successor(const char *program, const char *word, char *text, size_t size)
{
    size_t length = strcspn(word, "=");
    for (size_t i = 0; i < sizeof removed / sizeof *removed; i++) {
        char plain[64], prefixed[64];
        const char *stage = removed[i].stage, *command = strrchr(program, ' ');
        snprintf(plain, sizeof plain, "%s", command && !strcmp(command + 1, stage) ? removed[i].name : "");
        snprintf(prefixed, sizeof prefixed, "-%s", removed[i].name);
        size_t behind = length - strlen(prefixed);
        int is_prefixed = behind < length && !strncmp(word + behind, prefixed, length - behind) &&
                          is_stage(stage, word, behind);
        if (is_prefixed || (strlen(plain) == length && !strncmp(word, plain, length))) {
            snprintf(text, size, "; did you mean --%s%s%s?", is_prefixed ? stage : "", is_prefixed ? "-" : "",
                     removed[i].instead);
            return 1;
        }
    }
    return 0;
}

static int is_prefix(const char *word, const char *whole)
{
    while (*word && *word == *whole)
        word++, whole++;
    return !*word;
}

static const char *const of_argp[] = {"help", "usage"};

/* Finds the current names that a word abbreviates; old names count only if there are none. */
static size_t find_abbreviated(const Parser *parser, const char *word, const char **names, size_t max)
{
    size_t length = strcspn(word, "="), count = 0;
    for (int hidden = 0; hidden < 2 && count == 0; hidden++)
        for (int i = 0; i < parser->argp_count && count < max; i++) {
            const struct argp_option *option = &parser->argp[i];
            if (!option->name || strncmp(option->name, word, length) || hidden != !!(option->flags & OPTION_HIDDEN))
                continue;
            const char *shown = shown_name(parser, option->name);
            if (count == 0 || names[count - 1] != shown)
                names[count++] = shown;
        }
    for (size_t k = 0; k < sizeof of_argp / sizeof *of_argp && count < max; k++)
        if (!strncmp(of_argp[k], word, length))
            names[count++] = of_argp[k];
    return count;
}

/* Rejects an ambiguous abbreviation, and expands one that getopt would consider ambiguous because of old names. */
static void check_abbreviation(const Parser *parser, const char *program, char **word)
{
    const char *names[64], *value = strchr(*word, '=');
    size_t count = find_abbreviated(parser, *word + 2, names, sizeof names / sizeof *names);
    if (count == 1) {
        char *whole;
        if (asprintf(&whole, "--%s%s", names[0], value ? value : "") >= 0)
            *word = whole; /* never freed, like argv */
        return;
    }
    fprintf(stderr, "%s: ambiguous option %.*s: ", program, (int)strcspn(*word, "="), *word);
    for (size_t i = 0; i < count; i++)
        fprintf(stderr, "--%s%s", names[i], i + 2 < count ? ", " : i + 1 < count ? " or " : "\n");
    fprintf(stderr, "Try `%s --help'.\n", program);
    exit(status_exit_code(STATUS_USAGE));
}

/* Rejects unknown long options with a suggestion, which getopt does not print, and changes `-h` to `--help`. */
static void check_words(const Parser *parser, int argc, char **argv)
{
    char near[256];
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        const struct argp_option *option = NULL;
        int is_argp = 0;
        if (strcmp(argv[i], "-h") == 0)
            argv[i] = (char *)"--help";
        if (strcmp(argv[i], "-o") == 0 || strcmp(argv[i], "-j") == 0)
            i++; /* skips its value */
        if (i >= argc || strncmp(argv[i], "--", 2) != 0)
            continue;
        for (size_t k = 0; k < sizeof of_argp / sizeof *of_argp; k++)
            is_argp |= is_prefix(argv[i] + 2, of_argp[k]);
        int matches = count_matches(parser, argv[i] + 2, &option);
        if (!matches && !is_argp) {
            if (!find_successor(argv[0], argv[i] + 2, near, sizeof near))
                suggest(parser, argv[i] + 2, near, sizeof near);
            fprintf(stderr, "%s: unknown option %.*s%s\nTry `%s --help'.\n", argv[0],
                    (int)strcspn(argv[i], "="), argv[i], near, argv[0]);
            exit(status_exit_code(STATUS_USAGE));
        }
        if (matches > 1 && option->name[strcspn(argv[i] + 2, "=")])
            check_abbreviation(parser, argv[0], &argv[i]);
        i += option && option->arg && !strchr(argv[i], '=');
    }
}

static size_t count_entries(const OptionGroup *groups, int group_count)
{
    size_t count = 3; /* help, usage and the zero entry */
    for (int g = 0; g < group_count; g++)
        for (const Option *option = groups[g].options; option && option->name; option++)
            count += NAMES_PER_OPTION;
    return count;
}

int command_line_parse(const Command *command, const OptionGroup *groups, int group_count, int argc, char **argv)
{
    char name[64], words[SOURCE_WORDS_SIZE];
    size_t count = count_entries(groups, group_count);
    if (argc == 2 && manual_print(argv[1], command, groups, group_count, stdout))
        exit(fflush(stdout) ? status_exit_code(STATUS_IO) : 0);
    Parser parser = {.slot = calloc(count, sizeof *parser.slot), .argp = calloc(count, sizeof *parser.argp)};
    if (!parser.slot || !parser.argp)
        exit(status_exit_code(STATUS_NO_MEMORY));
    parser.command = command, parser.groups = groups, parser.group_count = group_count;
    for (int g = 0; g < group_count; g++)
        add_group(&parser, &groups[g]);
    struct argp_option *own = parser.argp + parser.argp_count;
    own[0] = (struct argp_option){.name = "help", .key = KEY_HELP, .group = -1};
    own[1] = (struct argp_option){.name = "usage", .key = KEY_USAGE, .group = -1};
    struct argp argp = {parser.argp, parse_key, source_words(command->arguments, words), NULL, NULL, NULL, NULL};
    argp_err_exit_status = status_exit_code(STATUS_USAGE);
    snprintf(name, sizeof name, "kane %s", command->name);
    setenv("ARGP_HELP_FMT", "no-dup-args-note", 0); /* omits the note on short options */
    char *typed = argv[0];
    argv[0] = name; /* for help and errors */
    check_words(&parser, argc, argv);
    argp_parse(&argp, argc, argv, ARGP_NO_HELP, NULL, &parser);
    argv[0] = typed;
    parser_free(&parser);
    return parser.first;
}
