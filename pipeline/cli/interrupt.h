/* Handling of TERM, HUP and INT: removes temporary files and prints what has been written.
 *
 * This is the only global state of the program, because signal handlers have no context argument. Signals that were
 * ignored at the start (nohup) stay ignored. */
#ifndef KANE_CLI_INTERRUPT_H
#define KANE_CLI_INTERRUPT_H

/* Installs the handlers: these signals then end the program with a message of this command. */
void interrupt_watch(const char *command);

/* Registers the temporary file that will become path; NULL: none. Call this and interrupt_written while the signals are
 * blocked. */
void interrupt_pending(const char *temporary, const char *path);

/* Records that a file was renamed to path. */
void interrupt_written(const char *path);

/* Block and unblock the signals while a file is renamed, so that the message is correct. Calls nest: several files that
 * belong together are renamed within one pair. */
void interrupt_hold(void);
void interrupt_release(void);

/* For loops that end themselves: the first of these signals is only noted, a second one ends the program. */
void interrupt_note(void);

/* Returns the noted signal, 0 if there is none. */
int interrupt_noted(void);

/* Returns "SIGTERM" etc. */
const char *interrupt_name(int number);

/* For a child that its parent ends: ignores these signals, which a terminal sends to both. */
void interrupt_ignore(void);

/* Returns the exit code of a call: of the noted signal, as in shells, or else code. */
int interrupt_exit_code(int code);

#endif
