/* See message.h. */
#include "pipeline/cli/message.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "formats/base/text.h"

/* Returns 1 for kane run and kane batch, whose options are those of all stages, prefixed by stage. */
static int has_all_stages(const char *verb)
{
    return verb && (!strcmp(verb, "run") || !strcmp(verb, "batch"));
}

void message_name_options(const char *verb, const char *text, char *out, size_t size)
{
    size_t used = 0;
    for (const char *at = text; *at && used + 1 < size; at++) {
        size_t word = at == text || strchr(" (", at[-1]) ? strspn(at, "abcdefghijklmnopqrstuvwxyz") : 0;
        if (word == 0 || strncmp(at + word, "'s --", 5) != 0) {
            out[used++] = *at;
            continue;
        }
        int is_own = verb && strlen(verb) == word && !strncmp(verb, at, word);
        if (has_all_stages(verb)) {
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
static void say(const char *verb, const char *location, const char *text)
{
    char plain[8192], line[4 * sizeof plain + 2] = "", own[4096]; /* \xNN per byte */
    message_name_options(verb, text, own, sizeof own);
    snprintf(plain, sizeof plain, "kane%s%s: %s%s", verb ? " " : "", verb ? verb : "", location, own);
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
    char location[4400];
    error_location(path, err->line, err->column, location, sizeof location);
    say(verb, location, *err->text ? err->text : status_name(err->status));
    return status_exit_code(err->status);
}

void message_note(const char *verb, const char *path, const char *format, ...)
{
    char location[4400], text[2048];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    error_location(path, 0, 0, location, sizeof location);
    say(verb, location, text);
}

void message_notes(const char *verb, const char *path, const Notes *notes, const Clip *clip, int quiet)
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
        say(verb, location, text);
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

/* The handled signals. */

static const struct {
    int number;
    const char *name;
} signals[] = {{SIGTERM, "SIGTERM"}, {SIGHUP, "SIGHUP"}, {SIGINT, "SIGINT"}};
enum { SIGNAL_COUNT = sizeof signals / sizeof *signals };

/* State of the handlers; changed only while the signals are blocked. */
static struct {
    char verb[32];
    char temporary[4352]; /* "": none */
    char stands[4608];    /* rest of the message, after the name of the signal */
    int written;
    volatile sig_atomic_t noted;
} state;

static void say_left(const char *text)
{
    ssize_t put = write(STDERR_FILENO, text, strlen(text));
    (void)put; /* nothing can be done about an error */
}

const char *interrupt_name(int number)
{
    for (int i = 0; i < SIGNAL_COUNT; i++)
        if (signals[i].number == number)
            return signals[i].name;
    return "a signal";
}

/* Signal handler: calls only async-signal-safe functions. The default action of the signal ends the program, so that a
 * shell sees the signal. */
static void end(int number)
{
    if (*state.temporary)
        unlink(state.temporary);
    say_left("kane ");
    say_left(state.verb);
    say_left(": stopped by ");
    say_left(interrupt_name(number));
    say_left(state.stands);
    signal(number, SIG_DFL);
    raise(number);
}

static void note(int number)
{
    state.noted = number;
}

static void block(int how)
{
    sigset_t set;
    sigemptyset(&set);
    for (int i = 0; i < SIGNAL_COUNT; i++)
        sigaddset(&set, signals[i].number);
    sigprocmask(how, &set, NULL);
}

void interrupt_hold(void)
{
    block(SIG_BLOCK);
}

void interrupt_release(void)
{
    block(SIG_UNBLOCK);
}

static void install(void (*handler)(int), int flags)
{
    for (int i = 0; i < SIGNAL_COUNT; i++) {
        struct sigaction action = {.sa_handler = handler, .sa_flags = flags}, old;
        if (sigaction(signals[i].number, NULL, &old) == 0 && old.sa_handler == SIG_IGN)
            continue;
        sigaction(signals[i].number, &action, NULL);
    }
}

void interrupt_watch(const char *verb)
{
    snprintf(state.verb, sizeof state.verb, "%s", verb);
    snprintf(state.stands, sizeof state.stands, ": nothing was written\n");
    install(end, 0);
}

void interrupt_note(void)
{
    install(note, (int)SA_RESETHAND | SA_RESTART);
}

int interrupt_noted(void)
{
    return state.noted;
}

void interrupt_ignore(void)
{
    install(SIG_IGN, 0);
}

void interrupt_pending(const char *temporary, const char *path)
{
    struct stat there;
    int is_there = path && stat(path, &there) == 0;
    snprintf(state.temporary, sizeof state.temporary, "%s", temporary ? temporary : "");
    if (path && state.written)
        snprintf(state.stands, sizeof state.stands, ": %d written before %s, which is %s\n", state.written, path,
                 is_there ? "as it was" : "not written");
    else if (path)
        snprintf(state.stands, sizeof state.stands, ": %s is %s\n", path, is_there ? "as it was" : "not written");
}

void interrupt_written(const char *path)
{
    state.temporary[0] = 0;
    state.written++;
    snprintf(state.stands, sizeof state.stands, ": %d written, the last is %s\n", state.written, path);
}
