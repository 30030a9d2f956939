"""kane in Blender: opens containers, alone or from an index, as armatures with joint torques.

File > Import > kane container, and the tab kane in the side bar of the 3-D view (N)."""
import bpy
from bpy.props import (BoolProperty, CollectionProperty, FloatProperty, IntProperty, PointerProperty, StringProperty)
from bpy_extras.io_utils import ImportHelper

from . import armature, library, torque_bodies
from .clip_file import ClipError, read_clip

bl_info = {
    "name": "kane clips",
    "author": "The kane authors",
    "version": (0, 1, 0),
    "blender": (3, 4, 0),
    "location": "File > Import > kane container; 3D View > Side bar > kane",
    "description": "Motion with joint torques: containers of kane, alone or from an index",
    "category": "Import-Export",
}


class Preferences(bpy.types.AddonPreferences):
    bl_idname = __name__

    program: StringProperty(name="kane", subtype="FILE_PATH",
                            description="The program kane; empty: the one on the PATH, else h5py")

    def draw(self, _context):
        self.layout.prop(self, "program")


def program_of(context):
    addon = context.preferences.addons.get(__name__)
    return bpy.path.abspath(addon.preferences.program) if addon and addon.preferences.program else ""


def open_clip(operator, context, path):
    """Nothing is made of a file that cannot be read."""
    try:
        clip = read_clip(bpy.path.abspath(path), program_of(context))
    except ClipError as error:
        operator.report({"ERROR"}, str(error))
        return {"CANCELLED"}
    if context.mode != "OBJECT":
        bpy.ops.object.mode_set(mode="OBJECT")
    frames = armature.schedule(clip, context.scene, operator.set_rate)
    rig, names = armature.build(clip, context, frames)
    torque_bodies.add(clip, context, rig, names, frames, operator.most)
    context.scene.frame_set(context.scene.frame_current)
    what = "without torques" if clip.torque is None else "torque up to %.2f Nm/kg" % clip.coloured[:, 1:].max(initial=0)
    operator.report({"INFO"}, "%s: %d joints, %d frames, %s" % (clip.title, len(names), len(clip.time), what))
    return {"FINISHED"}


class ClipOptions:
    set_rate: BoolProperty(name="Set scene rate", default=True,
                           description="Scene rate and range become the clip's, and scene frames its frames")
    most: FloatProperty(name="Colour up to", default=3.0, min=0.01, description="Nm/kg at the end of the colour scale")


class ImportClip(bpy.types.Operator, ImportHelper, ClipOptions):
    """Open a container of kane as an armature with joint torques"""
    bl_idname = "import_scene.kane"
    bl_label = "Import kane container"
    bl_options = {"UNDO"}

    filename_ext = ".h5"
    filter_glob: StringProperty(default="*.h5", options={"HIDDEN"})

    def execute(self, context):
        return open_clip(self, context, self.filepath)


class ListedClip(bpy.types.PropertyGroup):
    """name is the path"""
    duration: FloatProperty()
    peak: FloatProperty()


class Library(bpy.types.PropertyGroup):
    index: StringProperty(name="Index", subtype="FILE_PATH", description="index.db of a library")
    where: StringProperty(name="Where", description="As for kane query: left_knee_torque_peak_nm_kg > 2; empty: all")
    clips: CollectionProperty(type=ListedClip)
    chosen: IntProperty()


class ListClips(bpy.types.Operator):
    """Ask the index for the clips that answer the expression, hardest first"""
    bl_idname = "kane.list_clips"
    bl_label = "List clips"

    def execute(self, context):
        asked = context.scene.kane_library
        try:
            rows = library.find_clips(bpy.path.abspath(asked.index), asked.where)
        except ClipError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        asked.clips.clear()
        for path, duration, peak in rows:
            clip = asked.clips.add()
            clip.name, clip.duration, clip.peak = path, duration or 0, peak or 0
        asked.chosen = 0
        self.report({"INFO"}, "%d clips" % len(rows))
        return {"FINISHED"}


class OpenListedClip(bpy.types.Operator, ClipOptions):
    """Open the chosen clip"""
    bl_idname = "kane.open_clip"
    bl_label = "Open clip"
    bl_options = {"UNDO"}

    @classmethod
    def poll(cls, context):
        asked = context.scene.kane_library
        return 0 <= asked.chosen < len(asked.clips)

    def execute(self, context):
        asked = context.scene.kane_library
        return open_clip(self, context, asked.clips[asked.chosen].name)


class ClipList(bpy.types.UIList):
    bl_idname = "KANE_UL_clips"

    def draw_item(self, _context, layout, _data, item, _icon, _active_data, _active_name):
        row = layout.split(factor=0.7)
        row.label(text=bpy.path.basename(item.name))
        row.label(text="%.1f s  %.2f Nm/kg" % (item.duration, item.peak))


class Panel(bpy.types.Panel):
    bl_idname = "KANE_PT_library"
    bl_label = "kane"
    bl_category = "kane"
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"

    def draw(self, context):
        layout, asked = self.layout, context.scene.kane_library
        layout.prop(asked, "index")
        layout.prop(asked, "where")
        layout.operator(ListClips.bl_idname)
        layout.template_list(ClipList.bl_idname, "", asked, "clips", asked, "chosen")
        layout.operator(OpenListedClip.bl_idname)
        bone = context.active_pose_bone
        if bone and armature.TORQUE in bone:
            layout.label(text="%s  %s" % (bone.name, bone.get("kane_role", "")))
            layout.prop(bone, '["%s"]' % armature.TORQUE, text="Torque, Nm/kg")


CLASSES = (Preferences, ImportClip, ListedClip, Library, ListClips, OpenListedClip, ClipList, Panel)


def menu_item(self, _context):
    self.layout.operator(ImportClip.bl_idname, text="kane container (.h5)")


def register():
    for each in CLASSES:
        bpy.utils.register_class(each)
    bpy.types.Scene.kane_library = PointerProperty(type=Library)
    bpy.types.TOPBAR_MT_file_import.append(menu_item)


def unregister():
    bpy.types.TOPBAR_MT_file_import.remove(menu_item)
    del bpy.types.Scene.kane_library
    for each in reversed(CLASSES):
        bpy.utils.unregister_class(each)
