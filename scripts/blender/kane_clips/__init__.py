"""kane in Blender: opens clip files, alone or from an index, as armatures with body, joint torques and ground reaction
forces.

File > Import > kane clip, and the tab kane in the sidebar of the 3D viewport (N)."""
import bpy
from bpy.props import StringProperty
from bpy_extras.io_utils import ImportHelper

from . import panel
from .opening import ClipOptions, open_clip

bl_info = {
    "name": "kane clips",
    "author": "The kane authors",
    "version": (0, 2, 0),
    "blender": (3, 4, 0),
    "location": "File > Import > kane clip; 3D View > Side bar > kane",
    "description": "Motion with joint torques: containers of kane, alone or from an index",
    "category": "Import-Export",
}


class Preferences(bpy.types.AddonPreferences):
    bl_idname = __name__

    program: StringProperty(name="kane", subtype="FILE_PATH",
                            description="The program kane; empty: the one on the PATH, else h5py")

    def draw(self, _context):
        self.layout.prop(self, "program")


class ImportClip(bpy.types.Operator, ImportHelper, ClipOptions):
    """Open a clip file of kane as an armature with joint torques"""
    bl_idname = "import_scene.kane"
    bl_label = "Import kane clip"
    bl_options = {"UNDO"}

    filename_ext = ".h5"
    filter_glob: StringProperty(default="*.h5", options={"HIDDEN"})

    def execute(self, context):
        return open_clip(self, context, self.filepath)


def menu_item(self, _context):
    self.layout.operator(ImportClip.bl_idname, text="kane clip (.h5)")


def register():
    bpy.utils.register_class(Preferences)
    bpy.utils.register_class(ImportClip)
    panel.register()
    bpy.types.TOPBAR_MT_file_import.append(menu_item)


def unregister():
    bpy.types.TOPBAR_MT_file_import.remove(menu_item)
    panel.unregister()
    bpy.utils.unregister_class(ImportClip)
    bpy.utils.unregister_class(Preferences)
