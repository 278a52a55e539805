"""What Tidewell does: one object each, on the plinth."""
import math

from kit import *  # noqa: F403


def wave(radii, at, hue="mint", turn=(90, 0, 0), spread=38, towards=90, thickness=0.022, power=3.0):
    """Signal: arcs about a point."""
    for i, radius in enumerate(radii):
        ring(radius, thickness, at, glow(hue, power * 0.8**i), turn, towards - spread, towards + spread)


def cloud_form(material, scale=1.0, at=(0, 0, 0)):
    lumps = [(0, 0, 0.12, 0.52), (-0.52, 0.02, -0.04, 0.38), (0.5, 0.0, 0.0, 0.42), (-0.9, 0.02, -0.18, 0.24), (0.92, 0.02, -0.16, 0.27), (0.18, -0.14, -0.1, 0.36), (-0.22, -0.1, -0.12, 0.33)]
    return blend([(x * scale + at[0], y * scale + at[1], z * scale + at[2], r * scale) for x, y, z, r in lumps], material, 0.022 * scale, 5)


def managed_it():
    by_the_window(focus=(0.2, -0.4, 0.7))
    place(display, (-0.25, 0.25, 1.06), (0, 0, 14), kind="watch", width=2.2, height=1.25, seed=2, power=1.3)
    box((0.12, 0.1, 0.6), (-0.25, 0.38, 0.32), metal("slate", 0.35), 0.02, (0, 0, 14))
    plate(0.8, 0.5, 0.03, (-0.25, 0.35, 0.015), metal("slate", 0.35), 0.06, 0.01, (90, 0, 14))
    cylinder(0.2, 0.04, (1.12, -0.55, 0.02), metal("slate", 0.3), 0.015)
    tube([(1.12, -0.55, 0.02), (1.12, -0.55, 0.86)], 0.022, metal("steel", 0.3))
    place(call_headset, (1.12, -0.55, 0.52), (0, 0, 30), 3.3)
    place(mug, (-1.0, -0.65, 0), (0, 0, 200), color="#d9d2c4", r=0.15)
    return STILL


def switch(hue="mint", seed=0, width=2.0):
    box((width, 0.8, 0.3), (0, 0, 0.15), gloss("#345069", 0.35), 0.04)
    box((width * 0.96, 0.02, 0.24), (0, -0.4, 0.15), matt("deep", 0.5), 0.01)
    for i in range(8):
        x = width * (-0.36 + 0.09 * i)
        box((0.13, 0.03, 0.12), (x, -0.405, 0.13), matt("#050b12", 0.5), 0.012)
        box((0.1, 0.01, 0.018), (x, -0.418, 0.225), glow("amber" if (i + seed) % 5 == 3 else hue, 5.0), 0.002)
    for i in range(3):
        ball(0.022, (width * (0.39 + 0.03 * i), -0.415, 0.15), glow(hue if i else "amber", 6.0), detail=16)


def network():
    in_the_aisle(at=(0.9, -7.2, 1.7), towards=(0.25, 0, 0.95), focus=(0, -0.5, 0.9))

    def front():
        place(switch, (0, 0, 0.52), seed=1)
        place(switch, (0, 0, 1.32), seed=2)
        for z, h in ((0.2, 0.5), (1.1, 0.34), (1.96, 0.5)):
            box((1.98, 0.7, h), (0, 0.06, z), worn("#0d1822", 0.5, 0.3, (0.05, 1, 1), 30.0, 0.2, 0.02), 0.02)
        for side in (-1, 1):
            box((0.16, 0.9, 3.2), (side * 1.1, 0.04, 1.1), gloss("#24394b", 0.4), 0.02)
            for i in range(11):
                box((0.05, 0.01, 0.05), (side * 1.1, -0.415, -0.1 + 0.22 * i), matt("#050b12", 0.6), 0.004)
        for a, b, color, out in ((0, 1, "teal", 0.34), (1, 3, "paper", 0.5), (3, 2, "amber", 0.36), (4, 6, "teal", 0.52), (6, 5, "paper", 0.4), (7, 7, "mint", 0.5)):
            x1, x2 = 2.0 * (-0.36 + 0.09 * a), 2.0 * (-0.36 + 0.09 * b)
            for x, z in ((x1, 1.45), (x2, 0.65)):
                box((0.105, 0.16, 0.095), (x, -0.47, z), gloss(color, 0.4), 0.02)
            tube([(x1, -0.54, 1.45), (x1 * 0.8 + x2 * 0.2, -0.56 - out * 0.6, 1.36), ((x1 + x2) / 2 + 0.03 * a, -0.56 - out, 1.0), (x2 * 0.8 + x1 * 0.2, -0.56 - out * 0.6, 0.66), (x2, -0.54, 0.65)], 0.032, gloss(color, 0.42), smooth=True)

    place(front, (-0.25, 0.3, -0.1), (0, 0, 24), 1.05)
    return STILL


def padlock(body="steel", light="mint", shackle="steel"):
    prism(rounded(1.24, 1.0, 0.2), 0.5, (0, 0, 0.5), metal(body, 0.38), 0.07)
    prism(rounded(0.98, 0.74, 0.12), 0.04, (0, -0.255, 0.5), metal("#98a6b0", 0.45), 0.012)
    arch = [(-0.38, 0, 0.95)] + [(0.38 * math.cos(math.radians(a)), 0, 1.32 + 0.38 * math.sin(math.radians(a))) for a in range(180, -1, -6)] + [(0.38, 0, 0.95)]
    tube(arch, 0.105, metal(shackle, 0.22))
    key = [(0.115 * math.cos(math.radians(a)), 0.07 + 0.115 * math.sin(math.radians(a))) for a in range(-50, 231, 10)] + [(-0.105, -0.21), (0.105, -0.21)]
    prism(key, 0.02, (0, -0.28, 0.51), glow(light, 4.5), 0.003)
    ring(0.275, 0.012, (0, -0.277, 0.51), glow(light, 3.2), (90, 0, 0))


def cybersecurity():
    studio()
    place(padlock, (0, 0.0, 0), (0, 0, 22), 1.14)
    area((0, -1.2, 0.7), (0, 0, 0.5), 0.5, 5, "mint")
    return STILL


def tower(height=1.5, hue="mint"):
    box((0.52, 1.0, height), (0, 0, height / 2), gloss("#345069", 0.35), 0.05)
    box((0.4, 0.02, height * 0.9), (0, -0.5, height / 2), matt("deep", 0.45), 0.01)
    for i in range(9):
        box((0.3, 0.02, 0.02), (0, -0.512, height * (0.15 + 0.04 * i)), matt("slate", 0.5), 0.004)
    ring(0.075, 0.012, (0, -0.515, height * 0.82), glow(hue, 5), (90, 0, 0))


def hardware():
    by_the_window()
    place(tower, (0.78, 0.35, 0), (0, 0, 24), height=1.55)
    place(laptop, (-0.32, -0.1, 0), (0, 0, 16), width=1.42, kind="bars", power=1.3)
    ball(0.13, (0.72, -0.72, 0.04), gloss("paper"), (0.75, 1.2, 0.5), (0, 0, 20))
    return STILL


def telecom():
    on_the_street(focus=(0, -0.2, 1.0))

    def dish():
        bowl = [(0.0, 0.0)] + [(0.92 * i / 16, 0.34 * (i / 16) ** 2) for i in range(1, 17)]
        back = [(r, z - 0.04) for r, z in bowl]
        lathe(bowl, (0, 0, 0), gloss("paper", 0.35))
        lathe([(r, z) for r, z in back], (0, 0, 0), gloss("#cfc6b5", 0.5))
        ring(0.92, 0.028, (0, 0, 0.325), metal("steel", 0.3))
        for a in (90, 210, 330):
            tube([(0.85 * math.cos(math.radians(a)), 0.85 * math.sin(math.radians(a)), 0.3), (0, 0, 0.78)], 0.016, metal("steel", 0.3))
        cylinder(0.09, 0.16, (0, 0, 0.76), gloss("teal", 0.35), 0.03)
        ball(0.06, (0, 0, 0.67), glow("amber", 7))
        cylinder(0.16, 0.2, (0, 0, -0.12), metal("slate", 0.35), 0.03)

    cylinder(0.42, 0.1, (0.1, 0.2, 0.05), gloss("teal", 0.35), 0.03)
    cylinder(0.11, 0.7, (0.1, 0.2, 0.42), metal("steel", 0.3), 0.03, top=0.085)
    ball(0.17, (0.1, 0.2, 0.82), metal("slate", 0.35))
    place(dish, (0.12, 0.06, 0.98), (52, 0, -38), 0.96)
    wave((0.34, 0.5, 0.66), (-0.5, -0.55, 1.32), turn=(90, 0, 0), towards=148, spread=32)
    return STILL


def phone_set():
    def top():
        box((1.7, 1.26, 0.12), (0, 0, 0), gloss("#345069", 0.38), 0.06)
        box((0.98, 0.44, 0.012), (0.27, 0.3, 0.064), glow("#14404a", 1.2), 0.004)
        ball(0.1, (-0.03, 0.33, 0.072), glow("amber", 2.2), (1, 1, 0.05))
        for i, part in enumerate((0.42, 0.3, 0.36)):
            box((part, 0.045, 0.006), (0.14 + part / 2, 0.42 - 0.1 * i, 0.073), glow("mint" if i == 0 else "paper", 1.6), 0.002)
        for row in range(4):
            for col in range(3):
                box((0.19, 0.095, 0.05), (0.0 + 0.24 * col, -0.06 - 0.145 * row, 0.075), gloss("paper", 0.45), 0.02)
        for i in range(4):
            box((0.06, 0.09, 0.03), (0.74, -0.06 - 0.145 * i, 0.07), glow("amber" if i == 1 else "mint", 3.5), 0.01)
        # the handset
        tube([(-0.56, 0.46, 0.2), (-0.56, 0.3, 0.31), (-0.56, 0, 0.35), (-0.56, -0.3, 0.31), (-0.56, -0.46, 0.2)], 0.1, gloss("teal", 0.35), smooth=True, ends=True)
        for y in (0.46, -0.46):
            cylinder(0.16, 0.18, (-0.56, y, 0.15), gloss("teal", 0.35), 0.05)

    group(made(top), (0, 0, 0.42), (26, 0, 0))
    prism([(-0.5, 0), (0.55, 0), (0.55, 0.58), (-0.5, 0.1)], 1.3, (0, 0, 0), gloss("#1a2f42", 0.45), 0.03, (0, 0, 90))


def voip():
    by_the_window()
    place(phone_set, (0, 0.05, 0.02), (0, 0, 24), 1.2)
    return STILL


def mast(height=2.2):
    legs = [(0.3 * math.cos(math.radians(a)), 0.3 * math.sin(math.radians(a))) for a in (90, 210, 330)]
    for x, y in legs:
        tube([(x, y, 0), (x * 0.16, y * 0.16, height)], 0.022, metal("steel", 0.3))
    for i in range(7):
        t = i / 7
        low, high = 1 - 0.84 * t, 1 - 0.84 * (i + 1) / 7
        for k in range(3):
            (x1, y1), (x2, y2) = legs[k], legs[(k + 1) % 3]
            tube([(x1 * low, y1 * low, height * t), (x2 * high, y2 * high, height * (i + 1) / 7)], 0.011, metal("steel", 0.35))
            tube([(x1 * low, y1 * low, height * t), (x2 * low, y2 * low, height * t)], 0.011, metal("steel", 0.35))
    for a in (-90, 30, 150):
        box((0.13, 0.05, 0.42), (0.17 * math.cos(math.radians(a)), 0.17 * math.sin(math.radians(a)), height * 0.88), gloss("paper", 0.4), 0.02, (0, 0, a + 90))
    ball(0.05, (0, 0, height + 0.03), glow("amber", 9))


def cellular():
    by_the_window(seed=11, focus=(-0.4, -0.6, 0.7), bars=(-4.4, 4.4))
    place(mast, (1.9, 6.0, -1.9), (0, 0, 10), 2.0, height=1.85)
    ball(0.1, (1.9, 6.0, 1.86), glow("coral", 22.0))
    place(phone, (-0.42, -0.6, 0.03), (-14, 0, 18), height=1.7, kind="bars", power=1.2)
    box((0.7, 0.4, 0.06), (-0.4, -0.5, 0.03), metal("steel", 0.3), 0.02, (0, 0, 18))
    place(mug, (0.95, 0.0, 0), (0, 0, 30), color="#d9d2c4", r=0.2)
    return STILL


def internet():
    by_the_window(seed=14, focus=(0, -0.6, 1.0))

    def globe():
        ball(0.86, (0, 0, 0), gloss("#134e55", 0.3), detail=72)
        for i in range(6):
            ring(0.875, 0.011, (0, 0, 0), gloss("paper", 0.4), (90, 0, 30 * i))
        for z in (-0.6, -0.3, 0, 0.3, 0.6):
            ring(math.sqrt(0.875**2 - z * z), 0.011, (0, 0, z), gloss("paper", 0.4))

        def spot(lat, lon, r=0.9):
            a, b = math.radians(lat), math.radians(lon)
            return Vector((r * math.cos(a) * math.cos(b), r * math.cos(a) * math.sin(b), r * math.sin(a)))

        spots = [spot(42, -120), spot(8, -78), spot(-22, -118), spot(30, -40), spot(-30, -58), spot(58, -75)]
        for s in spots:
            ball(0.045, s, glow("amber", 6.0), detail=24)
        for i, j in ((0, 1), (1, 2), (0, 3), (1, 4), (5, 0), (5, 3)):
            line = []
            for k in range(25):
                t = k / 24
                v = spots[i].lerp(spots[j], t).normalized() * (0.9 + 0.22 * math.sin(math.pi * t))
                line.append(tuple(v))
            tube(line, 0.014, glow("mint", 3.5))

    place(globe, (0, 0.1, 0.98), (8, 18, 0), 0.9)
    ring(1.0, 0.02, (0, 0.1, 0.98), metal("brass", 0.28), (90, 18, 0), 115, 425)
    cylinder(0.34, 0.1, (0.0, 0.1, 0.03), metal("brass", 0.3), 0.03)
    return STILL


def cloud():
    studio()
    cloud_form(gloss("#eef0ea", 0.45), 1.1, (0, 0.1, 1.42))
    for x, y, h in ((-0.62, -0.1, 0.34), (0.0, -0.4, 0.26), (0.62, -0.1, 0.42)):
        place(rack, (x, y, 0), width=0.36, depth=0.36, height=h, units=4, seed=int(h * 100))
        tube([(x, y, h), (x * 0.85, 0.05, 1.2)], 0.012, glow("mint", 3.6))
        for t in (0.3, 0.55, 0.8):
            ball(0.03, (x * (1 - 0.15 * t), y + (0.05 - y) * t, h + (1.2 - h) * t), glow("amber", 6), detail=16)
    area((0, -0.1, 0.55), (0, 0.1, 1.6), 1.0, 16, "mint")
    return STILL


def virtual():
    in_the_aisle(focus=(0.2, -0.5, 0.9))

    def layer(kind, hue, power):
        plate(1.5, 0.98, 0.03, (0, 0, 0), glass("#9fe8da", 0.32, 0.02), 0.07, 0.01)
        outline = rounded(1.5, 0.98, 0.07)
        tube([(x, 0, z) for x, z in outline], 0.012, glow(hue, 2.6), closed=True)
        page(kind, 1.5, 0.98, hue, power, 0, -0.02)

    for i, (kind, hue, power) in enumerate((("dash", "mint", 0.9), ("rows", "mint", 1.0), ("code", "mint", 1.25))):
        place(layer, (-0.42 + 0.42 * i, 0.75 - 0.62 * i, 1.38 - 0.34 * i), (0, 0, 20), kind=kind, hue=hue, power=power)
    cylinder(0.62, 0.1, (0.05, 0.1, 0.05), metal("steel", 0.3), 0.03)
    ring(0.5, 0.014, (0.05, 0.1, 0.105), glow("amber", 4.0))
    return STILL


def saas():
    by_the_window(seed=21)

    def tiles():
        tablet(2.0)
        for i in range(12):
            x, z = -0.72 + 0.48 * (i % 4), 0.44 - 0.44 * (i // 4)
            color = ("#128a8c", "#e9e3d6", "#3a6a8c", "#2bb5a0", "#f0ae58", "#e9e3d6", "#128a8c", "#35578f", "#e9e3d6", "#2bb5a0", "#3a6a8c", "#d9764f")[i]
            plate(0.34, 0.34, 0.012, (x, -0.012, z), glow(color, 1.15), 0.085, 0.003)
            mark = glow("#12303f" if color in ("#e9e3d6", "#f0ae58") else "#f6f3ea", 1.1)
            if i % 4 == 0:
                ring(0.075, 0.014, (x, -0.026, z), mark, (90, 0, 0))
            elif i % 4 == 1:
                for k in range(3):
                    plate(0.036, 0.06 + 0.05 * k, 0.008, (x - 0.06 + 0.06 * k, -0.026, z - 0.06 + 0.025 * k), mark, 0.012, 0.002)
            elif i % 4 == 2:
                ball(0.042, (x, -0.026, z + 0.05), mark, (1, 0.1, 1), detail=24)
                plate(0.15, 0.07, 0.008, (x, -0.026, z - 0.045), mark, 0.034, 0.002)
            else:
                for k in range(3):
                    plate(0.16, 0.028, 0.008, (x, -0.026, z + 0.055 - 0.055 * k), mark, 0.012, 0.002)

    place(tiles, (-0.12, 0.1, 0.82), (-12, 0, 14))
    place(phone, (1.2, -0.75, 0.05), (-86, 0, -24), height=1.0, kind="rows", power=1.0)
    tube([(-1.1, -0.95, 0.045), (-0.35, -0.8, 0.045)], 0.035, matt("#e9e3d6", 0.4), ends=True)
    return STILL


def consulting():
    by_the_sea()
    # a lighthouse
    def light_house():
        lathe([(0, 0), (0.62, 0), (0.6, 0.06), (0.5, 0.12), (0.42, 0.2), (0, 0.2)], (0, 0, 0), gloss("#3a5266", 0.6))
        bands = [(0.38, 0.2), (0.335, 0.5), (0.295, 0.8), (0.26, 1.1), (0.23, 1.4)]
        for i, ((r1, z1), (r2, z2)) in enumerate(zip(bands, bands[1:])):
            lathe([(r1, z1), (r2, z2)], (0, 0, 0), gloss("paper" if i % 2 == 0 else "teal", 0.4))
        cylinder(0.34, 0.05, (0, 0, 1.42), metal("ink", 0.35), 0.015)
        ring(0.32, 0.012, (0, 0, 1.55), metal("brass", 0.3))
        for a in range(0, 360, 30):
            tube([(0.32 * math.cos(math.radians(a)), 0.32 * math.sin(math.radians(a)), 1.44), (0.32 * math.cos(math.radians(a)), 0.32 * math.sin(math.radians(a)), 1.55)], 0.007, metal("brass", 0.3))
        cylinder(0.15, 0.3, (0, 0, 1.6), glow("#ffd08a", 7.0), 0.01)
        for a in range(0, 360, 60):
            tube([(0.19 * math.cos(math.radians(a)), 0.19 * math.sin(math.radians(a)), 1.44), (0.19 * math.cos(math.radians(a)), 0.19 * math.sin(math.radians(a)), 1.76)], 0.012, metal("ink", 0.35))
        lathe([(0.27, 1.75), (0.25, 1.8), (0.03, 2.0), (0, 2.02)], (0, 0, 0), gloss("teal", 0.35))
        ball(0.035, (0, 0, 2.05), metal("brass", 0.3))
        for z, a in ((0.42, -70), (0.98, -100)):
            ball(0.055, (0.36 * (1 - 0.25 * z) * math.cos(math.radians(a)), 0.36 * (1 - 0.25 * z) * math.sin(math.radians(a)), z), glow("amber", 4), (0.7, 0.7, 1.5), detail=24)
        prism([(-0.08, 0), (0.08, 0), (0.08, 0.22)] + [(0.08 * math.cos(math.radians(a)), 0.22 + 0.08 * math.sin(math.radians(a))) for a in range(10, 180, 20)] + [(-0.08, 0.22)], 0.06, (0.0, -0.37, 0.2), matt("ink", 0.5), 0.01)

    place(light_house, (0, 0.1, 0), (0, 0, 10), 1.02)
    # the beam: thin cones of light
    for side in (-1, 1):
        lathe([(0.07, 0), (0.36, 2.3)], (side * 0.15, 0.1, 1.63), _beam(), (0, side * 84, 0))
    area((0, -0.3, 1.7), (0, -3, 0.0), 0.4, 10, "amber")
    return STILL


def _beam():
    from kit import _material, linear

    def build(tree):
        tree.nodes.clear()
        out = tree.nodes.new("ShaderNodeOutputMaterial")
        clear = tree.nodes.new("ShaderNodeBsdfTransparent")
        light = tree.nodes.new("ShaderNodeEmission")
        light.inputs["Color"].default_value = linear("amber")
        where = tree.nodes.new("ShaderNodeTexCoord")
        split = tree.nodes.new("ShaderNodeSeparateXYZ")
        fade = tree.nodes.new("ShaderNodeMapRange")
        fade.inputs["From Min"].default_value, fade.inputs["From Max"].default_value = 0, 1
        fade.inputs["To Min"].default_value, fade.inputs["To Max"].default_value = 0.11, 0.0
        add = tree.nodes.new("ShaderNodeAddShader")
        tree.links.new(where.outputs["Generated"], split.inputs[0])
        tree.links.new(split.outputs["Z"], fade.inputs["Value"])
        tree.links.new(fade.outputs[0], light.inputs["Strength"])
        tree.links.new(clear.outputs[0], add.inputs[0])
        tree.links.new(light.outputs[0], add.inputs[1])
        tree.links.new(add.outputs[0], out.inputs["Surface"])

    return _material("beam", build)


SCENES = {f"service-{key}": scene for key, scene in {
    "managed-it": managed_it, "network": network, "cybersecurity": cybersecurity, "hardware": hardware,
    "telecom": telecom, "voip": voip, "cellular": cellular, "internet": internet, "cloud": cloud,
    "virtual": virtual, "saas": saas, "consulting": consulting,
}.items()}
