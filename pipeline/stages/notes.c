/* See notes.h. */
#include "pipeline/stages/notes.h"

#include <stdlib.h>
#include <string.h>

Status notes_add(Notes *notes, Note note, Error *err)
{
    if (!notes)
        return STATUS_OK;
    Note *list = realloc(notes->note, (size_t)(notes->count + 1) * sizeof *list);
    if (!list)
        return error_no_memory(err);
    notes->note = list;
    note.text = strdup(note.text);
    if (!note.text)
        return error_no_memory(err);
    list[notes->count++] = note;
    return STATUS_OK;
}

Status notes_warn(Notes *notes, Clip *clip, const char *kind, const char *text, Error *err)
{
    Status status = clip_add_warning(clip, kind, text, err);
    return status ? status : notes_add(notes, (Note){NOTE_WARNING, 0, 0, text}, err);
}

void notes_begin(Notes *notes, const char *stage)
{
    if (!notes)
        return;
    notes->stage = stage;
    if (notes->progress) {
        notes->progress->part = 0;
        notes->progress->stage = stage;
    }
}

void notes_free(Notes *notes)
{
    for (int i = 0; i < notes->count; i++)
        free((char *)notes->note[i].text);
    free(notes->note);
    *notes = (Notes){0};
}

void notes_prefix_options(const Command *command, Notes *notes, int from, Error *err)
{
    char text[ERROR_TEXT_SIZE];
    for (int i = from; notes && i < notes->count; i++) {
        option_prefix(command->options, command->name, notes->note[i].text, text, sizeof text);
        char *copy = strcmp(text, notes->note[i].text) ? strdup(text) : NULL;
        if (copy) {
            free((char *)notes->note[i].text);
            notes->note[i].text = copy;
        }
    }
    if (!err)
        return;
    option_prefix(command->options, command->name, err->text, text, sizeof text);
    memcpy(err->text, text, sizeof text);
}
