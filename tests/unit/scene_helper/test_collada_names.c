/* Names of nodes in a Collada file: which bytes are cleared. */
#include "scene_helper/collada_names.h"
#include "tests/support/test.h"

#include <string.h>

TEST(only_names_of_nodes_are_cleared)
{
    static const struct { const char *from, *to; } cases[] = {
        {"<node id=\"a\" name=\"bc\">", "<node id=\"a\" name=\"  \">"},
        {"<node\n name = 'b>c' sid='name'/>", "<node\n name = '   ' sid='name'/>"},
        {"<node id=\" name=\"/><unit name=\"cm\"/>", "<node id=\" name=\"/><unit name=\"cm\"/>"},
        {"<node names=\"a\" rename=\"b\"/>", "<node names=\"a\" rename=\"b\"/>"},
        {"<nodes name=\"a\"/><node name=\"\"/>", "<nodes name=\"a\"/><node name=\"\"/>"},
        {"<node id=\"a\"> name=\"b\"</node>", "<node id=\"a\"> name=\"b\"</node>"},
        {"<node name=\"abc", "<node name=\"abc"},
        {"<node name", "<node name"}, {"<node", "<node"}, {"", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[64];
        strcpy(text, cases[i].from);
        collada_clear_names(text, strlen(text));
        assert_string_equal(text, cases[i].to);
    }
}
