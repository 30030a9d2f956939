/* See interrupt.h. */
#include "pipeline/cli/interrupt.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct {
    int number;
    const char *name;
} signals[] = {{SIGTERM, "SIGTERM"}, {SIGHUP, "SIGHUP"}, {SIGINT, "SIGINT"}};
enum { SIGNAL_COUNT = sizeof signals / sizeof *signals };

/* State of the handlers; changed only while the signals are blocked. */
static struct {
    char command[32];
    char temporary[4352]; /* "": none */
    char stands[4608];    /* rest of the message, after the name of the signal */
    int written;
    int holds; /* calls of interrupt_hold less those of interrupt_release */
    volatile sig_atomic_t noted;
} state;

static void print_remaining(const char *text)
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
    print_remaining("kane ");
    print_remaining(state.command);
    print_remaining(": stopped by ");
    print_remaining(interrupt_name(number));
    print_remaining(state.stands);
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
    if (state.holds++ == 0)
        block(SIG_BLOCK);
}

void interrupt_release(void)
{
    if (--state.holds == 0)
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

void interrupt_watch(const char *command)
{
    snprintf(state.command, sizeof state.command, "%s", command);
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

int interrupt_exit_code(int code)
{
    enum { SHELL_SIGNAL = 128 };
    return interrupt_noted() ? SHELL_SIGNAL + interrupt_noted() : code;
}
