"""One picture for each article; each shows what its alt text says."""
import math
import random

from kit import *  # noqa: F403
from services import phone_set
from solutions import shop, wheel


def data_fencing():
    in_the_aisle()
    for i, (x, y, h) in enumerate(((-0.72, 0.3, 1.5), (-0.24, 0.38, 1.66), (0.24, 0.38, 1.66), (0.72, 0.3, 1.5))):
        place(rack, (x, y, 0), (0, 0, -10 * x), width=0.46, depth=0.5, height=h, units=12, seed=i + 3, body="#2b465c")
    for i, (x, y) in enumerate(((-0.5, -0.22), (0.0, -0.3), (0.5, -0.22))):
        place(rack, (x, y, 0), (0, 0, -10 * x), width=0.4, depth=0.36, height=0.72, units=6, seed=i + 20, body="#2b465c")
    # the fence
    count = 28
    for i in range(count):
        a1, a2 = (math.radians(180 + 360 / count * (i + k)) for k in (0.08, 0.92))
        x1, y1, x2, y2 = 1.28 * math.cos(a1), 1.28 * math.sin(a1), 1.28 * math.cos(a2), 1.28 * math.sin(a2)
        if (y1 + y2) / 2 > 0.75:
            continue
        turn = math.degrees(math.atan2(y2 - y1, x2 - x1))
        box((math.hypot(x2 - x1, y2 - y1), 0.02, 0.46), ((x1 + x2) / 2, (y1 + y2) / 2, 0.25), glass("#5fe8d3", 0.78, 0.05), 0.004, (0, 0, turn))
        tube([(x1, y1, 0.485), (x2, y2, 0.485)], 0.012, glow("mint", 4.0))
        tube([(x1, y1, 0.012), (x2, y2, 0.012)], 0.012, glow("mint", 3.0))
    return STILL


def small_businesses_beware():
    on_the_street(seed=9)
    place(shop, (0.02, -0.1, 0), (0, 0, 20), 0.8)

    def umbrella():
        ribs = 8
        dome = [(1.02 * math.sin(math.radians(a)), 0.72 * math.cos(math.radians(a))) for a in range(86, -1, -4)]
        lathe(dome, (0, 0, 0), glass("#c8f7ee", 0.86, 0.05))
        for i in range(ribs):
            b = 2 * math.pi * i / ribs
            tube([(r * math.cos(b), r * math.sin(b), z) for r, z in dome], 0.011, metal("steel", 0.25))
        ring(1.018, 0.012, (0, 0, 0.05), glow("mint", 2.0))
        tube([(0, 0, 0.9), (0, 0, -0.95)], 0.018, metal("steel", 0.25))
        ball(0.04, (0, 0, 0.92), metal("brass", 0.25))

    place(umbrella, (0.0, 0.2, 1.26), (-4, 4, 0), 1.06)
    falling = glass("#2a4a5c", 0.5, 0.06)
    for x, y, z, s, turn in ((-1.62, -0.1, 1.75, 0.2, (20, 35, 10)), (-1.36, -0.5, 0.86, 0.24, (40, 15, 60)), (1.5, 0.0, 1.5, 0.25, (15, 50, 30)), (1.74, 0.2, 0.62, 0.18, (60, 20, 15)), (-1.78, 0.2, 0.22, 0.2, (30, 60, 45)), (1.3, -0.7, 0.2, 0.2, (10, 30, 70)), (-1.02, 0.0, 1.98, 0.17, (35, 15, 80)), (1.08, 0.1, 2.0, 0.2, (55, 40, 20))):
        box((s, s, s), (x, y, z), falling, 0.02, turn)
    return STILL


def keys(scale=1.0):
    ring(0.24, 0.022, (0, 0, 0.03), metal("brass", 0.25))
    for i, (a, length) in enumerate(((-100, 0.42), (-68, 0.48), (-38, 0.4))):
        def one():
            ring(0.1, 0.028, (0.1, 0, 0), metal(("brass", "steel", "brass")[i], 0.25))
            tube([(0.2, 0, 0), (0.2 + length, 0, 0)], 0.028, metal(("brass", "steel", "brass")[i], 0.25), ends=True)
            for k, w in enumerate((0.1, 0.07, 0.1)):
                box((0.04, w, 0.035), (0.2 + length - 0.03 - 0.065 * k, w / 2, 0), metal(("brass", "steel", "brass")[i], 0.25), 0.006)

        place(one, (0.2 * math.cos(math.radians(a)), 0.2 * math.sin(math.radians(a)), 0.035 + 0.02 * i), (0, 0, a))


def outsourcing_it():
    by_the_window(seed=31, focus=(-0.1, -0.8, 0.1), bars=(-4.4, 4.8))
    place(keys, (-0.5, -0.55, 0.02), (0, 0, 50), 2.05)
    prism(rounded(0.5, 0.9, 0.14), 0.05, (-0.95, 0.35, 0.05), leather("#8a5430"), 0.015, (90, 0, 24))
    ring(0.07, 0.014, (-0.74, -0.1, 0.1), metal("brass", 0.25), (30, 0, 0))
    # the other desk
    box((10.0, 1.7, 0.1), (1.0, 5.0, -0.32), timber("#6b4a30", 0.4), 0.02)
    box((10.0, 0.06, 0.9), (1.0, 4.3, -0.8), matt("#132430", 0.6), 0.02)
    place(display, (-0.05, 5.2, 1.1), (0, 0, 8), kind="tickets", width=2.3, height=1.36, seed=3, power=1.1)
    place(display, (2.45, 5.2, 1.1), (0, 0, -8), kind="watch", width=2.3, height=1.36, seed=5, power=1.3)
    for x in (-0.05, 2.45):
        box((0.14, 0.1, 0.7), (x, 5.3, 0.1), metal("slate", 0.4), 0.02)
    place(lamp, (-1.9, 5.0, -0.27), (0, 0, 0), 1.7, power=70)
    return STILL


def mobile_device_management():
    studio()

    def divided():
        w, h, d = 0.98, 1.96, 0.12
        plate(w, h, d, (0, 0, h / 2), metal("steel", 0.28), 0.16, 0.03)
        left = [p for p in rounded(w - 0.08, h - 0.08, 0.13)]
        for side, color in ((-1, "#c97f2e"), (1, "#0b6f6c")):
            half = [(min(x, -0.012) if side < 0 else max(x, 0.012), z) for x, z in left]
            clean = [p for i, p in enumerate(half) if p != half[i - 1]]
            prism(clean, 0.01, (0, -d / 2 - 0.006, h / 2), glow(color, 1.15), 0.001)
        y = -d / 2 - 0.03
        # personal: a picture, a heart, a note; work: a list, a chart, a lock
        plate(0.34, 0.34, 0.03, (-0.24, y, 1.6), glow("#ffe2b0", 1.5), 0.06)
        ball(0.06, (-0.3, y - 0.02, 1.66), glow("coral", 1.6), (1, 0.3, 1), detail=24)
        prism([(-0.15, 0), (0.15, 0), (0.02, 0.17), (-0.04, 0.1), (-0.08, 0.13)], 0.012, (-0.24, y - 0.02, 1.455), glow("#d98236", 1.2), 0.001)
        heart = [(0.13 * math.sin(t) ** 3, (0.105 * math.cos(t) - 0.04 * math.cos(2 * t) - 0.016 * math.cos(3 * t) - 0.008 * math.cos(4 * t))) for t in [2 * math.pi * i / 40 for i in range(40)]]
        prism(heart, 0.05, (-0.24, y, 1.15), glow("#ffe2b0", 1.7), 0.008)
        for i, part in enumerate((0.34, 0.26, 0.3)):
            plate(part, 0.07, 0.03, (-0.41 + part / 2, y, 0.8 - 0.13 * i), glow("#ffd596", 1.4), 0.03)
        for i in range(3):
            plate(0.34, 0.1, 0.03, (0.25, y, 1.7 - 0.14 * i), glow("#9af5e4" if i != 1 else "paper", 1.4), 0.03)
        for i, part in enumerate((0.12, 0.2, 0.16, 0.28)):
            plate(0.06, part, 0.03, (0.12 + 0.085 * i, y, 1.0 + part / 2), glow("#9af5e4", 1.5), 0.015)
        plate(0.24, 0.2, 0.04, (0.25, y, 0.62), glow("paper", 1.5), 0.04)
        tube([(0.25 + 0.07 * math.cos(math.radians(a)), y, 0.73 + 0.09 * math.sin(math.radians(a))) for a in range(0, 181, 12)], 0.02, glow("paper", 1.5))

    place(divided, (0, 0.15, 0.0), (-3, 0, 5), 1.0)

    def pane():
        plate(1.5, 2.12, 0.03, (0, 0, 1.06), glass("#d7fff6", 0.86, 0.03), 0.05, 0.006, (0, 0, 0))
        tube([(x, 0, 1.06 + z) for x, z in rounded(1.5, 2.12, 0.05)], 0.01, glow("#c9fff2", 2.2), closed=True)

    place(pane, (0.0, -0.12, 0.0), (0, 0, 94.5))
    area((-1.6, -1.6, 1.0), (0, 0, 0.9), 0.8, 22, "amber")
    return STILL


def active_directory():
    on_the_wall()

    def badge(live=True):
        body = gloss("#e9e4d8" if live else "#77828a", 0.4)
        plate(0.36, 0.5, 0.02, (0, 0, 0), body, 0.04, 0.006)
        plate(0.36, 0.11, 0.006, (0, -0.012, 0.195), gloss("teal" if live else "#5d686f", 0.4), 0.03, 0.002)
        shade = matt("#35586a" if live else "#5a646b", 0.6)
        ball(0.052, (0, -0.012, 0.06), shade, (1, 0.12, 1), detail=32)
        prism([(0.095 * math.cos(math.radians(a)), 0.085 * math.sin(math.radians(a))) for a in range(0, 181, 12)], 0.008, (0, -0.014, -0.075), shade, 0.002)
        for i, w in enumerate((0.22, 0.15)):
            plate(w, 0.025, 0.006, (0, -0.013, -0.13 - 0.05 * i), shade, 0.01, 0.002)
        plate(0.09, 0.022, 0.012, (0, -0.012, 0.225), matt("#0b1720", 0.6), 0.01, 0.002)
        if live:
            ball(0.014, (0.13, -0.018, 0.19), glow("mint", 9.0), (1, 0.5, 1), detail=16)

    chance = random.Random(4)
    for col in range(6):
        for row in range(2):
            x, z = -1.5 + 0.6 * col, 1.72 - 0.8 * row
            cylinder(0.026, 0.12, (x, 0.58, z + 0.31), metal("brass", 0.3), 0.006, (90, 0, 0))
            if (col, row) not in {(2, 1), (4, 0), (3, 1)}:
                place(badge, (x, 0.545, z), (chance.uniform(-3, 0), chance.uniform(-3, 3), 0), 1.25)
    # those that nobody needs any more, taken down
    place(badge, (-0.22, 0.38, 0.31), (-16, 7, 6), 1.25, live=False)
    for i, (x, y, turn) in enumerate(((0.42, 0.12, 24), (0.62, 0.06, -12))):
        place(badge, (x, y, 0.014 + 0.03 * i), (-90, 0, turn), 1.25, live=False)
    return STILL


def stay_ahead_phishers():
    studio(plinth=False)
    tide(matt("#12293a", 0.14), inner=0.15, outer=9, waves=6, height=0.03, length=0.34, at=(-0.45, 0, -0.17))

    def envelope():
        paper = gloss("#f4ecdd", 0.55)
        box((1.3, 0.1, 0.86), (0, 0, 0), paper, 0.03)
        prism([(-0.64, 0.42), (0.64, 0.42), (0.06, -0.06), (0, -0.09), (-0.06, -0.06)], 0.03, (0, -0.065, 0), gloss("#fffaf0", 0.5), 0.012)
        tube([(-0.62, -0.058, -0.4), (-0.12, -0.058, 0.0)], 0.008, matt("#d6c8ae", 0.7))
        tube([(0.62, -0.058, -0.4), (0.12, -0.058, 0.0)], 0.008, matt("#d6c8ae", 0.7))
        cylinder(0.115, 0.05, (0, -0.1, -0.02), gloss("coral", 0.35), 0.02, (90, 0, 0))
        # hook and line
        tube([(0, 0, 0.43), (0.0, 0, 0.58)], 0.018, metal("brass", 0.25))
        ring(0.075, 0.018, (0, 0, 0.64), metal("brass", 0.25), (90, 0, 0))
        tube([(0, 0, 0.71), (-0.16, 0, 3.4)], 0.006, glow("#fff1dd", 1.4))

    place(envelope, (-0.5, 0.0, 1.05), (0, 13, 22))

    def sheet():
        plate(1.5, 2.1, 0.05, (0, 0, 1.05), glass("#3fe0c6", 0.8, 0.035), 0.08, 0.01)
        tube([(x, 0, 1.05 + z) for x, z in rounded(1.5, 2.1, 0.08)], 0.014, glow("mint", 3.6), closed=True)

    place(sheet, (0.5, -0.1, -0.22), (0, 0, 50))
    for r in (0.1, 0.18):
        ring(r, 0.009, (0.2, -0.42, 1.02), glow("#d9fff6", 3.0), (90, 0, 50))
    return STILL


SHIELD = [(0, 0.68), (0.2, 0.6), (0.52, 0.5), (0.53, 0.12), (0.46, -0.2), (0.28, -0.48), (0, -0.68), (-0.28, -0.48), (-0.46, -0.2), (-0.53, 0.12), (-0.52, 0.5), (-0.2, 0.6)]


def shield(color="#5fe8d3", rim="mint", clear=0.62, power=2.4, size=0.6, panel=None):
    outline = spline(SHIELD, 6)
    prism(outline, 0.05, (0, 0, 0), panel or glass(color, clear, 0.035), 0.006, scale=size)
    tube([(x * size, 0, z * size) for x, z in outline], 0.013, glow(rim, power), closed=True)


def windows_defender_update():
    by_the_window(seed=41, focus=(-0.2, -0.55, 0.5), dusk=("#c98a52", "#9a7560", "#4f6470", "#1d4256", "#0d2233"))
    for i in range(5):
        odd = i == 1

        def machine():
            laptop(1.35, None, power=0.8 if odd else 1.0)
            tilted = made(shield, color="amber" if odd else "#6ff0da", rim="#ffc46a" if odd else "mint", power=3.2 if odd else 1.6, size=0.4, panel=glow("#d98a2c", 1.3) if odd else glow("#0f6f6c", 0.8))
            group(tilted, (0, 0.4, 0.5), (-14, 0, 0))

        place(machine, (-1.45 + 1.0 * i, -1.15 + 1.1 * i, 0), (0, 0, 34))
    area((-0.5, -1.4, 1.2), (-0.4, 0, 0.3), 0.4, 8, "amber")
    return STILL


def ftc_safeguards_rule():
    studio(ground="#466475")
    width = through([(-1.28, 0.38, 0.47), (-1.1, 0.48, 0.51), (-0.62, 0.53, 0.55), (-0.42, 0.6, 0.55), (-0.08, 0.86, 0.54), (0.16, 0.92, 0.54), (0.5, 0.91, 0.54), (0.95, 0.68, 0.54), (1.16, 0.63, 0.52), (1.3, 0.46, 0.46)], 12)

    def fill(work):
        rows = []
        for i, (x, h, w) in enumerate(width):
            row = []
            for k in range(65):
                a = math.pi * k / 64
                c, s = math.cos(a), math.sin(a)
                z = h * abs(s) ** 0.62
                y = w * math.copysign(abs(c) ** 0.62, c)
                low = max(0.0, 1 - z / 0.42)
                fold = 0.035 * low * math.sin(x * 15 + (2.0 if c > 0 else 0)) + 0.02 * low
                y += math.copysign(fold, c)
                row.append(work.verts.new((x, y, max(0.13 + 0.02 * math.sin(x * 9), z))))
            rows.append(row)
        for low, high in zip(rows, rows[1:]):
            for k in range(64):
                work.faces.new((low[k], low[k + 1], high[k + 1], high[k]))
        for row, x in ((rows[0], -1.32), (rows[-1], 1.34)):
            skirt = [work.verts.new((x + (0.02 * math.sin(k * 0.9)), v.co.y * 0.96, 0.13 + (v.co.z - 0.13) * 0.3)) for k, v in enumerate(row)]
            ground = [work.verts.new((x + math.copysign(0.01, x), v.co.y * 0.9, 0.14)) for v in row]
            for a, b in ((row, skirt), (skirt, ground)):
                for k in range(64):
                    work.faces.new((a[k], a[k + 1], b[k + 1], b[k]))

    def covered():
        from kit import _mesh, _object

        cloth = _object("cloth", _mesh("cloth", fill), matt("#e4d9c4", 0.75), smooth=True)
        soft = cloth.modifiers.new("soft", "SUBSURF")
        soft.levels = soft.render_levels = 1
        for x in (-0.82, 0.84):
            for side in (-1, 1):
                place(wheel, (x, side * 0.36, 0.19), (0, 0, 0 if side < 0 else 180), 0.76)
        for i in range(9):
            x = -1.36 + 0.34 * i
            r = 1.0 + 0.1 * math.sin(math.pi * i / 8)
            ring(r, 0.011, (x, 0, 0.35), glow("mint", 3.8), (0, 90, 0), sides=120)

    place(covered, (0, 0.1, 0), (0, 0, 34), 0.84)
    area((0, -1.5, 5.5), (0, 0.2, 0), 2.5, 240, "#fff6e8")
    return STILL


def teams_phone_system():
    studio()
    place(phone_set, (-0.72, -0.4, 0.02), (0, 0, 28), 0.68)
    cylinder(0.16, 0.03, (0.62, -0.72, 0.015), metal("brass", 0.3), 0.012)
    tube([(0.62, -0.72, 0.02), (0.62, -0.72, 0.6)], 0.02, metal("brass", 0.3))
    place(headset, (0.62, -0.72, 0.4), (0, 0, 24), radius=0.21, color="paper")

    def building():
        box((0.72, 0.56, 1.25), (0, 0, 0.625), gloss("#e9e2d4", 0.5), 0.03)
        box((0.78, 0.62, 0.06), (0, 0, 1.27), gloss("teal", 0.4), 0.02)
        for row in range(5):
            for col in range(4):
                lit = (row * 3 + col * 2) % 5 in (0, 3)
                box((0.1, 0.02, 0.13), (-0.24 + 0.16 * col, -0.285, 0.32 + 0.2 * row), glow("#ffc978", 1.6) if lit else matt("#27435a", 0.2), 0.004)
                box((0.02, 0.1, 0.13), (0.365, -0.2 + 0.14 * col * 0.95, 0.32 + 0.2 * row), matt("#27435a", 0.2), 0.004)
        box((0.16, 0.03, 0.2), (0, -0.285, 0.1), gloss("teal", 0.4), 0.006)

    place(building, (0.28, 0.56, 0), (0, 0, 22))
    lathe([(0, 0), (0.03, 0.05), (0.12, 0.24), (0.13, 0.3), (0.1, 0.39), (0.05, 0.43), (0, 0.44)], (0.28, 0.5, 1.42), glow("#ffad3d", 1.9))
    ball(0.055, (0.28, 0.38, 1.72), glow("#fff3df", 2.0))
    ring(0.2, 0.012, (0.28, 0.5, 1.34), glow("amber", 4))
    for start, end, rise in (((-0.6, -0.2, 0.62), (0.1, 0.45, 1.1), 0.55), ((-0.66, -0.16, 0.6), (0.02, 0.5, 0.85), 0.75), ((0.62, -0.66, 0.66), (0.42, 0.42, 1.0), 0.35), ((0.66, -0.64, 0.66), (0.56, 0.42, 0.8), 0.55)):
        a, b = Vector(start), Vector(end)
        tube([tuple(a.lerp(b, t / 30) + Vector((0, 0, rise * math.sin(math.pi * t / 30)))) for t in range(31)], 0.013, glow("mint", 3.6))
    return STILL


SCENES = {f"news-{slug}": scene for slug, scene in {
    "data-fencing": data_fencing, "small-businesses-beware": small_businesses_beware, "outsourcing-it": outsourcing_it,
    "mobile-device-management": mobile_device_management, "active-directory": active_directory,
    "stay-ahead-phishers": stay_ahead_phishers, "windows-defender-update": windows_defender_update,
    "ftc-safeguards-rule": ftc_safeguards_rule, "teams-phone-system": teams_phone_system,
}.items()}
