/* pipeline/cli/batch/batch_worker: messages over a socket that transfers them in parts. */
#include "tests/support/test.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "pipeline/cli/batch/batch_worker.h"

enum { MESSAGE = 1 << 20, PART = 4099 };

static void wake(int number) { (void)number; }

static unsigned char byte_at(size_t i) { return (unsigned char)(i * 31 + i / 251); }

/* Reads in small parts after a delay, while a timer interrupts the sender. */
static void read_slowly(int socket)
{
    unsigned char *got = malloc(MESSAGE);
    int wrong = !got;
    for (size_t at = 0; at < MESSAGE && !wrong; at += PART) {
        usleep(200);
        wrong = !socket_read(socket, got + at, at + PART < MESSAGE ? PART : MESSAGE - at);
    }
    for (size_t i = 0; i < MESSAGE && !wrong; i++)
        wrong = got[i] != byte_at(i);
    wrong |= socket_read(socket, got, 1); /* closed */
    _exit(wrong);
}

TEST(message_in_parts_is_assembled)
{
    unsigned char *bytes = malloc(MESSAGE);
    int pair[2], code = -1;
    struct sigaction action = {.sa_handler = wake};
    const struct itimerval often = {{0, 2000}, {0, 2000}}, never = {0};
    assert_non_null(bytes);
    for (size_t i = 0; i < MESSAGE; i++)
        bytes[i] = byte_at(i);
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
    pid_t child = fork();
    if (child == 0) {
        close(pair[0]);
        read_slowly(pair[1]);
    }
    close(pair[1]);
    sigaction(SIGALRM, &action, NULL); /* without SA_RESTART */
    setitimer(ITIMER_REAL, &often, NULL);
    int sent = socket_write(pair[0], bytes, MESSAGE);
    setitimer(ITIMER_REAL, &never, NULL);
    close(pair[0]);
    assert_true(sent);
    assert_int_equal(waitpid(child, &code, 0), child);
    assert_int_equal(code, 0);
    free(bytes);
}
