/* See container_lean.h. */
#include "formats/container/container_lean.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SPARSE_LEVEL = 1, WORD_SIZE = 40 };

/* Returns the last line of the history that begins with a command; NULL: none. */
static const char *find_line(const char *history, const char *command)
{
    size_t length = strlen(command);
    const char *found = NULL;
    for (const char *line = history; line && *line; line = strchr(line, '\n'), line += line != NULL)
        if (!strncmp(line, command, length) && strchr(" \n", line[length]))
            found = line;
    return found;
}

/* Returns the position behind " --option" in a line, before its note; NULL: it is not there. */
static const char *find_option(const char *line, const char *option)
{
    size_t length = strlen(option), end = strcspn(line, "\n#");
    for (const char *at = line; (at = strstr(at, " --")) && (size_t)(at - line) < end; at += 3)
        if (!strncmp(at + 3, option, length) && strchr(" \n", at[3 + length]))
            return at + 3 + length;
    return NULL;
}

/* Copies the value of an option; word stays if the line does not have it. */
static void read_word(const char *line, const char *option, char word[WORD_SIZE])
{
    const char *at = find_option(line, option);
    if (at && *at == ' ')
        snprintf(word, WORD_SIZE, "%.*s", (int)strcspn(at + 1, " \n"), at + 1);
}

/* Returns the index of a word in a list that ends with NULL; -1: it is not there. */
static int word_index(const char *const *list, const char *word)
{
    for (int i = 0; list[i]; i++)
        if (!strcmp(list[i], word))
            return i;
    return -1;
}

static int read_angles(const char *line, AnglesDef *def)
{
    char strength[WORD_SIZE] = "average", sex[WORD_SIZE] = "mean", knee[WORD_SIZE] = "auto", age[WORD_SIZE] = "";
    read_word(line, "strength", strength);
    read_word(line, "sex", sex);
    read_word(line, "age", age);
    read_word(line, "knee-axis", knee);
    int people = word_index(strength_people_names, strength), of_sex = word_index(sex_names, sex);
    int axis = word_index(knee_axis_names, knee);
    *def = angles_default_def();
    def->has_strength = strcmp(strength, "none") != 0;
    def->keep_axes = find_option(line, "axes") != NULL;
    if (of_sex < 0 || axis < 0 || (def->has_strength && (people < 0 || people >= STRENGTH_PERSON)))
        return 0;
    def->strength.people = def->has_strength ? (StrengthPeople)people : STRENGTH_AVERAGE;
    def->strength.sex = (Sex)of_sex;
    def->strength.age = *age ? strtod(age, NULL) : def->strength.age;
    def->knee_axis = (KneeAxis)axis;
    return 1;
}

/* Whether only stages that follow kinematics, and keep it, have run since. */
static int is_undisturbed(const char *line)
{
    static const char *const kept[] = {"kinematics", "contact", "torque", "angles", NULL};
    char word[WORD_SIZE];
    for (; line && *line; line = strchr(line, '\n'), line += line != NULL) {
        snprintf(word, sizeof word, "%.*s", (int)strcspn(line, " \n"), line);
        if (word_index(kept, word) < 0)
            return 0;
    }
    return 1;
}

int lean_recipe_read(const Clip *clip, LeanRecipe *recipe)
{
    const char *history = clip->provenance.history, *kinematics = find_line(history, "kinematics");
    const char *torque = find_line(history, "torque"), *angles = find_line(history, "angles");
    char scheme[WORD_SIZE] = "";
    *recipe = (LeanRecipe){difference_default_def(), angles_default_def()};
    if (!kinematics || !is_undisturbed(kinematics) || clip->has_simulation || clip->has_tracking)
        return 0;
    read_word(kinematics, "scheme", scheme);
    int which = word_index(difference_scheme_names, scheme);
    if (which < 0 || clip->contact.linear_reduction > 0 || clip->contact.angular_reduction > 0)
        return 0;
    recipe->kinematics.scheme = (DifferenceScheme)which;
    if (clip->has_dynamics &&
        (!torque || !clip->has_body || find_option(torque, "external") || find_option(torque, "springs")))
        return 0;
    return !clip->has_angles || (clip->has_dynamics && angles && read_angles(angles, &recipe->angles));
}

/* Whether a group has a dataset over frames that stays; its axis would be alone otherwise. */
static int has_frames(const Clip *clip, const LeanStorage *storage, SchemaGroupId group)
{
    for (int i = 0; i < SCHEMA_DATASET_COUNT; i++)
        if (schema_datasets[i].group == group && schema_datasets[i].dim[0] == DIM_FRAME &&
            !(schema_datasets[i].flags & SCHEMA_COPY) && !storage[i].is_left_out &&
            schema_has_dataset(clip, &schema_datasets[i]))
            return 1;
    return 0;
}

static LeanStorage plain_storage(const ContainerDef *def, const SchemaDataset *schema)
{
    int is_trajectory = schema_is_trajectory(schema), is_exact = def->lean && schema->group == GROUP_MOTION;
    int level = is_trajectory ? def->compress : 0;
    if (def->lean && !level && schema->flags & SCHEMA_SPARSE)
        level = SPARSE_LEVEL;
    return (LeanStorage){0, is_trajectory && (def->float32 || def->lean) && !is_exact, level};
}

void lean_storage(const Clip *clip, const ContainerDef *def, LeanStorage *storage)
{
    LeanRecipe recipe;
    int leaves_out = def->lean && lean_recipe_read(clip, &recipe);
    for (int i = 0; i < SCHEMA_DATASET_COUNT; i++) {
        const SchemaDataset *schema = &schema_datasets[i];
        storage[i] = schema_has_dataset(clip, schema) ? plain_storage(def, schema) : (LeanStorage){0};
        storage[i].is_left_out = leaves_out && schema->flags & SCHEMA_DERIVED && schema_has_dataset(clip, schema);
    }
    for (int i = 0; leaves_out && i < SCHEMA_DATASET_COUNT; i++)
        if (schema_datasets[i].flags & SCHEMA_COPY && schema_has_dataset(clip, &schema_datasets[i]))
            storage[i].is_left_out = !has_frames(clip, storage, schema_datasets[i].group);
}

char *lean_list(const LeanStorage *storage, int *is_short)
{
    char *text = NULL, path[64];
    size_t size;
    int count = 0;
    FILE *stream = open_memstream(&text, &size);
    *is_short = !stream;
    for (int i = 0; stream && i < SCHEMA_DATASET_COUNT; i++)
        if (storage[i].is_left_out) {
            schema_path(&schema_datasets[i], path, sizeof path);
            fprintf(stream, "%s%s", count++ ? "\n" : "", path);
        }
    *is_short |= stream && fclose(stream);
    if (count && !*is_short)
        return text;
    free(text);
    return NULL;
}
