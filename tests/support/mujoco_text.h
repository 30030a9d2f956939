/* Parses scene text with MuJoCo. */
#ifndef KANE_TESTS_MUJOCO_TEXT_H
#define KANE_TESTS_MUJOCO_TEXT_H

#include <mujoco/mujoco.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Fails the test with MuJoCo's message if it rejects the text. The caller deletes the model. */
static inline mjModel *mujoco_read(const char *text)
{
    char path[] = "/tmp/kane_mujoco_XXXXXX.xml", error[500] = "";
    int fd = mkstemps(path, 4);
    assert_true(fd >= 0);
    assert_true(write(fd, text, strlen(text)) == (ssize_t)strlen(text));
    close(fd);
    mjModel *m = mj_loadXML(path, NULL, error, sizeof error);
    remove(path);
    if (!m)
        fail_msg("MuJoCo: %s", error);
    return m;
}

#endif
