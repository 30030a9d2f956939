#!/usr/bin/env python3
"""Writes a small FBX text of two bones below a null object: a quarter turn of the second in one second at 24 frames/s.
usage: tests/support/scene_fbx.py > FILE.fbx"""
SECOND = 46186158000
MODEL = """    Model: %d, "Model::%s", "%s" {
        Version: 232
        Properties70:  {
            P: "InheritType", "enum", "", "",1
            P: "Lcl Translation", "Lcl Translation", "", "A",%g,%g,%g
        }
    }
"""
CURVE = """    AnimationCurve: %d, "AnimCurve::", "" {
        Default: 0
        KeyVer: 4008
        KeyTime: *%d {
            a: %s
        }
        KeyValueFloat: *%d {
            a: %s
        }
        KeyAttrFlags: *1 {
            a: 24836
        }
        KeyAttrDataFloat: *4 {
            a: 0,0,0,0
        }
        KeyAttrRefCount: *1 {
            a: %d
        }
    }
"""
times = [SECOND * f // 24 for f in range(25)]
angles = [90 * f / 24 for f in range(25)]
text = """; FBX 7.4.0 project file
FBXHeaderExtension:  {
    FBXHeaderVersion: 1003
    FBXVersion: 7400
    Creator: "kane's tests"
}
GlobalSettings:  {
    Version: 1000
    Properties70:  {
        P: "UpAxis", "int", "Integer", "",2
        P: "UpAxisSign", "int", "Integer", "",1
        P: "UnitScaleFactor", "double", "Number", "",100
        P: "TimeMode", "enum", "", "",11
    }
}
Definitions:  {
    Version: 100
    Count: 0
}
Objects:  {
"""
text += MODEL % (1, "Armature", "Null", 1, 2, 0) + MODEL % (2, "Hips", "LimbNode", 0, 0, 1)
text += MODEL % (3, "Spine", "LimbNode", 0, 0, .5) + MODEL % (4, "Head_end", "LimbNode", 0, .5, 0)
for number, kind in ((22, "Null"), (23, "LimbNode"), (24, "LimbNode"), (25, "LimbNode")):
    text += '    NodeAttribute: %d, "NodeAttribute::", "%s" {\n        TypeFlags: "%s"\n    }\n' % (
        number, kind, "Null" if kind == "Null" else "Skeleton")
text += CURVE % (10, 25, ",".join(map(str, times)), 25, ",".join("%g" % a for a in angles), 25)
text += """    AnimationCurveNode: 11, "AnimCurveNode::R", "" {
        Properties70:  {
            P: "d|X", "Number", "", "A",0
            P: "d|Y", "Number", "", "A",0
            P: "d|Z", "Number", "", "A",0
        }
    }
    AnimationLayer: 12, "AnimLayer::Base", "" {
    }
    AnimationStack: 13, "AnimStack::Bend", "" {
        Properties70:  {
            P: "LocalStop", "KTime", "Time", "",%d
        }
    }
}
Connections:  {
    C: "OO",1,0
    C: "OO",2,1
    C: "OO",3,2
    C: "OO",4,3
    C: "OO",22,1
    C: "OO",23,2
    C: "OO",24,3
    C: "OO",25,4
    C: "OO",12,13
    C: "OO",11,12
    C: "OP",11,3, "Lcl Rotation"
    C: "OP",10,11, "d|X"
}
""" % SECOND
print(text, end="")
