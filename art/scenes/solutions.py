"""Whom Tidewell works for: one object each, in the light of the industry's own color."""
import math

from kit import *  # noqa: F403


def wheel(radius=0.25):
    cylinder(radius, 0.16, (0, 0, 0), matt("#0c141c", 0.6), 0.04, (90, 0, 0))
    cylinder(radius * 0.68, 0.17, (0, 0, 0), metal("#9aa7b0", 0.3), 0.02, (90, 0, 0))
    for i in range(5):
        a = math.radians(72 * i + 90)
        box((radius * 0.16, 0.02, radius * 0.56), (radius * 0.34 * math.cos(a), -0.09, radius * 0.34 * math.sin(a)), metal("#d7dde2", 0.25), 0.008, (0, 90 - math.degrees(a), 0))
    cylinder(radius * 0.14, 0.2, (0, 0, 0), metal("#d7dde2", 0.3), 0.01, (90, 0, 0))


CAR = [(-1.3, 0.30, 0.07, 0.26), (-1.26, 0.30, 0.12, 0.38), (-1.12, 0.315, 0.17, 0.465), (-0.8, 0.335, 0.21, 0.505), (-0.3, 0.355, 0.235, 0.515), (0.3, 0.365, 0.245, 0.515), (0.8, 0.375, 0.245, 0.51), (1.1, 0.39, 0.215, 0.47), (1.25, 0.40, 0.16, 0.40), (1.3, 0.40, 0.10, 0.30)]
CABIN = [(-0.62, 0.545, 0.02, 0.34), (-0.4, 0.60, 0.09, 0.385), (-0.12, 0.645, 0.17, 0.395), (0.15, 0.67, 0.2, 0.39), (0.45, 0.665, 0.19, 0.38), (0.75, 0.635, 0.14, 0.36), (1.0, 0.60, 0.08, 0.33), (1.17, 0.57, 0.02, 0.28)]


def car(color="#12898a", front="#f2fffb", rear="#ff6a4a"):
    paint = matt(color, 0.3, 0.25, 1.0)
    loft(through(CAR), paint, power=3.0)
    loft(through(CABIN), matt("#0a1622", 0.12, 0.0, 1.0), power=2.6)
    # the roof, in the color of the body
    roof = [(x, z + h * 0.93, 0.02 + 0.012 * math.sin(math.pi * i / 60), w * 0.66) for i, (x, z, h, w) in enumerate(through(CABIN)) if -0.14 < x < 1.12]
    loft(roof, paint, power=2.4)
    for x in (-0.8, 0.82):
        for side in (-1, 1):
            cylinder(0.29, 0.12, (x, side * 0.465, 0.245), matt("#070d13", 0.7), 0.02, (90, 0, 0))
            place(wheel, (x, side * 0.475, 0.245), (0, 0, 0 if side < 0 else 180))
    tube([(-1.12, -0.455, 0.37), (-1.24, -0.37, 0.375), (-1.3, -0.2, 0.375), (-1.31, 0, 0.375), (-1.3, 0.2, 0.375), (-1.24, 0.37, 0.375), (-1.12, 0.455, 0.37)], 0.014, glow(front, 3.5), smooth=True)
    tube([(1.14, -0.45, 0.47), (1.25, -0.37, 0.475), (1.3, -0.2, 0.475), (1.31, 0, 0.475), (1.3, 0.2, 0.475), (1.25, 0.37, 0.475), (1.14, 0.45, 0.47)], 0.014, glow(rear, 4), smooth=True)
    for side in (-1, 1):
        tube([(-0.72, side * 0.513, 0.45), (0.0, side * 0.527, 0.465), (0.72, side * 0.522, 0.48)], 0.006, metal("#9fb0b5", 0.3), smooth=True)
        box((0.1, 0.08, 0.05), (-0.33, side * 0.46, 0.62), paint, 0.02)


def automotive():
    on_the_street(height=1.35)
    place(car, (-0.1, -0.1, 0.0), (0, 0, 30), 1.02)
    # the showroom behind: a lit hall between columns, under a band of light
    sky(9.0, 2.0, (0.4, 4.6, 0.0), ((0.0, "#b9783a"), (0.4, "#f2b468"), (1.0, "#ffdca0")), 0.95)
    for i in range(7):
        box((0.07, 0.2, 2.1), (-3.9 + 1.45 * i, 4.3, 1.0), matt("#0e1b26", 0.5), 0)
    box((10.5, 2.6, 0.32), (0.4, 4.4, 2.15), matt("#14232f", 0.5), 0.02)
    box((10.5, 0.05, 0.05), (0.4, 3.08, 2.1), glow("mint", 4.0), 0)
    for x, turn in ((-1.7, 150), (2.6, 200)):
        place(car, (x, 3.4, 0), (0, 0, turn), 0.85, color="#51606b")
    area((0, -0.2, 3.6), (0, 0, 0.4), 0.5, 120, "#eef6f4", other=4.0)
    return STILL


def healthcare():
    by_the_window("sea", top=("#6f5238", "#46301f"), dusk=("#e2b25e", "#b9a06a", "#6f9a84", "#1f5f56", "#0b2f30"), seed=16)

    def chart():
        tablet(1.9)
        for i in range(3):
            plate(0.5, 0.26, 0.01, (-0.6 + 0.6 * i, -0.012, 0.44), glow("#174a44", 1.0), 0.04, 0.002)
            plate(0.2, 0.07, 0.006, (-0.72 + 0.6 * i, -0.02, 0.47), glow(("#e8f4ee", "sea", "amber")[i], 1.2), 0.02, 0.002)
        beat = [(-0.85, 0), (-0.62, 0), (-0.55, 0.07), (-0.48, 0), (-0.42, -0.06), (-0.36, 0.38), (-0.29, -0.24), (-0.23, 0.02), (-0.05, 0), (0.03, 0.09), (0.1, 0), (0.3, 0), (0.36, -0.06), (0.42, 0.38), (0.49, -0.24), (0.55, 0.02), (0.85, 0)]
        tube([(x, -0.02, -0.16 + z) for x, z in beat], 0.018, glow("sea", 2.4), ends=True)

    place(chart, (-0.28, 0.5, 0.8), (-12, 0, 16))
    place(stethoscope, (0.3, -0.78, 0.0), (0, 0, -8), 1.15)
    area((1.6, -2.6, 2.2), (1.0, -1.0, 0), 0.6, 40, "#e9f4ee")
    return STILL


def coins(count, hue="brass"):
    for i in range(count):
        cylinder(0.24, 0.075, (0.012 * math.sin(i * 2.3), 0.012 * math.cos(i * 3.1), 0.04 + 0.083 * i), metal(hue, 0.3), 0.018)


def finance():
    by_the_window("iris", dusk=("#e8a86a", "#c08c96", "#7470b4", "#333a8c", "#171c50"), top=("#5a3f3a", "#33242a"), seed=19)
    heights = (0.5, 0.78, 1.04, 1.42, 1.78)

    def bars():
        for i, h in enumerate(heights):
            plate(0.36, h, 0.36, (-0.88 + 0.44 * i, 0, h / 2), gloss(("indigo", "#565dc9", "indigo", "#6a70d8", "#eee9de")[i], 0.3), 0.07, 0.04)
        line = [(-0.88 + 0.44 * i, -0.05, h + 0.2) for i, h in enumerate(heights)]
        tube(line, 0.02, glow("amber", 2.6), smooth=True)
        for p in line:
            ball(0.055, p, glow("#ffdf9f", 4.0))

    place(bars, (0, 0.3, 0), (0, 0, 14))
    place(coins, (-0.85, -0.55, 0), count=3)
    place(coins, (-0.3, -0.72, 0), count=6)
    place(coins, (0.24, -0.8, 0), count=2)
    return STILL


def legal():
    by_the_window("rose", dusk=("#e8a06a", "#c97a62", "#8a5260", "#4a2440", "#200f20"), top=("#6a3b2a", "#3d1f18"), seed=8)

    def scales():
        lathe([(0, 0), (0.5, 0), (0.5, 0.06), (0.4, 0.1), (0.14, 0.16), (0.08, 0.26), (0.06, 0.5), (0.055, 1.5), (0.085, 1.56), (0.055, 1.62), (0.04, 1.8), (0, 1.8)], (0, 0, 0), metal("brass", 0.26))
        ball(0.09, (0, 0, 1.86), metal("brass", 0.25))
        tube([(-0.98, 0, 1.60), (-0.5, 0, 1.70), (0, 0, 1.66), (0.5, 0, 1.70), (0.98, 0, 1.60)], 0.034, metal("brass", 0.26), smooth=True, ends=True)
        for side in (-1, 1):
            x = side * 0.96
            for a in (90, 210, 330):
                tube([(x, 0, 1.6), (x + 0.38 * math.cos(math.radians(a)), 0.38 * math.sin(math.radians(a)), 0.83)], 0.007, metal("brass", 0.3))
            lathe([(0, 0.68), (0.2, 0.7), (0.34, 0.77), (0.41, 0.85), (0.39, 0.85), (0.32, 0.79), (0.18, 0.73), (0, 0.715)], (x, 0, 0), gloss("plum", 0.28))
            ring(0.4, 0.014, (x, 0, 0.85), metal("brass", 0.26))

    place(scales, (0, 0.1, 0.0), (0, 0, 16), 1.04)
    for i, (w, color) in enumerate(((0.86, "plum"), (0.78, "#efe7da"), (0.7, "#5d1a38"))):
        place(book, (-0.72, -0.72, 0.13 * i), (0, 0, 18 - 9 * i), width=w, color=color)
    return STILL


def book(width=0.8, color="plum"):
    box((width, 0.52, 0.125), (0, 0, 0.0625), gloss(color, 0.4), 0.03)
    box((width * 0.965, 0.5, 0.085), (0.02, -0.018, 0.0625), matt("#efe6d3", 0.8), 0.01)
    box((0.02, 0.53, 0.127), (-width * 0.32, 0, 0.0625), metal("brass", 0.3), 0.003)


def gear(teeth=12, radius=0.4, depth=0.16, material=None, hub="ink"):
    outline = []
    for i in range(teeth):
        for part, r in ((0.0, 0.84), (0.2, 0.86), (0.3, 1.0), (0.62, 1.0), (0.72, 0.86), (0.9, 0.84)):
            a = 2 * math.pi * (i + part) / teeth
            outline.append((r * radius * math.cos(a), r * radius * math.sin(a)))
    prism(outline, depth, (0, 0, 0), material, 0.02)
    ring(radius * 0.55, radius * 0.07, (0, -depth / 2, 0), material, (90, 0, 0))
    cylinder(radius * 0.24, depth * 1.15, (0, 0, 0), matt(hub, 0.5), 0.015, (90, 0, 0))


def manufacturing():
    studio("flame", ground="#3a2c22", accent="#ffd9a0")
    shell = gloss("orange", 0.3)

    def joint(at, r=0.2, w=0.46):
        cylinder(r, w, at, gloss("#e9e3d7", 0.35), 0.05, (90, 0, 0))
        cylinder(r * 0.55, w * 1.06, at, metal("slate", 0.3), 0.02, (90, 0, 0))

    def arm():
        lathe([(0, 0), (0.46, 0), (0.46, 0.1), (0.36, 0.16), (0.32, 0.3), (0.26, 0.4), (0, 0.4)], (0, 0, 0), gloss("#e9e3d7", 0.35))
        cylinder(0.33, 0.05, (0, 0, 0.2), metal("slate", 0.3), 0.01)
        a, b, c, d = (0, 0, 0.52), (-0.36, 0, 1.38), (0.62, 0, 1.62), (0.84, 0, 1.16)
        tube([a, b], 0.15, shell)
        tube([b, c], 0.115, shell)
        tube([c, d], 0.085, gloss("#e9e3d7", 0.35))
        joint(a, 0.24, 0.5)
        joint(b, 0.19, 0.42)
        joint(c, 0.14, 0.32)
        cylinder(0.13, 0.1, (0.86, 0, 1.1), metal("slate", 0.3), 0.02)
        for side in (-1, 1):
            tube([(0.86 + side * 0.06, 0, 1.06), (0.86 + side * 0.17, 0, 0.98), (0.86 + side * 0.13, 0, 0.83)], 0.03, metal("steel", 0.3), ends=True)
        tube([(-0.1, 0.2, 0.6), (-0.55, 0.22, 1.0), (-0.45, 0.2, 1.5), (0.2, 0.2, 1.72), (0.6, 0.18, 1.7)], 0.025, matt("ink", 0.5), smooth=True)
        ring(0.2, 0.012, (0.86, 0, 1.03), glow("flame", 4))

    place(arm, (-0.3, 0.15, 0), (0, 0, -14), 1.04)
    place(lambda: gear(12, 0.36, 0.14, metal("brass", 0.28)), (0.58, -0.06, 0.58), (0, 0, 0))
    place(lambda: gear(10, 0.3, 0.16, metal("steel", 0.3)), (0.66, -0.62, 0.09), (90, 0, 0))
    place(lambda: gear(14, 0.4, 0.14, metal("#7d8b97", 0.3)), (0.02, -0.86, 0.08), (90, 0, 10))
    return STILL


def shop(wall="paper", hue="teal", sign="mint"):
    """A small shop front with a striped awning; 1.6 wide."""
    box((1.6, 0.8, 1.1), (0, 0.4, 0.55), gloss(wall, 0.5), 0.03)
    box((1.7, 0.9, 0.09), (0, 0.4, 1.13), gloss(hue, 0.4), 0.03)
    box((0.84, 0.02, 0.56), (-0.26, -0.005, 0.46), glow("#ffcf8c", 1.3), 0.005)
    box((0.9, 0.06, 0.05), (-0.26, -0.01, 0.16), gloss(hue, 0.4), 0.01)
    for x in (-0.68, -0.26, 0.16):
        box((0.03, 0.04, 0.58), (x, -0.015, 0.46), gloss(hue, 0.4), 0.005)
    for x, h, color in ((-0.55, 0.16, "teal"), (-0.42, 0.22, "#c98f63"), (-0.12, 0.18, "teal"), (0.03, 0.25, "#b9543c")):
        box((0.09, 0.03, h), (x, -0.03, 0.2 + h / 2), matt(color, 0.6), 0.01)
    box((0.36, 0.03, 0.78), (0.5, -0.01, 0.39), gloss(hue, 0.4), 0.01)
    box((0.24, 0.02, 0.42), (0.5, -0.025, 0.52), glow("#ffcf8c", 1.0), 0.005)
    ball(0.022, (0.36, -0.04, 0.38), metal("brass", 0.3), detail=16)
    for i in range(8):
        x = -0.7 + 0.2 * i
        prism([(0, 0), (0.42, -0.2), (0.42, -0.27), (0.4, -0.27), (0, -0.05)], 0.2, (x, 0, 1.06), gloss(hue if i % 2 == 0 else "#f6f1e6", 0.45), 0.004, (0, 0, -90))
        cylinder(0.1, 0.02, (x, -0.41, 0.8), gloss(hue if i % 2 == 0 else "#f6f1e6", 0.45), 0.004, (90, 0, 0))
    plate(0.8, 0.2, 0.05, (0, -0.02, 1.3), gloss("ink", 0.4), 0.06)
    tube([(-0.26 + 0.026 * i, -0.055, 1.3 + 0.035 * math.sin(i * 0.63)) for i in range(21)], 0.014, glow(sign, 4), ends=True)


def retail():
    on_the_street()
    place(shop, (-0.12, -0.02, 0), (0, 0, 24), 1.1)

    def bag():
        prism([(-0.24, 0), (0.24, 0), (0.27, 0.56), (-0.27, 0.56)], 0.24, (0, 0, 0), gloss("teal", 0.45), 0.02)
        tube([(-0.12, -0.125, 0.42), (-0.12, -0.14, 0.66), (0, -0.14, 0.74), (0.12, -0.14, 0.66), (0.12, -0.125, 0.42)], 0.016, metal("brass", 0.3), smooth=True)

    place(bag, (1.02, -0.45, 0), (0, 0, 24), 0.85)
    return STILL


SCENES = {f"solution-{key}": scene for key, scene in {
    "automotive": automotive, "healthcare": healthcare, "finance": finance,
    "legal": legal, "manufacturing": manufacturing, "retail": retail,
}.items()}
