/* See message.h. */
#include "pipeline/cli/message.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "formats/base/text.h"
#include "formats/source/source_table.h"

/* Returns 1 for kane run and kane batch, whose options are those of all stages, prefixed by stage. */
static int has_all_stages(const char *command)
{
    return command && (!strcmp(command, "run") || !strcmp(command, "batch"));
}

void message_name_options(const char *command, const char *text, char *out, size_t size)
{
    size_t used = 0;
    for (const char *at = text; *at && used + 1 < size; at++) {
        size_t word = at == text || strchr(" (", at[-1]) ? strspn(at, "abcdefghijklmnopqrstuvwxyz") : 0;
        if (word == 0 || strncmp(at + word, "'s --", 5) != 0) {
            out[used++] = *at;
            continue;
        }
        int is_own = command && strlen(command) == word && !strncmp(command, at, word);
        if (has_all_stages(command)) {
            used += (size_t)snprintf(out + used, size - used, "--%.*s-", (int)word, at);
            at += word + strlen("'s --") - 1;
            continue;
        }
        if (!is_own)
            used += (size_t)snprintf(out + used, size - used, "kane %.*s ", (int)word, at);
        at += word + 2; /* to the blank before the option */
    }
    out[used < size ? used : size - 1] = 0;
}

/* Prints a line with one write, so that lines of several processes do not mix. File names and text of clip files are
 * untrusted: control characters are escaped. */
static void say(const char *command, const char *location, const char *text)
{
    char plain[8192], line[4 * sizeof plain + 2] = "", own[4096]; /* \xNN per byte */
    message_name_options(command, text, own, sizeof own);
    snprintf(plain, sizeof plain, "kane%s%s: %s%s", command ? " " : "", command ? command : "", location, own);
    FILE *shown = fmemopen(line, sizeof line, "w");
    if (shown) {
        utf8_put_shown(shown, plain, strlen(plain));
        putc('\n', shown);
        fclose(shown);
    }
    fputs(shown ? line : "kane: out of memory\n", stderr);
}

int message_error(const char *command, const char *path, const Error *err)
{
    char location[4400];
    error_location(path, err->line, err->column, location, sizeof location);
    say(command, location, *err->text ? err->text : status_name(err->status));
    return status_exit_code(err->status);
}

void message_note(const char *command, const char *path, const char *format, ...)
{
    char location[4400], text[2048];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    error_location(path, 0, 0, location, sizeof location);
    say(command, location, text);
}

void message_notes(const char *command, const char *path, const Notes *notes, const Clip *clip, int quiet)
{
    for (int i = 0; i < notes->count; i++) {
        const Note *note = &notes->note[i];
        if (quiet && note->kind != NOTE_WARNING)
            continue;
        const char *title = clip && clip->provenance.title ? clip->provenance.title : "";
        char location[4400];
        char text[2048];
        error_location(note->kind == NOTE_RESULT ? title : path, note->line, note->column, location, sizeof location);
        snprintf(text, sizeof text, "%s%s", note->kind == NOTE_WARNING ? "warning: " : "", note->text);
        say(command, location, text);
    }
}

int message_usage(const char *command, const char *format, ...)
{
    char text[2048];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    say(command, "", text);
    return status_exit_code(STATUS_USAGE);
}

int message_missing(const char *command, const char *arguments)
{
    char words[SOURCE_WORDS_SIZE], motion[SOURCE_WORDS_SIZE] = "";
    if (strstr(arguments, "{motion-files}"))
        source_words("; " SOURCE_MOTION_NOTE, motion);
    motion[strcspn(motion, ".")] = 0;
    return message_usage(command, "expected %s%s", source_words(arguments, words), motion);
}

int exit_code_worse(int a, int b)
{
    return a > b ? a : b;
}
