"""The tab kane in the sidebar of the 3D viewport: query an index, open clips of the result, inspect the selected joint.
"""
import json
import shlex
import textwrap

import bpy
from bpy.props import CollectionProperty, EnumProperty, IntProperty, PointerProperty, StringProperty

from . import armature, library, marks
from .camera import AddCamera, active_rig
from .clip_file import words_of
from .edited import SolveEdit
from .opening import MIRRORED, PATH, ClipOptions, open_clip, program_of
from .program import ClipError

LETTER = 7.2  # pixels of a letter in the side bar, about
OF_CLIP, OF_INTERVAL = "clip", "interval"  # what a preset applies to
PRESETS = (
    ("", None, "All, hardest first"), ("@hardest", None, "Hardest clips"), ("@peaks", None, "Largest peaks"),
    ("@jumps", None, "Jumps"), ("@impossible", None, "What no one can do"), ("@hard", None, "What few can do"),
    ("@over strength=1", None, "More than a person's strength"),
    ("@similar", OF_CLIP, "Torques like the active clip"), ("@similar", OF_INTERVAL, "Moves like the frames in range"),
    ("@lower-torque", OF_CLIP, "Like the active clip, lower torque"),
    ("@easier", OF_CLIP, "Like the active clip, easier"), ("@harder", OF_CLIP, "Like the active clip, harder"),
)


class ListedClip(bpy.types.PropertyGroup):
    """A row of a result."""
    path: StringProperty()
    figure: StringProperty()
    row: StringProperty(description="All columns, JSON")


class Library(bpy.types.PropertyGroup):
    index: StringProperty(name="Index", subtype="FILE_PATH", description="index.db of a library")
    where: StringProperty(name="Ask", description="As for kane query: left_knee_torque_peak_nm_kg > 2, @hardest, "
                                                  "SELECT path ...; empty: all")
    clips: CollectionProperty(type=ListedClip)
    chosen: IntProperty()
    figure: StringProperty(description="The column that the list shows")


def preset_question(preset, rig, scene):
    name, of, _ = preset
    if of is None:
        return name
    if rig is None:
        raise ClipError("make a clip active first: the question is about it")
    clip = rig[PATH]
    if of == OF_INTERVAL:
        clip += "@%.3f-%.3f" % armature.seconds_of_range(rig, scene)
    return "%s %s" % (name, shlex.quote(clip))


class AskPreset(bpy.types.Operator):
    """Run a preset of kane query"""
    bl_idname = "kane.ask_preset"
    bl_label = "Presets"

    preset: EnumProperty(items=[(str(i), name, question) for i, (question, _, name) in enumerate(PRESETS)])

    def execute(self, context):
        try:
            question = preset_question(PRESETS[int(self.preset)], active_rig(context), context.scene)
        except ClipError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        context.scene.kane_library.where = question
        return bpy.ops.kane.list_clips()


class ListClips(bpy.types.Operator):
    """Query the index and list the rows below"""
    bl_idname = "kane.list_clips"
    bl_label = "Ask"

    def execute(self, context):
        asked = context.scene.kane_library
        index = bpy.path.abspath(asked.index)
        try:
            rows = library.ask(index, asked.where, program_of(context))
        except ClipError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        asked.clips.clear()
        asked.figure, asked.chosen = library.figure_of(rows[0]) if rows else "", 0
        for row in rows:
            listed = asked.clips.add()
            listed.path = library.path_of(index, row)
            listed.name, listed.row = library.name_of(row), json.dumps(row)
            listed.figure = library.as_text(row.get(asked.figure))
        self.report({"INFO"}, "%d rows" % len(rows))
        return {"FINISHED"}


class OpenListedClip(bpy.types.Operator, ClipOptions):
    """Open the selected clip at the time of its row"""
    bl_idname = "kane.open_clip"
    bl_label = "Open clip"
    bl_options = {"UNDO"}

    @classmethod
    def poll(cls, context):
        asked = context.scene.kane_library
        return 0 <= asked.chosen < len(asked.clips) and bool(asked.clips[asked.chosen].path)

    def execute(self, context):
        asked = context.scene.kane_library
        listed = asked.clips[asked.chosen]
        return open_clip(self, context, listed.path, library.time_of(json.loads(listed.row)))


class MirrorClip(bpy.types.Operator, ClipOptions):
    """Open a mirrored copy of the active clip; forces and torques are recomputed"""
    bl_idname = "kane.mirror"
    bl_label = "Mirror"
    bl_options = {"UNDO"}

    @classmethod
    def poll(cls, context):
        return active_rig(context) is not None

    def execute(self, context):
        rig = active_rig(context)
        self.mirrored = not rig[MIRRORED]
        return open_clip(self, context, rig[PATH])


class ClipList(bpy.types.UIList):
    """Numbers have a separate column, so that long names do not truncate them."""
    bl_idname = "KANE_UL_clips"

    def draw_item(self, _context, layout, _data, item, _icon, _active_data, _active_name):
        row = layout.split(factor=0.68)
        row.label(text=item.name)
        figure = row.row()
        figure.alignment = "RIGHT"
        figure.label(text=item.figure)


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
        row = layout.row(align=True)
        row.operator(ListClips.bl_idname)
        row.operator_menu_enum(AskPreset.bl_idname, "preset", text="Presets")
        if asked.figure:
            head = layout.row()
            head.alignment = "RIGHT"
            head.label(text=library.heading(asked.figure))
        layout.template_list(ClipList.bl_idname, "", asked, "clips", asked, "chosen")
        if 0 <= asked.chosen < len(asked.clips):
            draw_row(layout.box().column(align=True), asked.clips[asked.chosen])
        row = layout.row(align=True)
        row.operator(OpenListedClip.bl_idname).mirrored = False
        row.operator(OpenListedClip.bl_idname, text="Open mirrored").mirrored = True
        draw_active(layout, context)


def draw_row(column, listed):
    """All values of the selected row in full."""
    for name, value in json.loads(listed.row).items():
        line = column.split(factor=0.62)
        line.label(text=library.heading(name) if name != "path" else library.as_text(value))
        if name != "path":
            line.label(text=library.as_text(value))


def draw_active(layout, context):
    """Values of the active clip at the current frame, for the selected bone."""
    rig, bone = active_rig(context), context.active_pose_bone
    if rig is None:
        return
    box = layout.box().column(align=True)
    box.label(text=rig.name)
    reason = words_of(rig[marks.REASON])
    box.label(text="not trusted: " + reason if reason else "trusted", icon="ERROR" if reason else "CHECKMARK")
    width = context.region.width / context.preferences.system.ui_scale if context.region else 200
    for line in verdict_lines(rig, int(width / LETTER) - 4):
        box.label(text=line)
    box.operator(SolveEdit.bl_idname)
    box.operator(MirrorClip.bl_idname)
    box.operator(AddCamera.bl_idname)
    if bone and armature.TORQUE in bone:
        box.label(text="%s  %s" % (bone.name, bone.get("kane_role", "")))
        draw_value(box, bone, "Torque, N m/kg", armature.TORQUE, armature.TORQUE_SD)
    if bone and armature.USE in bone:
        draw_value(box, bone, "Of average strength", armature.USE, armature.USE_SD)


def draw_value(box, bone, heading, name, sd):
    box.label(text=heading)
    line = box.split(factor=0.6)
    line.prop(bone, '["%s"]' % name, text="")
    line.label(text=library.error_bar(bone.get(sd)))


def verdict_lines(rig, width=60):
    """The verdict of the clip, and that of the frame with its 90 % band, in lines of so many letters."""
    if marks.WHY not in rig:
        return []
    frame = "this frame: " + marks.WORDS[rig[marks.VERDICT]]
    if rig[marks.FACTOR] > 0:
        frame += ", %.2f \u00b1 %.2f" % (rig[marks.FACTOR], rig[marks.BAND])
    lines = rig[marks.WHY].split("\n") + [frame]
    return [part for line in lines for part in textwrap.wrap(line, max(width, 16))]


CLASSES = (ListedClip, Library, AskPreset, ListClips, OpenListedClip, MirrorClip, SolveEdit, AddCamera, ClipList, Panel)


def register():
    for each in CLASSES:
        bpy.utils.register_class(each)
    bpy.types.Scene.kane_library = PointerProperty(type=Library)


def unregister():
    del bpy.types.Scene.kane_library
    for each in reversed(CLASSES):
        bpy.utils.unregister_class(each)
