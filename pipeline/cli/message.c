#include "pipeline/cli/message.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "formats/base/text.h"

/* One write a line, so that lines of several processes do not mix. Names of files and texts of containers may hold
 * anything: a line stays a line, and nothing steers the terminal. */
static void say(const char *verb, const char *place, const char *text)
{
    char plain[8192], line[4 * sizeof plain + 2] = ""; /* \xNN for a byte */
    snprintf(plain, sizeof plain, "kane %s: %s%s", verb, place, text);
    FILE *shown = fmemopen(line, sizeof line, "w");
    if (shown) {
        utf8_put_shown(shown, plain, strlen(plain));
        putc('\n', shown);
        fclose(shown);
    }
    fputs(shown ? line : "kane: out of memory\n", stderr);
}

int message_error(const char *verb, const char *path, const Error *err)
{
    char place[4400];
    error_place(path, err->line, err->column, place, sizeof place);
    say(verb, place, *err->text ? err->text : status_name(err->status));
    return status_exit_code(err->status);
}

void message_note(const char *verb, const char *path, const char *format, ...)
{
    char place[4400], text[2048];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    error_place(path, 0, 0, place, sizeof place);
    say(verb, place, text);
}

void message_notes(const char *verb, const char *path, const Notes *notes, const Clip *clip)
{
    for (int i = 0; i < notes->count; i++) {
        const Note *note = &notes->note[i];
        const char *title = clip && clip->provenance.title ? clip->provenance.title : "";
        char place[4400];
        error_place(note->kind == NOTE_RESULT ? title : path, note->line, note->column, place, sizeof place);
        say(verb, place, note->text);
    }
}

int message_usage(const char *verb, const char *format, ...)
{
    char text[2048];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    say(verb, "", text);
    return status_exit_code(STATUS_USAGE);
}

int exit_code_worse(int a, int b)
{
    return a > b ? a : b;
}
