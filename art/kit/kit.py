"""The kit of parts: palette, materials, shapes, figures, light and camera.

Units are metres of a doll's house: x to the right, y away from the viewer, z up.
Shapes with a front show it towards -y."""
import math
import random

import bmesh
import bpy
from mathutils import Euler, Matrix, Vector

HUES = {
    "ink": "#16273a", "deep": "#0e1b2a", "slate": "#2b4259", "mist": "#8fa3b3",
    "paper": "#f3ede2", "sand": "#d8c6a6", "wood": "#b98a5a", "clay": "#c98f63",
    "teal": "#0a6c78", "mint": "#2dd4bf", "amber": "#f5b461", "steel": "#b9c3cb", "brass": "#e6b878",
    "green": "#0e8a6d", "sea": "#34d3a6", "indigo": "#4349b8", "iris": "#8b90f5",
    "plum": "#7d2248", "rose": "#ee7ba6", "orange": "#c2691b", "flame": "#ffab4a", "coral": "#ef6a53",
}


def linear(color):
    text = HUES.get(color, color).lstrip("#")
    parts = [int(text[i : i + 2], 16) / 255 for i in (0, 2, 4)]
    return tuple(p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts) + (1.0,)


# ---------------------------------------------------------------- materials

_materials = {}


def _material(key, build):
    if key not in _materials:
        material = bpy.data.materials.new(str(key))
        material.use_nodes = True
        build(material.node_tree)
        _materials[key] = material
    return _materials[key]


def matt(color, rough=0.5, metal=0.0, coat=0.0):
    def build(tree):
        node = tree.nodes["Principled BSDF"]
        node.inputs["Base Color"].default_value = linear(color)
        node.inputs["Roughness"].default_value = rough
        node.inputs["Metallic"].default_value = metal
        node.inputs["Clearcoat"].default_value = coat
        node.inputs["Clearcoat Roughness"].default_value = 0.18

    return _material(("matt", color, rough, metal, coat), build)


def metal(color="steel", rough=0.3):
    return matt(color, rough, 1.0)


def gloss(color, rough=0.28):
    return matt(color, rough, 0.0, 0.5)


def worn(color, rough=0.5, metal=0.0, stretch=(1, 1, 1), size=40.0, shade=0.25, bump=0.1, other=None):
    """A surface with a history: noise in its color, its roughness and its height. Stretch draws the noise
    out, to the grain of wood or the brushing of metal; `other` is the color that the noise goes over to."""

    def build(tree):
        node = tree.nodes["Principled BSDF"]
        node.inputs["Metallic"].default_value = metal
        where = tree.nodes.new("ShaderNodeTexCoord")
        draw = tree.nodes.new("ShaderNodeMapping")
        draw.inputs["Scale"].default_value = stretch
        noise = tree.nodes.new("ShaderNodeTexNoise")
        noise.inputs["Scale"].default_value = size
        noise.inputs["Detail"].default_value = 6
        noise.inputs["Distortion"].default_value = 0.6
        tree.links.new(where.outputs["Object"], draw.inputs["Vector"])
        tree.links.new(draw.outputs[0], noise.inputs["Vector"])
        ramp = tree.nodes.new("ShaderNodeValToRGB")
        base = linear(color)
        ramp.color_ramp.elements[0].position, ramp.color_ramp.elements[1].position = 0.36, 0.66
        ramp.color_ramp.elements[0].color = linear(other) if other else tuple(c * (1 - shade) for c in base[:3]) + (1,)
        ramp.color_ramp.elements[1].color = base
        tree.links.new(noise.outputs["Fac"], ramp.inputs[0])
        tree.links.new(ramp.outputs[0], node.inputs["Base Color"])
        smear = tree.nodes.new("ShaderNodeMapRange")
        smear.inputs["To Min"].default_value, smear.inputs["To Max"].default_value = rough - 0.13, rough + 0.13
        tree.links.new(noise.outputs["Fac"], smear.inputs["Value"])
        tree.links.new(smear.outputs[0], node.inputs["Roughness"])
        relief = tree.nodes.new("ShaderNodeBump")
        relief.inputs["Strength"].default_value = bump
        relief.inputs["Distance"].default_value = 0.01
        tree.links.new(noise.outputs["Fac"], relief.inputs["Height"])
        tree.links.new(relief.outputs[0], node.inputs["Normal"])

    return _material(("worn", color, rough, metal, stretch, size, shade, bump, other), build)


def timber(color="#7a5133", rough=0.38, along="x", other="#4d301d"):
    stretch = (0.06, 1, 1) if along == "x" else (1, 0.06, 1)
    return worn(color, rough, 0.0, stretch, 34.0, 0.3, 0.06, other)


def cloth(color, size=260.0):
    return worn(color, 0.85, 0.0, (1, 1, 1), size, 0.35, 0.35)


def leather(color="#12171c"):
    return worn(color, 0.5, 0.0, (1, 1, 1), 190.0, 0.2, 0.22)


def glow(color, strength=3.0):
    def build(tree):
        tree.nodes.clear()
        out = tree.nodes.new("ShaderNodeOutputMaterial")
        light = tree.nodes.new("ShaderNodeEmission")
        light.inputs["Color"].default_value = linear(color)
        light.inputs["Strength"].default_value = strength
        tree.links.new(light.outputs[0], out.inputs["Surface"])

    return _material(("glow", color, strength), build)


def glass(color="#dff5f0", clear=0.82, haze=0.0):
    """Thin glass: a little reflection over plain transparency, so that it costs no samples.
    Haze is light within it, for glass that must be seen against the dark."""

    def build(tree):
        tree.nodes.clear()
        out = tree.nodes.new("ShaderNodeOutputMaterial")
        through = tree.nodes.new("ShaderNodeBsdfTransparent")
        through.inputs["Color"].default_value = tuple(clear * c for c in linear(color)[:3]) + (1,)
        shine = tree.nodes.new("ShaderNodeBsdfGlossy")
        shine.inputs["Roughness"].default_value = 0.12
        fresnel = tree.nodes.new("ShaderNodeFresnel")
        fresnel.inputs["IOR"].default_value = 1.5
        mix = tree.nodes.new("ShaderNodeMixShader")
        tree.links.new(fresnel.outputs[0], mix.inputs[0])
        tree.links.new(through.outputs[0], mix.inputs[1])
        tree.links.new(shine.outputs[0], mix.inputs[2])
        light = tree.nodes.new("ShaderNodeEmission")
        light.inputs["Color"].default_value = linear(color)
        light.inputs["Strength"].default_value = haze
        add = tree.nodes.new("ShaderNodeAddShader")
        tree.links.new(mix.outputs[0], add.inputs[0])
        tree.links.new(light.outputs[0], add.inputs[1])
        tree.links.new(add.outputs[0], out.inputs["Surface"])

    return _material(("glass", color, clear, haze), build)


# ---------------------------------------------------------------- shapes


def _object(name, mesh, material, at=(0, 0, 0), turn=(0, 0, 0), smooth=False):
    thing = bpy.data.objects.new(name, mesh)
    bpy.context.scene.collection.objects.link(thing)
    thing.location = at
    thing.rotation_euler = [math.radians(a) for a in turn]
    if material:
        thing.data.materials.append(material)
    if smooth and hasattr(mesh, "polygons"):
        mesh.polygons.foreach_set("use_smooth", [True] * len(mesh.polygons))
    return thing


def _soften(thing, width, segments=4, angle=40):
    if width <= 0:
        return thing
    bevel = thing.modifiers.new("edge", "BEVEL")
    bevel.width = width
    bevel.segments = segments
    bevel.limit_method = "ANGLE"
    bevel.angle_limit = math.radians(angle)
    thing.data.use_auto_smooth = True
    thing.data.auto_smooth_angle = math.radians(35)
    thing.data.polygons.foreach_set("use_smooth", [True] * len(thing.data.polygons))
    return thing


def _mesh(name, fill):
    mesh = bpy.data.meshes.new(name)
    work = bmesh.new()
    fill(work)
    bmesh.ops.recalc_face_normals(work, faces=work.faces)
    work.to_mesh(mesh)
    work.free()
    return mesh


def box(size, at, material, edge=0.03, turn=(0, 0, 0)):
    def fill(work):
        bmesh.ops.create_cube(work, size=1)
        bmesh.ops.scale(work, vec=size, verts=work.verts)

    return _soften(_object("box", _mesh("box", fill), material, at, turn), min(edge, min(size) * 0.49))


def cylinder(radius, height, at, material, edge=0.02, turn=(0, 0, 0), top=None, sides=72):
    def fill(work):
        bmesh.ops.create_cone(work, cap_ends=True, segments=sides, radius1=radius, radius2=radius if top is None else top, depth=height)

    return _soften(_object("cylinder", _mesh("cylinder", fill), material, at, turn), min(edge, height * 0.49, radius * 0.49), 4)


def ball(radius, at, material, scale=(1, 1, 1), turn=(0, 0, 0), detail=48):
    def fill(work):
        bmesh.ops.create_uvsphere(work, u_segments=detail, v_segments=detail // 2, radius=radius)
        bmesh.ops.scale(work, vec=scale, verts=work.verts)

    return _object("ball", _mesh("ball", fill), material, at, turn, smooth=True)


def ring(radius, thickness, at, material, turn=(0, 0, 0), start=0, end=360, sides=96):
    """A torus around z, or a part of one with round ends."""
    if end - start >= 360:
        points = [(radius * math.cos(2 * math.pi * i / sides), radius * math.sin(2 * math.pi * i / sides), 0) for i in range(sides)]
        return tube(points, thickness, material, at, turn, closed=True)
    points = [(radius * math.cos(math.radians(start + (end - start) * i / 48)), radius * math.sin(math.radians(start + (end - start) * i / 48)), 0) for i in range(49)]
    return tube(points, thickness, material, at, turn, ends=True)


def tube(points, thickness, material, at=(0, 0, 0), turn=(0, 0, 0), closed=False, ends=False, smooth=False):
    curve = bpy.data.curves.new("tube", "CURVE")
    curve.dimensions = "3D"
    curve.bevel_depth = thickness
    curve.bevel_resolution = 6
    curve.use_fill_caps = True
    if smooth:
        line = curve.splines.new("BEZIER")
        line.bezier_points.add(len(points) - 1)
        for point, place in zip(line.bezier_points, points):
            point.co = place
            point.handle_left_type = point.handle_right_type = "AUTO"
        curve.resolution_u = 16
    else:
        line = curve.splines.new("POLY")
        line.points.add(len(points) - 1)
        for point, place in zip(line.points, points):
            point.co = (*place, 1)
    line.use_cyclic_u = closed
    thing = _object("tube", curve, material, at, turn)
    if ends:
        for place in (points[0], points[-1]):
            cap = ball(thickness, place, material, detail=24)
            cap.parent = thing
    return thing


def lathe(profile, at, material, turn=(0, 0, 0), sides=72, smooth=True, scale=(1, 1, 1)):
    """profile: (radius, z) from bottom to top."""

    def fill(work):
        rows = []
        for radius, z in profile:
            if radius < 1e-4:
                rows.append([work.verts.new((0, 0, z))])
            else:
                rows.append([work.verts.new((radius * math.cos(2 * math.pi * i / sides), radius * math.sin(2 * math.pi * i / sides), z)) for i in range(sides)])
        for low, high in zip(rows, rows[1:]):
            for i in range(sides):
                j = (i + 1) % sides
                if len(low) == 1 and len(high) > 1:
                    work.faces.new((low[0], high[j], high[i]))
                elif len(high) == 1 and len(low) > 1:
                    work.faces.new((low[i], low[j], high[0]))
                elif len(low) > 1:
                    work.faces.new((low[i], low[j], high[j], high[i]))
        bmesh.ops.scale(work, vec=scale, verts=work.verts)

    thing = _object("lathe", _mesh("lathe", fill), material, at, turn, smooth=smooth)
    thing.data.use_auto_smooth = True
    thing.data.auto_smooth_angle = math.radians(40)
    return thing


def prism(outline, depth, at, material, edge=0.03, turn=(0, 0, 0), scale=1.0):
    """A flat shape drawn in x and z, with a thickness along y."""

    def fill(work):
        front = [work.verts.new((x * scale, -depth / 2, z * scale)) for x, z in outline]
        back = [work.verts.new((x * scale, depth / 2, z * scale)) for x, z in outline]
        work.faces.new(front)
        work.faces.new(back[::-1])
        for i in range(len(outline)):
            j = (i + 1) % len(outline)
            work.faces.new((front[i], back[i], back[j], front[j]))

    return _soften(_object("prism", _mesh("prism", fill), material, at, turn), min(edge, depth * 0.45), 4, 50)


def rounded(width, height, radius, steps=10):
    """The outline of a rectangle with round corners, centred."""
    radius = min(radius, width / 2 - 1e-4, height / 2 - 1e-4)
    points = []
    for cx, cz, first in ((width / 2 - radius, height / 2 - radius, 0), (-width / 2 + radius, height / 2 - radius, 90), (-width / 2 + radius, -height / 2 + radius, 180), (width / 2 - radius, -height / 2 + radius, 270)):
        for i in range(steps + 1):
            a = math.radians(first + 90 * i / steps)
            points.append((cx + radius * math.cos(a), cz + radius * math.sin(a)))
    return points


def plate(width, height, depth, at, material, radius=0.06, edge=0.012, turn=(0, 0, 0)):
    return prism(rounded(width, height, radius), depth, at, material, edge, turn)


def spline(points, steps=12, closed=True):
    """A smooth line through the points (Catmull-Rom), for outlines."""
    count = len(points)
    result = []
    for i in range(count if closed else count - 1):
        p = [Vector(points[(i + k) % count]) if closed else Vector(points[max(0, min(count - 1, i + k))]) for k in (-1, 0, 1, 2)]
        for s in range(steps):
            t = s / steps
            q = 0.5 * ((2 * p[1]) + (p[2] - p[0]) * t + (2 * p[0] - 5 * p[1] + 4 * p[2] - p[3]) * t * t + (3 * p[1] - p[0] - 3 * p[2] + p[3]) * t**3)
            result.append(tuple(q))
    if not closed:
        result.append(tuple(points[-1]))
    return result


def group(things, at=(0, 0, 0), turn=(0, 0, 0), scale=1.0):
    """Moves things together. Scale is one number or three."""
    parent = bpy.data.objects.new("group", None)
    bpy.context.scene.collection.objects.link(parent)
    for thing in things:
        if thing.parent is None:
            thing.parent = parent
    parent.location = at
    parent.rotation_euler = [math.radians(a) for a in turn]
    parent.scale = (scale,) * 3 if isinstance(scale, (int, float)) else scale
    return parent


def made(build, *arguments, **named):
    """Everything that a function adds to the scene, as a list without parents."""
    before = set(bpy.context.scene.objects)
    build(*arguments, **named)
    return [o for o in bpy.context.scene.objects if o not in before and o.parent is None]


def place(build, at=(0, 0, 0), turn=(0, 0, 0), scale=1.0, **named):
    """Builds something at the origin and then puts it where it belongs."""
    return group(made(build, **named), at, turn, scale)


# ---------------------------------------------------------------- still-life parts


def screen(width, height, kind, hue="mint", stand=True, frame="ink", power=1.0):
    """A display with an abstract page on it; its foot stands at the origin."""
    foot = 0.32 if stand else 0
    z = foot + height / 2
    plate(width + 0.07, height + 0.07, 0.05, (0, 0.03, z), gloss(frame, 0.35), 0.06)
    plate(width, height, 0.012, (0, -0.002, z), glow("#0d2030", 0.55 * power), 0.035, 0.002)
    page(kind, width, height, hue, power, z)
    if stand:
        box((0.09, 0.05, foot + 0.1), (0, 0.07, foot / 2), metal("steel", 0.35), 0.02)
        box((0.5, 0.3, 0.025), (0, 0.07, 0.0125), metal("steel", 0.35), 0.012)


def page(kind, width, height, hue="mint", power=1.0, z=0.0, y=-0.012):
    """What is on a display: rows, bars, code, a dashboard."""
    w, h = width * 0.9, height * 0.84
    layer = [0]

    def bar(x, top, bw, bh, color, strength, radius=None):
        layer[0] += 1  # no two in one plane
        plate(bw, bh, 0.006, (x + bw / 2 - w / 2, y - 0.0006 * layer[0], z + h / 2 - top - bh / 2), glow(color, strength * power), bh / 2 if radius is None else radius, 0.001)

    if kind == "bars":
        bar(0, 0, w * 0.4, h * 0.07, "paper", 1.2)
        for i, part in enumerate((0.35, 0.5, 0.42, 0.64, 0.58, 0.8, 0.72)):
            bar(w * i / 7, h * (1 - part * 0.8), w / 7 * 0.62, h * part * 0.8, "amber" if i == 5 else hue, 1.5 if i == 5 else 1.1, 0.012)
    elif kind == "code":
        for row in range(9):
            x = (0, 0.06, 0.12, 0.12, 0.06, 0.06, 0.12, 0.06, 0)[row] * w
            for col, (part, color) in enumerate((((0.16, "iris"), (0.3, "paper"), (0.12, hue)), ((0.24, hue), (0.2, "mist")), ((0.12, "amber"), (0.34, "paper")))[row % 3]):
                bar(x, h * row / 9, w * part, h * 0.05, color, 1.1)
                x += w * (part + 0.03)
    elif kind == "rows":
        bar(0, 0, w * 0.36, h * 0.08, "paper", 1.2)
        for row in range(5):
            top = h * (0.2 + 0.165 * row)
            bar(0, top, h * 0.1, h * 0.1, hue if row != 2 else "amber", 1.5)
            bar(h * 0.17, top + h * 0.02, w * (0.5, 0.38, 0.56, 0.44, 0.5)[row], h * 0.055, "mist", 1.0)
            bar(w * 0.84, top + h * 0.02, w * 0.16, h * 0.055, hue if row != 2 else "amber", 1.2)
    elif kind == "dash":
        for i in range(3):
            bar(w * 0.345 * i, 0, w * 0.31, h * 0.24, "#15384a", 1.1, 0.03)
            bar(w * 0.345 * i + w * 0.03, h * 0.06, w * 0.1, h * 0.06, ("paper", "amber", hue)[i], 1.4)
            bar(w * 0.345 * i + w * 0.03, h * 0.15, w * 0.2, h * 0.03, "mist", 0.8)
        bar(0, h * 0.3, w * 0.655, h * 0.7, "#12303f", 1.0, 0.03)
        line = [(-w / 2 + w * (0.04 + 0.575 * i / 40), y - 0.02, z + h / 2 - h * (0.8 - 0.32 * (i / 40) - 0.07 * math.sin(i / 40 * 9) )) for i in range(41)]
        tube(line, h * 0.011, glow(hue, 2.2 * power))
        line = [(px, py, pz - h * (0.08 + 0.04 * math.sin(px * 7))) for px, py, pz in line]
        tube(line, h * 0.007, glow("amber", 1.6 * power))
        bar(w * 0.69, h * 0.3, w * 0.31, h * 0.7, "#12303f", 1.0, 0.03)
        for row in range(5):
            bar(w * 0.72, h * (0.37 + 0.12 * row), w * (0.25, 0.18, 0.22, 0.12, 0.2)[row], h * 0.045, hue if row % 2 else "mist", 1.1)


def display(kind, width, height, seed=1, power=1.0):
    """A thin display with a page as a ticket desk or a watch room has it: many small lines, no words."""
    chance = random.Random(seed)
    light = kind == "tickets"
    plate(width + 0.016, height + 0.016, 0.022, (0, 0.014, 0), matt("#0b1117", 0.35), 0.008, 0.004)
    plate(width, height, 0.004, (0, 0, 0), glow("#b9cdd6" if light else "#143347", (0.95 if light else 0.75) * power), 0.004, 0.001)
    layer = [0.003]

    def bar(x, z, w, h, color, strength=1.0):
        layer[0] += 0.0002
        box((w, 0.001, h), (x + w / 2 - width / 2, -layer[0], height / 2 - z - h / 2), glow(color, strength * power), 0)

    if light:
        bar(0, 0, width * 0.17, height, "#17495c", 0.9)
        bar(width * 0.17, 0, width * 0.83, height * 0.07, "#e9f1f3", 1.25)
        for row in range(13):
            z = height * (0.12 + 0.066 * row)
            bar(width * 0.025, z, width * chance.uniform(0.06, 0.11), height * 0.014, "#8fc6c4", 0.8)
            bar(width * 0.2, z, width * 0.022, height * 0.032, chance.choice(("teal", "teal", "amber", "#7d97a4")), 1.0)
            bar(width * 0.25, z, width * chance.uniform(0.2, 0.42), height * 0.022, "#33505f", 0.7)
            bar(width * 0.72, z, width * chance.uniform(0.06, 0.12), height * 0.022, "#6d8794", 0.8)
            bar(width * 0.88, z, width * 0.08, height * 0.03, chance.choice(("#4fb7a7", "#4fb7a7", "#e9b468")), 1.0)
    elif kind == "watch":
        for i in range(4):
            bar(width * (0.03 + 0.24 * i), height * 0.06, width * 0.22, height * 0.17, "#1c465c", 0.9)
            bar(width * (0.045 + 0.24 * i), height * 0.1, width * 0.07, height * 0.05, ("#e8f4f4", "#6fe0cf", "#e8f4f4", "amber")[i], 1.3)
        for part, hue in ((0.0, "#3fd0bd"), (0.14, "#7fb2d8"), (0.22, "amber")):
            z = 0.5 + part
            line = []
            for i in range(70):
                z += chance.uniform(-0.035, 0.033) * (0.6 + part)
                line.append((width * (0.04 + 0.0085 * i - 0.5), -0.006, height * (0.5 - min(0.9, max(0.33, z)))))
            tube(line, height * 0.004, glow(hue, 1.7 * power))
        for row in range(9):
            bar(width * 0.68, height * (0.32 + 0.068 * row), width * chance.uniform(0.08, 0.2), height * 0.022, "#9ec3cf", 0.8)
            bar(width * 0.92, height * (0.315 + 0.068 * row), width * 0.04, height * 0.032, "amber" if row == 6 else "#3fd0bd", 1.3)
    else:
        for row in range(17):
            x = width * (0.04 + 0.03 * chance.choice((0, 1, 1, 2)))
            for _ in range(chance.randint(1, 4)):
                w = width * chance.uniform(0.04, 0.16)
                bar(x, height * (0.06 + 0.053 * row), w, height * 0.02, chance.choice(("#6fe0cf", "#9ec3cf", "#9ec3cf", "#8f9be8", "amber")), 1.0)
                x += w + width * 0.02


def steam(at, height=0.16):
    """A wisp: two crossed veils that take a little of the light."""

    def build(tree):
        tree.nodes.clear()
        out = tree.nodes.new("ShaderNodeOutputMaterial")
        clear, light, add = (tree.nodes.new(f"Shader{kind}") for kind in ("NodeBsdfTransparent", "NodeEmission", "NodeAddShader"))
        light.inputs["Color"].default_value = linear("#cfe0e4")
        where, draw, noise, ramp, split, fade, product = (tree.nodes.new(f"ShaderNode{kind}") for kind in ("TexCoord", "Mapping", "TexNoise", "ValToRGB", "SeparateXYZ", "ValToRGB", "Math"))
        draw.inputs["Scale"].default_value = (1.5, 1.5, 0.8)
        noise.inputs["Scale"].default_value, noise.inputs["Distortion"].default_value, noise.inputs["Detail"].default_value = 1.6, 1.6, 1.5
        ramp.color_ramp.elements[0].position, ramp.color_ramp.elements[1].position = 0.42, 0.8
        fade.color_ramp.interpolation = "EASE"
        for stop, (position, value) in zip(fade.color_ramp.elements, ((0.05, 0.9), (0.8, 0.0))):
            stop.position, stop.color = position, (value, value, value, 1)
        product.operation = "MULTIPLY"
        edge, soft = tree.nodes.new("ShaderNodeLayerWeight"), tree.nodes.new("ShaderNodeMath")
        soft.operation = "POWER"
        soft.inputs[1].default_value = 2.5
        turned = tree.nodes.new("ShaderNodeMath")
        turned.operation = "SUBTRACT"
        turned.inputs[0].default_value = 1.0
        within = tree.nodes.new("ShaderNodeMath")
        within.operation = "MULTIPLY"
        strength = tree.nodes.new("ShaderNodeMath")
        strength.operation = "MULTIPLY"
        strength.inputs[1].default_value = 0.08
        for a, b in ((where.outputs["Generated"], draw.inputs["Vector"]), (draw.outputs[0], noise.inputs["Vector"]), (noise.outputs["Fac"], ramp.inputs[0]), (where.outputs["Generated"], split.inputs[0]), (split.outputs["Z"], fade.inputs[0]), (ramp.outputs[0], product.inputs[0]), (fade.outputs[0], product.inputs[1]), (edge.outputs["Facing"], turned.inputs[1]), (turned.outputs[0], soft.inputs[0]), (soft.outputs[0], within.inputs[0]), (product.outputs[0], within.inputs[1]), (within.outputs[0], strength.inputs[0]), (strength.outputs[0], light.inputs["Strength"]), (clear.outputs[0], add.inputs[0]), (light.outputs[0], add.inputs[1]), (add.outputs[0], out.inputs["Surface"])):
            tree.links.new(a, b)

    lathe([(0.022, 0), (0.028, height * 0.4), (0.034, height)], at, _material("steam", build))


def laptop(width=1.2, kind="rows", hue="mint", shell="steel", power=1.0, lean=14):
    depth = width * 0.66
    box((width, depth, 0.045), (0, 0, 0.0225), metal(shell, 0.38), 0.02)
    box((width * 0.86, depth * 0.42, 0.01), (0, depth * 0.12, 0.045), matt("ink", 0.6), 0.004)
    for row in range(4):
        for col in range(11):
            box((width * 0.066, depth * 0.078, 0.012), (width * (-0.385 + 0.077 * col), depth * (0.27 - 0.1 * row), 0.053), matt("slate", 0.5), 0.005)
    box((width * 0.32, depth * 0.24, 0.006), (0, -depth * 0.3, 0.045), metal(shell, 0.3), 0.003)
    height = width * 0.62
    parts = made(screen, width=width * 0.95, height=height * 0.93, kind=kind, hue=hue, stand=False, frame=shell, power=power)
    group(parts, (0, depth / 2, 0.06), (-lean, 0, 0))


def tablet(width=1.5, back="ink"):
    """Leans on a stand, its screen towards -y; gives the height of the screen's middle."""
    height = width * 0.7
    plate(width + 0.1, height + 0.1, 0.05, (0, 0.03, 0), metal(back, 0.3), 0.09, 0.02)
    plate(width, height, 0.01, (0, 0, 0), glow("#12303f", 0.7), 0.05, 0.002)
    box((width * 0.5, 0.5, 0.03), (0, 0.25, -height / 2 - 0.05), metal("steel", 0.35), 0.01, (14, 0, 0))


def stethoscope(color="#0f4a44"):
    """Lies on a desk; about 1.6 wide."""
    rubber, steel = worn(color, 0.42, 0, (1, 1, 1), 30.0, 0.2, 0.02), metal("steel", 0.2)
    tube([(-0.1, 0.42, 0.05), (-0.38, 0.2, 0.05), (-0.42, -0.1, 0.05), (-0.12, -0.3, 0.05), (0.24, -0.2, 0.05), (0.3, 0.08, 0.05), (0.52, 0.2, 0.05), (0.78, 0.0, 0.06), (0.82, -0.18, 0.1)], 0.042, rubber, smooth=True)
    for side in (-1, 1):
        tube([(-0.1, 0.42, 0.05), (-0.06 + side * 0.1, 0.58, 0.05), (0.02 + side * 0.26, 0.78, 0.06), (0.06 + side * 0.3, 1.02, 0.07), (0.1 + side * 0.2, 1.16, 0.08)], 0.024, steel, smooth=True)
        ball(0.05, (0.1 + side * 0.18, 1.18, 0.08), matt("#101a20", 0.5), detail=24)
    lathe([(0, 0), (0.2, 0), (0.22, 0.03), (0.2, 0.07), (0.12, 0.1), (0.1, 0.16), (0.13, 0.18), (0.12, 0.23), (0, 0.24)], (0.8, -0.34, 0.0), steel)
    ring(0.2, 0.02, (0.8, -0.34, 0.035), matt("#101a20", 0.5))


def phone(height=1.0, kind="rows", hue="mint", power=1.0):
    width = height * 0.49
    plate(width, height, height * 0.055, (0, 0, height / 2), metal("ink", 0.3), height * 0.075, height * 0.012)
    plate(width * 0.92, height * 0.95, 0.008, (0, -height * 0.0285, height / 2), glow("#0d2030", 0.7 * power), height * 0.06, 0.001)
    parts = made(page, kind=kind, width=width * 0.92, height=height * 0.86, hue=hue, power=power, y=-height * 0.0285 - 0.007)
    group(parts, (0, 0, height * 0.5))


def rack(width=0.62, depth=0.7, height=1.9, units=15, hue="mint", seed=1, body="ink", busy=1.0):
    """A server rack, its lamps towards -y, standing at the origin."""
    chance = random.Random(seed)
    box((width, depth, height), (0, 0, height / 2), gloss(body, 0.4), 0.015)
    inner = width * 0.86
    step = (height * 0.93) / units
    for u in range(units):
        z = height * 0.04 + step * (u + 0.5)
        front = -depth / 2 - 0.008
        box((inner, 0.03, step * 0.82), (0, front, z), matt(chance.choice(("slate", "ink", "slate")), 0.45, 0.4), 0.006)
        kind = chance.random()
        if kind < 0.45:
            for i in range(6):
                box((inner * 0.085, 0.012, step * 0.5), (inner * (-0.18 + 0.11 * i), front - 0.018, z), matt("deep", 0.5), 0.003)
        elif kind < 0.75:
            for i in range(9):
                box((inner * 0.045, 0.012, step * 0.26), (inner * (-0.2 + 0.075 * i), front - 0.016, z), glow(hue, 0.5) if chance.random() < 0.4 else matt("deep", 0.5), 0.002)
        else:
            box((inner * 0.6, 0.012, step * 0.12), (inner * 0.08, front - 0.016, z), matt("deep", 0.5), 0.003)
        for i in range(3):
            if chance.random() < 0.75 * busy:
                color = "amber" if chance.random() < 0.12 else hue
                ball(min(step * 0.12, 0.017), (inner * (-0.43 + 0.06 * i), front - 0.018, z), glow(color, 7.0), detail=12)


def lamp(height=1.1, reach=0.4, power=14.0, hue="amber"):
    """A desk lamp that leans to +x and throws warm light."""
    cylinder(0.15, 0.03, (0, 0, 0.015), metal("brass", 0.35))
    tube([(0, 0, 0.02), (-0.05, 0, height * 0.55), (reach * 0.3, 0, height * 0.98), (reach, 0, height)], 0.014, metal("brass", 0.35), smooth=True)
    lathe([(0.03, 0.06), (0.05, 0.05), (0.15, -0.08), (0.16, -0.1), (0.15, -0.1), (0.045, 0.03)], (reach, 0, height - 0.02), gloss("teal", 0.35))
    ball(0.05, (reach, 0, height - 0.07), glow("#ffd49a", power * 1.6))
    data = bpy.data.lights.new("lamp", "POINT")
    data.energy = power
    data.color = linear("#ffc27a")[:3]
    data.shadow_soft_size = 0.06
    light = bpy.data.objects.new("lamp", data)
    bpy.context.scene.collection.objects.link(light)
    light.location = (reach, 0, height - 0.14)


def plant(height=0.9, seed=3, color="#2f7d64", pot="sand"):
    chance = random.Random(seed)
    r = height * 0.17
    lathe([(0, 0), (r * 0.75, 0), (r * 0.8, 0.01), (r, r * 1.5), (r * 0.9, r * 1.5), (r * 0.85, r * 1.35), (0, r * 1.35)], (0, 0, 0), matt(pot, 0.7))
    for i in range(13):
        a = i * 2.4 + chance.random() * 0.5
        rise = height * chance.uniform(0.45, 0.95)
        out = height * chance.uniform(0.16, 0.42)
        start = Vector((0, 0, r * 1.3))
        end = Vector((out * math.cos(a), out * math.sin(a), rise))
        tube([tuple(start), tuple(start.lerp(end, 0.5) + Vector((0, 0, height * 0.1))), tuple(end)], height * 0.007, matt(color, 0.5), smooth=True)
        leaf = ball(height * 0.11, tuple(end), matt(color, 0.45), (1.0, 0.55, 0.09), detail=24)
        leaf.rotation_euler = (chance.uniform(-0.4, 0.4), chance.uniform(0.1, 0.7), a)


def mug(color="paper", r=0.07):
    lathe([(0, 0), (r * 0.85, 0), (r, r * 0.15), (r, r * 2), (r * 0.88, r * 2), (r * 0.86, r * 1.6), (0, r * 1.55)], (0, 0, 0), gloss(color))
    ring(r * 0.55, r * 0.13, (r * 1.15, 0, r), gloss(color), (90, 0, 0))


def headset(radius=0.3, color="ink", accent="mint", turn=(0, 0, 0)):
    """Over a head of that radius, centred at the origin; the ears at ±x."""
    ring(radius * 1.12, radius * 0.075, (0, 0, 0), matt(color, 0.4), (90, 0, 0), 0, 180)
    for side in (-1, 1):
        cylinder(radius * 0.36, radius * 0.24, (side * radius * 1.06, 0, -radius * 0.04), matt(color, 0.4), radius * 0.08, (0, 90, 0))
        cylinder(radius * 0.2, radius * 0.05, (side * radius * 1.19, 0, -radius * 0.04), glow(accent, 1.6), 0.004, (0, 90, 0))
    tube([(-radius * 1.06, -0.02, -radius * 0.2), (-radius * 1.0, -radius * 0.6, -radius * 0.5), (-radius * 0.45, -radius * 1.05, -radius * 0.56)], radius * 0.045, matt(color, 0.4), smooth=True)
    ball(radius * 0.11, (-radius * 0.42, -radius * 1.06, -radius * 0.56), matt(color, 0.5), (1.5, 1, 1), detail=24)


def limb(*stations, steps=9):
    """Balls along a smooth line of (x, y, z, radius), for `blend`."""
    return through(list(stations), steps)


def person(clothes="#22384a", skin="#8a5b41", hair="#1a1512", style="short", turn=0, look=0, nod=0, hands=((-0.16, 0.42), (0.16, 0.42)), with_headset=True, collar="#c9c4b8"):
    """Somebody on a chair, of real size, facing +y: seat at 0.46, desk at 0.74. For silhouettes and
    shallow focus, not for portraits. Turn is of the body, look of the head beyond it, in degrees."""
    body = limb((0, -0.02, 0.50, 0.15), (0, -0.03, 0.62, 0.135), (0, -0.015, 0.78, 0.125), (0, 0.0, 0.93, 0.13), (0, -0.01, 1.02, 0.11), (0, -0.01, 1.08, 0.07))
    for side in (-1, 1):
        hx, hy = hands[0 if side < 0 else 1]
        body += limb((side * 0.10, -0.01, 0.52, 0.12), (side * 0.09, -0.025, 0.7, 0.11), (side * 0.085, 0.0, 0.88, 0.115), (side * 0.095, -0.01, 0.98, 0.10))
        body += limb((side * 0.03, -0.015, 1.10, 0.055), (side * 0.09, -0.015, 1.065, 0.06), (side * 0.165, -0.01, 1.02, 0.068), (side * 0.205, 0.02, 0.93, 0.062), (side * 0.235, 0.07, 0.80, 0.052), (side * 0.225, 0.16, 0.765, 0.046), (hx * 0.65 + side * 0.075, hy * 0.75, 0.775, 0.038), (hx, hy - 0.04, 0.778, 0.03), steps=7)
        body += limb((side * 0.10, 0.0, 0.5, 0.11), (side * 0.13, 0.25, 0.5, 0.085), (side * 0.14, 0.45, 0.48, 0.065), (side * 0.14, 0.48, 0.2, 0.055), steps=5)
    things = made(blend, parts=body, material=cloth(clothes), voxel=0.012, smooth=5, detail=3)
    for side in (-1, 1):
        hx, hy = hands[0 if side < 0 else 1]
        things += made(blend, parts=limb((hx, hy - 0.03, 0.776, 0.027), (hx - side * 0.01, hy + 0.04, 0.775, 0.032), (hx - side * 0.02, hy + 0.11, 0.765, 0.014)), material=matt(skin, 0.55), voxel=0.008, smooth=4, detail=3)
    things += made(ring, radius=0.066, thickness=0.016, at=(0, -0.004, 1.125), material=cloth(collar), turn=(14, 0, 0))

    def head():
        # the pivot is the top of the neck; the face looks to +y
        face = limb((0, -0.012, -0.1, 0.058), (0, -0.004, -0.03, 0.053), (0, 0.002, 0.02, 0.055))
        face += [(0, -0.005, 0.105, 0.084), (0, 0.028, 0.115, 0.072), (0, -0.035, 0.1, 0.078)]
        face += [(s * 0.022, 0.045, 0.045, 0.052) for s in (-1, 1)] + [(0, 0.058, 0.012, 0.036), (0, 0.078, -0.004, 0.022), (0, 0.06, 0.075, 0.05)]
        face += [(0, 0.09, 0.098, 0.018), (0, 0.105, 0.075, 0.014), (0, 0.117, 0.058, 0.0135), (0, 0.098, 0.035, 0.014), (0, 0.097, 0.02, 0.014)]
        face += limb((-0.05, 0.04, 0.04, 0.024), (-0.035, 0.075, 0.0, 0.018), (0, 0.085, -0.008, 0.018), (0.035, 0.075, 0.0, 0.018), (0.05, 0.04, 0.04, 0.024), steps=5)
        blend(face, matt(skin, 0.5), 0.0055, 4, 3)
        for s in (-1, 1):
            ball(0.03, (s * 0.079, 0.0, 0.07), matt(skin, 0.5), (0.35, 0.7, 1.05), (10, 0, 0), detail=24)
        crown = [(0, -0.008, 0.118, 0.094), (0, 0.02, 0.134, 0.083), (0, -0.034, 0.108, 0.09), (0, 0.045, 0.155, 0.052)]
        if style == "short":
            crown += limb((0, -0.055, 0.09, 0.07), (0, -0.06, 0.05, 0.058), (0, -0.05, 0.02, 0.045))
            crown += [(s * 0.045, 0.0, 0.12, 0.052) for s in (-1, 1)]
        elif style == "bun":
            crown += limb((0, -0.055, 0.09, 0.07), (0, -0.055, 0.05, 0.055)) + [(0, -0.125, 0.155, 0.05), (0.012, -0.15, 0.165, 0.035), (-0.02, -0.13, 0.185, 0.03)]
            crown += [(s * 0.05, 0.0, 0.1, 0.05) for s in (-1, 1)]
        else:
            for s in (-1, 1):
                crown += limb((s * 0.05, 0.01, 0.13, 0.055), (s * 0.068, -0.005, 0.05, 0.045), (s * 0.066, -0.015, -0.03, 0.045), (s * 0.05, -0.02, -0.1, 0.035))
            crown += limb((0, -0.06, 0.1, 0.075), (0, -0.07, 0.02, 0.07), (0, -0.065, -0.07, 0.06), (0, -0.055, -0.12, 0.04))
        blend(crown, worn(hair, 0.6, 0.0, (1, 1, 0.16), 150.0, 0.5, 0.6), 0.006, 4, 3)
        if with_headset:
            # over the hair, hence a little larger than the head
            place(call_headset, (0, -0.004, 0.092), (-8, 0, 180), radius=0.1)

    things.append(place(head, (0, 0.005, 1.19), (nod, 0, look)))
    return group(things, (0, 0, 0), (0, 0, turn))


def call_headset(radius=0.09, lit="mint"):
    """The tool of the trade, of real size: band, cushions, boom. Ears at ±x, the wearer looks to -y."""
    shell, soft = worn("#161d24", 0.42, 0.0, (1, 1, 1), 60.0, 0.2, 0.02), leather()
    r = radius
    arc = [(r * 1.04 * math.cos(math.radians(a)), 0, r * 1.16 * math.sin(math.radians(a))) for a in range(-6, 187, 6)]
    for dy in (-0.006, 0.0, 0.006):
        tube([(x, dy, z) for x, _, z in arc], 0.0042, shell)
    tube([(x * 0.985, 0, z * 0.975) for x, _, z in arc[8:-8]], 0.0085, soft)
    for s in (-1, 1):
        box((0.007, 0.02, r * 0.5), (s * r * 1.06, 0, r * 0.16), metal("steel", 0.3), 0.003)
        lathe([(0, -0.012), (0.026, -0.012), (0.031, -0.006), (0.032, 0.006), (0.028, 0.012), (0.012, 0.014), (0, 0.014)], (s * r * 1.1, 0, -r * 0.06), shell, (0, s * 90, 0))
        ring(0.0235, 0.0115, (s * (r * 1.1 - 0.016), 0, -r * 0.06), soft, (0, 90, 0))
        ring(0.021, 0.0016, (s * (r * 1.1 + 0.0125), 0, -r * 0.06), metal("steel", 0.28), (0, 90, 0))
        ball(0.0022, (s * (r * 1.1 + 0.0145), -0.012, -r * 0.06), glow(lit, 6.0), detail=12)
    tube([(-r * 1.13, -0.008, -r * 0.1), (-r * 1.14, -0.045, -r * 0.42), (-r * 0.98, -0.085, -r * 0.72), (-r * 0.6, -0.118, -r * 0.8)], 0.0032, shell, smooth=True)
    ball(0.0105, (-r * 0.52, -0.121, -r * 0.8), worn("#0d1216", 0.95, 0.0, (1, 1, 1), 500.0, 0.3, 0.6), (1.5, 1, 1), detail=32)


# ---------------------------------------------------------------- light, ground, camera


def area(at, towards, size, power, color, shape="RECTANGLE", other=None, seen=False, shiny=True):
    data = bpy.data.lights.new("area", "AREA")
    data.shape = shape
    data.size = size
    data.size_y = other or size
    data.energy = power
    data.color = linear(color)[:3]
    light = bpy.data.objects.new("area", data)
    bpy.context.scene.collection.objects.link(light)
    light.location = at
    light.rotation_euler = (Vector(towards) - Vector(at)).to_track_quat("-Z", "Y").to_euler()
    light.visible_camera = seen
    light.visible_glossy = shiny
    return light


def world(color="#1a3346", strength=0.35):
    scene = bpy.context.scene
    scene.world = bpy.data.worlds.new("world")
    scene.world.use_nodes = True
    node = scene.world.node_tree.nodes["Background"]
    node.inputs["Color"].default_value = linear(color)
    node.inputs["Strength"].default_value = strength


def camera(at, towards, lens=50, focus=None, stop=2.8):
    data = bpy.data.cameras.new("camera")
    data.lens = lens
    data.clip_end = 400
    thing = bpy.data.objects.new("camera", data)
    bpy.context.scene.collection.objects.link(thing)
    thing.location = at
    thing.rotation_euler = (Vector(towards) - Vector(at)).to_track_quat("-Z", "Y").to_euler()
    if focus is not None:
        data.dof.use_dof = True
        data.dof.focus_distance = (Vector(focus) - Vector(at)).length
        data.dof.aperture_fstop = stop
        data.dof.aperture_blades = 0
    bpy.context.scene.camera = thing
    return thing


def tide(material, inner=1.7, outer=14.0, waves=7, height=0.035, length=0.42, at=(0, 0, 0)):
    """A floor on which rings of water run outwards and die away."""
    rows, sides = 260, 160

    def fill(work):
        table = []
        for i in range(rows):
            r = 0.02 + (outer - 0.02) * (i / (rows - 1)) ** 2.0
            away = max(0.0, r - inner)
            fade = math.exp(-away / (length * waves * 0.45)) * min(1.0, max(0.0, (r - inner + 0.3) / 0.5))
            z = height * fade * math.cos(2 * math.pi * away / length)
            table.append([work.verts.new((r * math.cos(2 * math.pi * k / sides), r * math.sin(2 * math.pi * k / sides), z)) for k in range(sides)])
        work.faces.new(table[0])
        for low, high in zip(table, table[1:]):
            for k in range(sides):
                work.faces.new((low[k], low[(k + 1) % sides], high[(k + 1) % sides], high[k]))

    return _object("tide", _mesh("tide", fill), material, at, smooth=True)


# how the small pictures are exposed and rendered
STILL = {"width": 960, "samples": 20, "bloom": 0.45, "exposure": 0.22}


def studio(hue="mint", ground="#1c3345", accent="amber", plinth=True):
    """The stage of every small picture: one ground, one light, one camera.
    Things stand on the plinth, whose top is at z = 0; about 2.6 wide and 2.1 high is seen."""
    world("#2b4860", 0.5)
    floor = matt(ground, 0.42)
    tide(floor, inner=1.62, at=(0, 0, -0.2), outer=9.0)
    # the wall behind, which the floor runs into
    profile = [(-14, 4.0, -0.205), (14, 4.0, -0.205)]

    def fill(work):
        rows = []
        for i in range(25):
            a = math.radians(90 * i / 24)
            rows.append((3.6 + 3.0 * math.sin(a), -0.21 + 3.0 * (1 - math.cos(a))))
        rows.append((6.6, 12.0))
        table = [[work.verts.new((x, y, z)) for x in (-16, 16)] for y, z in rows]
        for low, high in zip(table, table[1:]):
            work.faces.new((low[0], low[1], high[1], high[0]))

    _object("wall", _mesh("wall", fill), floor, smooth=True)
    if plinth:
        cylinder(1.42, 0.2, (0, 0, -0.1), matt("#2a4558", 0.38), 0.035, sides=160)
        ring(1.425, 0.011, (0, 0, -0.13), glow(hue, 4.5), sides=160)
    lights(hue, accent)
    area((0.2, 4.2, 3.4), (0.2, 7.2, 1.6), 2.4, 190, hue, shiny=False)
    camera((0.0, -7.4, 2.7), (0, 0, 0.8), 62.5, (0, -0.35, 0.8), 2.2)


def town(y, width, seed=3, low=-0.2, dusk=("#f2a24a", "#e0925a", "#8f7f7c", "#3c6272", "#12303f"), high=1.0, power=1.0):
    """A town at nightfall, far enough away that the lens makes discs of its lights. `high` scales its houses."""
    sky(width * 1.6, 6.4 * high, (0, y + 3 * high, low), tuple(zip((0.0, 0.34, 0.46, 0.6, 1.0), dusk)), 0.95)
    chance = random.Random(seed)
    lights = {"amber": 34.0, "#ffdca8": 30.0, "#8fe8dc": 22.0, "coral": 22.0}
    points = {hue: [] for hue in lights}
    x = -width / 2
    while x < width / 2:
        w, h = high * chance.uniform(0.5, 1.4), high * chance.uniform(1.6, 3.7)
        box((w, 0.4, h), (x + w / 2, y + high * (1.2 + chance.random()), low + h / 2), glow(chance.choice(("#1d3d4e", "#24485a", "#2b4c5c")), 0.5), 0)
        for _ in range(int(w * h * 4.5 / high**2)):
            hue = chance.choices(list(lights), (7, 6, 3, 0.6))[0]
            points[hue].append((x + chance.random() * w, y + 0.8 * high, low + h * chance.uniform(0.05, 0.97)))
        x += w + high * chance.uniform(-0.15, 0.22)
    for hue, places in points.items():
        # few are near and bright, most are far and dim
        for share, strength in ((slice(0, None, 3), 1.0), (slice(1, None, 3), 0.3), (slice(2, None, 3), 0.12)):
            swarm(places[share] or [(0, y + 9, 0)], 0.017 * high, glow(hue, lights[hue] * power * strength))


def lights(hue="mint", accent="amber", power=1.0):
    """The light of every small picture: soft white from the left, amber from the right behind,
    the family's color from the left behind."""
    area((-3.2, -3.4, 5.0), (0, 0, 0.5), 3.4, 620 * power, "#fff1dd")
    area((4.2, 1.9, 2.6), (0, 0, 0.7), 1.6, 520 * power, accent, other=2.4)
    area((-4.4, 2.2, 2.2), (0, 0, 0.7), 1.2, 260 * power, hue, other=3.0)
    area((0.0, -6.0, 7.0), (0, 0, 1.0), 5.0, 210 * power, "#dcebf2")


def by_the_window(hue="mint", accent="amber", top=("#7a5133", "#4d301d"), dusk=("#f2a24a", "#e0925a", "#8f7f7c", "#3c6272", "#12303f"), seed=3, focus=(0, -0.3, 0.6), power=0.55, bars=(-4.1, 0.9, 5.9)):
    """A desk at a window at nightfall; its top is at z = 0."""
    world("#1d3d50", 0.4)
    box((16, 3.9, 0.12), (0, -0.35, -0.06), timber(top[0], 0.36, "x", top[1]), 0.03)
    for x in bars:
        box((0.1, 0.16, 14), (x, 6.0, 2), matt("#0f1a24", 0.6), 0)
    town(17, 34, seed, -3.0, dusk, 1.15, 1.6)
    lights(hue, accent, power)
    camera((0.0, -7.2, 1.9), (0, 0, 0.86), 62.5, focus, 0.42)


def on_the_wall(hue="mint", accent="amber", plaster="#28455a", focus=(0, 0.2, 1.0)):
    """A wall with a wooden shelf, whose top is at z = 0."""
    world("#2b4860", 0.4)
    box((16, 0.2, 12), (0, 0.75, 2), worn(plaster, 0.7, 0, (1, 1, 1), 5.0, 0.12, 0.12), 0)
    box((16, 0.9, 0.1), (0, 0.25, -0.05), timber(), 0.02)
    lights(hue, accent, 0.85)
    area((2.9, -0.3, 3.0), (-0.4, 0.7, 0.9), 0.4, 150, "#ffcf94")
    camera((-1.3, -7.2, 1.75), (0, 0, 0.97), 62.5, focus, 0.6)


def in_the_aisle(hue="mint", accent="amber", focus=(0, -0.3, 0.8), at=(0.0, -7.2, 1.8), towards=(0, 0, 0.9)):
    """Between the racks of a machine room; the floor is at z = 0."""
    world("#1b3a50", 0.35)
    box((30, 60, 0.1), (0, 20, -0.05), worn("#1b2c3a", 0.2, 0, (1, 1, 1), 2.0, 0.2, 0.01), 0)
    shelves = [stock(rack, width=1.3, depth=1.6, height=4.2, units=16, hue=hue, seed=s, body="#24394b") for s in range(3)]
    for i in range(14):
        for side in (-1, 1):
            copy(shelves[(i * 2 + side) % 3], (side * 3.5, 1.6 + 1.36 * i, 0), (0, 0, -side * 90))
    for side in (-1, 1):
        box((0.14, 40, 0.03), (side * 1.3, 12, 4.6), glow("#d9fff6", 3.0), 0)
    sky(5.4, 5.0, (0, 21, 0), ((0.0, "#7d5a3c"), (0.5, "#c99a62"), (1.0, "#e0bd8c")), 0.6)
    lights(hue, accent, 0.55)
    camera(at, towards, 62.5, focus, 0.42)


def on_the_street(hue="mint", accent="amber", seed=5, focus=(0, -0.4, 0.6), dusk=("#f2a24a", "#e0925a", "#8f7f7c", "#3c6272", "#12303f"), power=0.6, height=1.5):
    """Wet ground in a town at night; the ground is at z = 0."""
    world("#1d3d50", 0.4)
    box((60, 60, 0.1), (0, 15, -0.05), worn("#1c2a35", 0.24, 0, (1, 0.5, 1), 1.1, 0.35, 0.015), 0)
    town(13, 34, seed, -0.1, dusk, 0.74, 3.2)
    lights(hue, accent, power)
    camera((0.0, -7.4, height), (0, 0, 0.8), 62.5, focus, 0.45)


def by_the_sea(hue="mint", accent="amber", focus=(0, 0, 1.0)):
    """Dark water under the last light; its surface is at z = 0."""
    world("#1d3d50", 0.4)
    tide(matt("#102a3a", 0.12), inner=0.5, outer=60, waves=18, height=0.035, length=0.5)
    sky(160, 34, (0, 56, -0.4), ((0.0, "#f5b461"), (0.06, "#c9805a"), (0.16, "#3d6b78"), (0.34, "#17405a"), (0.7, "#0d2032")), 0.8)
    lights(hue, accent, 0.6)
    camera((0.0, -7.4, 1.2), (0, 0, 0.95), 62.5, focus, 0.8)


def reset():
    bpy.ops.wm.read_factory_settings(use_empty=True)
    _materials.clear()
    scene = bpy.context.scene
    scene.render.engine = "CYCLES"
    cycles = scene.cycles
    cycles.device = "CPU"
    cycles.use_denoising = False
    cycles.use_adaptive_sampling = True
    cycles.adaptive_threshold = 0.015
    cycles.max_bounces = 6
    cycles.diffuse_bounces = 3
    cycles.glossy_bounces = 3
    cycles.transparent_max_bounces = 12
    cycles.caustics_reflective = False
    cycles.caustics_refractive = False
    cycles.sample_clamp_indirect = 4.0
    cycles.sample_clamp_direct = 40.0
    cycles.blur_glossy = 0.5
    cycles.seed = 1
    scene.view_settings.view_transform = "Standard"
    scene.render.film_transparent = False
    scene.render.resolution_percentage = 100
    scene.render.use_persistent_data = False


# ---------------------------------------------------------------- many of one


def stock(build, *arguments, **named):
    """Builds something once, out of the scene, so that it can be set down many times."""
    scene = bpy.context.scene
    before = set(scene.objects)
    build(*arguments, **named)
    shelf = bpy.data.collections.new("stock")
    for thing in [o for o in scene.objects if o not in before]:
        scene.collection.objects.unlink(thing)
        shelf.objects.link(thing)
    return shelf


def copy(shelf, at=(0, 0, 0), turn=(0, 0, 0), scale=1.0):
    thing = bpy.data.objects.new("copy", None)
    thing.instance_type = "COLLECTION"
    thing.instance_collection = shelf
    bpy.context.scene.collection.objects.link(thing)
    thing.location = at
    thing.rotation_euler = [math.radians(a) for a in turn]
    thing.scale = (scale,) * 3 if isinstance(scale, (int, float)) else scale
    return thing


def swarm(points, radius, material):
    """Many small balls as one mesh. radius: one number, or one for each point."""
    import numpy as np

    work = bmesh.new()
    bmesh.ops.create_icosphere(work, subdivisions=2, radius=1)
    verts = np.array([v.co[:] for v in work.verts])
    faces = np.array([[v.index for v in f.verts] for f in work.faces])
    work.free()
    points = np.asarray(points, float)
    radii = np.broadcast_to(np.asarray(radius, float), (len(points),))
    every = (points[:, None, :] + verts[None] * radii[:, None, None]).reshape(-1, 3)
    sides = (faces[None] + (np.arange(len(points)) * len(verts))[:, None, None]).reshape(-1, 3)
    mesh = bpy.data.meshes.new("swarm")
    mesh.from_pydata(every.tolist(), [], sides.tolist())
    return _object("swarm", mesh, material, smooth=True)


def blend(parts, material, voxel=0.03, smooth=8, detail=4):
    """One skin over several overlapping balls: (x, y, z, radius)."""

    def fill(work):
        for x, y, z, r in parts:
            made_ = bmesh.ops.create_icosphere(work, subdivisions=detail, radius=r)
            bmesh.ops.translate(work, vec=(x, y, z), verts=made_["verts"])

    thing = _object("blend", _mesh("blend", fill), material, smooth=True)
    skin = thing.modifiers.new("skin", "REMESH")
    skin.mode = "VOXEL"
    skin.voxel_size = voxel
    skin.use_smooth_shade = True
    if smooth:
        soft = thing.modifiers.new("soft", "SMOOTH")
        soft.factor = 0.5
        soft.iterations = smooth
    return thing


def sky(width, height, at, stops, strength=1.0, turn=(0, 0, 0)):
    """An upright card that glows from the first color (below) to the last (above)."""

    def build(tree):
        tree.nodes.clear()
        out = tree.nodes.new("ShaderNodeOutputMaterial")
        light = tree.nodes.new("ShaderNodeEmission")
        light.inputs["Strength"].default_value = strength
        where = tree.nodes.new("ShaderNodeTexCoord")
        split = tree.nodes.new("ShaderNodeSeparateXYZ")
        ramp = tree.nodes.new("ShaderNodeValToRGB")
        ramp.color_ramp.interpolation = "EASE"
        for i, (position, color) in enumerate(stops):
            stop = ramp.color_ramp.elements[i] if i < 2 else ramp.color_ramp.elements.new(position)
            stop.position = position
            stop.color = linear(color)
        tree.links.new(where.outputs["Generated"], split.inputs[0])
        tree.links.new(split.outputs["Z"], ramp.inputs[0])
        tree.links.new(ramp.outputs[0], light.inputs["Color"])
        tree.links.new(light.outputs[0], out.inputs["Surface"])

    def fill(work):
        corners = [(-width / 2, 0, 0), (width / 2, 0, 0), (width / 2, 0, height), (-width / 2, 0, height)]
        work.faces.new([work.verts.new(c) for c in corners])

    return _object("sky", _mesh("sky", fill), _material(("sky", str(stops), strength), build), at, turn)


def loft(stations, material, sides=56, power=2.6, smooth=True):
    """A body through upright ovals along x: (x, centre z, half height, half width[, squareness])."""

    def fill(work):
        rows = []
        for station in stations:
            x, cz, hh, hw = station[:4]
            n = station[4] if len(station) > 4 else power
            row = []
            for i in range(sides):
                a = 2 * math.pi * i / sides
                c, s = math.cos(a), math.sin(a)
                row.append(work.verts.new((x, hw * math.copysign(abs(c) ** (2 / n), c), cz + hh * math.copysign(abs(s) ** (2 / n), s))))
            rows.append(row)
        work.faces.new(rows[0])
        work.faces.new(rows[-1][::-1])
        for low, high in zip(rows, rows[1:]):
            for i in range(sides):
                work.faces.new((low[i], low[(i + 1) % sides], high[(i + 1) % sides], high[i]))

    return _object("loft", _mesh("loft", fill), material, smooth=smooth)


def through(keys, steps=10):
    """Stations between stations: a smooth curve through every column of numbers."""
    result = []
    for i in range(len(keys) - 1):
        p = [keys[max(0, min(len(keys) - 1, i + k))] for k in (-1, 0, 1, 2)]
        for s in range(steps):
            t = s / steps
            result.append(tuple(0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t * t + (3 * b - a - 3 * c + d) * t**3) for a, b, c, d in zip(*p)))
    return result + [tuple(keys[-1])]
