"""The panel: its queries, lists and opened clips."""
import json
import unittest
from pathlib import Path

import bpy

from kane_clips import library, panel
from support import FOLDER, JUMP, KANE, LIBRARY, WALK, empty_scene, rigs


class PanelCase(unittest.TestCase):
    def setUp(self):
        empty_scene()
        self.library = bpy.context.scene.kane_library
        self.library.index = str(LIBRARY / "index.db")

    def ask(self, question):
        self.library.where = question
        self.assertEqual(bpy.ops.kane.list_clips(), {"FINISHED"})
        return [clip.name for clip in self.library.clips]

    def assert_error(self, words, operator, **arguments):
        with self.assertRaises(RuntimeError) as caught:
            operator(**arguments)
        self.assertIn(words, str(caught.exception))

    def test_an_expression_gives_clips_hardest_first(self):
        self.assertEqual(self.ask("duration_s > 0"), ["jump", "walk"])
        self.assertEqual(self.library.figure, "torque_peak_nm_kg")
        low = [json.loads(clip.row) for clip in self.library.clips]
        low = [row["torque_peak_nm_kg"] - 1.645 * row["torque_peak_sd_nm_kg"] for row in low]
        self.assertGreater(low[0], low[1])
        self.assertEqual(self.ask(""), ["jump", "walk"])
        self.assertEqual(self.ask("duration_s > 1000"), [])
        self.assertEqual(self.ask("left_knee_torque_peak_nm_kg < 1.6"), ["walk"])
        self.assertEqual(bpy.ops.kane.open_clip(), {"FINISHED"})
        self.assertEqual(rigs()[0].name, "walk")

    def test_a_clip_opens_at_the_moment_of_its_row(self):
        self.assertEqual(self.ask("@jumps"), ["jump"])
        self.assertEqual(self.library.figure, "flight_s")
        bpy.ops.kane.open_clip()
        row = json.loads(self.library.clips[0].row)
        self.assertEqual(bpy.context.scene.frame_current, row["frame0"])
        self.assertGreater(row["frame0"], 100)

    def test_presets_and_sql_are_answered_by_kane(self):
        self.assertEqual(self.ask("@hardest --limit 1"), ["jump"])
        self.assertEqual(self.ask("@similar walk.bvh.h5"), ["jump"])
        names = self.ask("select path, count(*) AS flights FROM clip JOIN flight ON id = clip_id GROUP BY path")
        self.assertEqual((names, self.library.figure, self.library.clips[0].figure), (["jump"], "flights", "1"))
        self.assertEqual(self.ask("SELECT count(*) AS clips FROM clip"), ["2"])
        self.assertFalse(bpy.ops.kane.open_clip.poll())

    def test_presets_of_the_menu(self):
        number = {(name, of): str(i) for i, (name, of, _) in enumerate(panel.PRESETS)}
        self.assert_error("make a clip active", bpy.ops.kane.ask_preset, preset=number["@similar", "clip"])
        bpy.ops.import_scene.kane(filepath=str(WALK))
        for i in range(len(panel.PRESETS)):
            self.assertEqual(bpy.ops.kane.ask_preset(preset=str(i)), {"FINISHED"})
        bpy.ops.kane.ask_preset(preset=number["@similar", "clip"])
        self.assertEqual([clip.name for clip in self.library.clips], ["jump"])
        scene = bpy.context.scene
        scene.use_preview_range, scene.frame_preview_start, scene.frame_preview_end = True, 30, 60
        bpy.ops.kane.ask_preset(preset=number["@similar", "interval"])
        self.assertEqual(self.library.where, "@similar %s@0.500-1.000" % WALK)

    def test_an_active_body_part_stands_for_its_clip(self):
        bpy.ops.import_scene.kane(filepath=str(WALK))
        bpy.context.view_layer.objects.active = next(o for o in bpy.data.objects if "kane_joint" in o)
        self.assertEqual(panel.active_rig(bpy.context).name, "walk")

    def test_wrong_questions_are_told_and_change_nothing(self):
        before = (LIBRARY / "index.db").read_bytes()
        for question, words in (("left_kneee > 1", 'unknown column "left_kneee"'), ("1); DELETE FROM clip; --", ""),
                                ("SELECT 1; DELETE FROM clip", ""), ("@nonsense", "unknown preset"),
                                ("@hardest -o out.html", "not here"), ("@hardest 'x", "no closing quotation")):
            self.library.where = question
            self.assert_error(words, bpy.ops.kane.list_clips)
        self.library.index, self.library.where = str(Path(FOLDER) / "none.db"), "1"
        self.assert_error("no such file", bpy.ops.kane.list_clips)
        self.assertEqual((LIBRARY / "index.db").read_bytes(), before)
        self.assertEqual([p.name for p in LIBRARY.glob("*.html")], [])

    def test_without_the_program_sqlite_answers_expressions(self):
        database = LIBRARY / "index.db"
        expected = {"duration_s > 0": ["jump", "walk"], "left_knee_torque_peak_nm_kg < 1.6": ["walk"]}
        for question, names in expected.items():
            rows = library.ask_sqlite(database, question)
            self.assertEqual([library.name_of(row) for row in rows], names)
            self.assertEqual(rows, library.ask(database, question, KANE))
        with self.assertRaises(library.ClipError):
            library.ask_sqlite(database, "1); DELETE FROM clip; --")

    def test_numbers_of_the_list_are_whole(self):
        for value, words in ((2.1693482, "2.169"), (0.214577, "0.2146"), (12345.678, "12346"), (181, "181"),
                             (None, ""), (0.00012345, "0.0001234")):
            self.assertEqual(library.as_text(value), words)
        self.assertEqual([library.error_bar(sd) for sd in (0.6149, 0.0, None)], ["\u00b1 0.61", "\u00b1 0", ""])
        self.assertEqual(library.heading("left_knee_torque_peak_nm_kg"), "left knee torque peak, N m/kg")
        self.assertEqual(library.heading("height_m"), "height, m")
