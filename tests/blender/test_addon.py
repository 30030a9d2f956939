"""Tests the add-on, installed like a user does: blender -b --factory-startup --python test_addon.py -- ADDON.zip KANE
FOLDER

FOLDER contains library/index.db with walk.bvh.h5 and jump.bvh.h5, bare.h5 without torques, and clips of any kind in
real/."""
import sys
import unittest
from pathlib import Path

import bpy

sys.path.insert(0, str(Path(__file__).parent))
from support import ADDON, FOLDER  # noqa: E402

bpy.ops.preferences.addon_install(filepath=ADDON)
bpy.ops.preferences.addon_enable(module="kane_clips")
import test_camera  # noqa: E402
import test_clips  # noqa: E402
import test_edited  # noqa: E402
import test_panel  # noqa: E402
import test_scene  # noqa: E402

cases = unittest.TestSuite(unittest.defaultTestLoader.loadTestsFromModule(each)
                           for each in (test_clips, test_edited, test_panel, test_camera, test_scene))
result = unittest.TextTestRunner().run(cases)
real = len(list((Path(FOLDER) / "real").glob("*.h5")))
print("blender add-on: Blender %s, %d tests, %d failed: joints within %.1e m, of %d real clips %.1e m, skin %.1e m, "
      "torque curves within %.1e N m/kg, edited %.1e of the peak in %.2f s of kane" % (bpy.app.version_string, result.testsRun,
                                           len(result.failures) + len(result.errors), test_clips.worst["position"],
                                           real, test_clips.worst["real position"], test_clips.worst["skin"],
                                           test_clips.worst["torque"], test_edited.worst["edited"],
                                           test_edited.worst["seconds"]))
sys.exit(0 if result.wasSuccessful() else 1)
