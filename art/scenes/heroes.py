"""The four scenes of the carousel: one evening, one palette, one low camera."""
import math
import random

import numpy as np
import bpy
from kit import *  # noqa: F403

LOOK = {"width": 1800, "samples": 36, "bloom": 0.45, "exposure": 0.2}


def desk(width=3.4, depth=0.95, top="wood", height=0.74):
    box((width, depth, 0.055), (0, 0, height - 0.0275), matt(top, 0.45), 0.02)
    for side in (-1, 1):
        for front in (-1, 1):
            tube([(side * (width / 2 - 0.14), front * (depth / 2 - 0.12), height - 0.05), (side * (width / 2 - 0.07), front * (depth / 2 - 0.06), 0)], 0.024, metal("steel", 0.35))


def keyboard(width=0.42):
    box((width, 0.15, 0.014), (0, 0, 0.007), metal("slate", 0.4), 0.006)
    for row in range(5):
        for col in range(15):
            hue = "#e9e3d6" if row == 4 and 4 <= col <= 8 else "#22323f" if 0 < col < 14 else "#1a4f5a"
            box((width * 0.057, 0.023, 0.011), (width * (-0.448 + 0.064 * col), 0.056 - 0.0275 * row, 0.0185), worn(hue, 0.5, 0.0, (1, 1, 1), 30.0, 0.12, 0.02), 0.0028)


def pendant(at, drop=1.6, power=45):
    x, y, z = at
    tube([(x, y, z), (x, y, z + drop)], 0.008, matt("deep", 0.5))
    lathe([(0.04, 0.2), (0.07, 0.17), (0.22, 0.02), (0.24, 0), (0.225, 0), (0.06, 0.15), (0, 0.16)], (x, y, z), gloss("teal", 0.4))
    ball(0.075, (x, y, z + 0.03), glow("#ffd7a1", 9.0))
    area((x, y, z - 0.02), (x, y, 0), 0.3, power, "#ffc27a")


def wall_of_screens(at, turn=0):
    """Status displays, two rows of three; only their light is seen."""

    def wall():
        for i in range(6):
            place(display, ((i % 3 - 1) * 1.13, 0, 0.66 * (i // 3)), kind="watch", width=1.1, height=0.62, seed=i, power=1.5)

    place(wall, at, (0, 0, turn))


def workplace(kinds, wide=0.6, power=1.5, seed=1):
    """Two displays on one arm, for somebody at y = -0.6; stands on the desk."""
    for side, kind in zip((-1, 1), kinds):
        place(display, (side * 0.315, 0.03, 0.34), (0, 0, -side * 13), kind=kind, width=wide, height=wide * 0.57, seed=seed + side, power=power)
    tube([(-0.3, 0.09, 0.34), (0, 0.16, 0.34), (0.3, 0.09, 0.34)], 0.014, metal("slate", 0.4), smooth=True)
    tube([(0, 0.16, 0), (0, 0.16, 0.36)], 0.02, metal("slate", 0.4))
    place(keyboard, (0, -0.36, 0), (0, 0, 0), 0.86)


def office_chair(color="#1b2a36"):
    """Faces +y."""
    cylinder(0.028, 0.34, (0, 0, 0.24), metal("steel", 0.3))
    for i in range(5):
        a = math.radians(72 * i + 20)
        tube([(0, 0, 0.1), (0.3 * math.cos(a), 0.3 * math.sin(a), 0.06)], 0.022, metal("slate", 0.35), ends=True)
    box((0.5, 0.48, 0.09), (0, 0.02, 0.43), cloth(color), 0.04)
    plate(0.45, 0.42, 0.045, (0, -0.235, 0.72), cloth(color), 0.15, 0.02, (7, 0, 0))
    box((0.06, 0.03, 0.4), (0, -0.27, 0.6), matt("deep", 0.4), 0.01, (7, 0, 0))
    for side in (-1, 1):
        box((0.055, 0.26, 0.025), (side * 0.29, 0.03, 0.68), leather(), 0.01)
        box((0.03, 0.04, 0.24), (side * 0.29, 0.0, 0.56), matt("deep", 0.4), 0.008)


def seated(x, y, turn, **named):
    place(person, (x, y, 0), (0, 0, turn), **named)
    place(office_chair, (x, y, 0), (0, 0, turn))


def notebook():
    box((0.15, 0.21, 0.012), (0, 0, 0.006), leather("#2a4a50"), 0.003)
    box((0.145, 0.204, 0.009), (0.001, 0, 0.0065), matt("paper", 0.8), 0.002)
    box((0.004, 0.212, 0.0135), (0.055, 0, 0.0068), cloth("amber"), 0.001)
    tube([(-0.03, -0.09, 0.017), (0.02, 0.06, 0.017)], 0.0042, metal("steel", 0.25), ends=True)


def hero_1():
    world("#1d3d50", 0.4)
    # the room: floor, a window over its whole width, a lamp far away
    box((14, 16, 0.04), (0, 4, -0.02), worn("#3b4a52", 0.35, 0, (1, 1, 1), 3.0, 0.3, 0.02), 0)
    box((16, 0.2, 0.9), (0, 7.0, 0.3), matt("#14222d", 0.8), 0)
    for x in (-5.2, -3.0, -0.8, 1.4, 3.6, 5.8):
        box((0.05, 0.1, 3.4), (x, 7.0, 2.2), matt("#0f1a24", 0.6), 0)
    town(11.0, 26)
    wall_of_screens((-2.75, 5.6, 1.3), 14)
    # the row behind, at work
    place(desk, (0.1, 2.3, 0), width=4.4, depth=0.8, top="#5a3f2a")
    place(workplace, (-0.42, 2.36, 0.74), (0, 0, 4), kinds=("watch", "tickets"))
    place(workplace, (1.02, 2.44, 0.74), (0, 0, -10), kinds=("tickets", "code"), seed=7)
    seated(-0.46, 1.52, -24, clothes="#2f4a5e", skin="#8a5b41", hair="#15100d", style="short", look=-50)
    seated(0.80, 1.76, 4, clothes="#4a3a3c", skin="#c08a66", hair="#2c1a12", style="bun", look=34)
    place(person, (-0.2, 3.9, 0.5), (0, 0, 60), clothes="#26494c", skin="#b98060", hair="#2a1c14", style="long", look=-50, hands=((-0.08, 0.3), (0.1, 0.3)))
    pendant((2.3, 4.2, 1.75))
    pendant((0.4, 5.4, 1.8))
    # the desk in front, and what lies on it
    box((2.6, 0.7, 0.04), (0.2, 0.06, 0.72), timber(), 0.012, (0, 0, -5))
    place(call_headset, (0.17, 0.0, 0.778), (-76, 0, 34), radius=0.094)
    place(mug, (-0.27, 0.14, 0.74), (0, 0, 25), color="#d9d2c4", r=0.042)
    steam((-0.27, 0.14, 0.82))
    place(notebook, (-0.1, -0.06, 0.741), (0, 0, -30))
    # light: dusk and screens from behind, amber from the right, a soft fill from the left
    area((2.4, 3.2, 2.2), (0.2, 0.6, 0.9), 0.8, 150, "#ffb060")
    area((-1.9, 2.9, 2.3), (0, 0.6, 0.9), 1.4, 95, "#a8e4e6")
    area((-2.4, -1.6, 2.4), (0, 0.3, 0.8), 1.8, 60, "#dcebf2")
    camera((0.0, -0.92, 0.985), (0.03, 1.5, 0.985), 42, (0.17, -0.05, 0.79), 2.4)
    return {**LOOK, "samples": 48, "exposure": 0.45}


def patching(width=0.56):
    """A panel with cables that hang from it."""
    box((width, 0.03, 0.1), (0, 0, 0), matt("#2b4259", 0.4, 0.4), 0.008)
    for i in range(8):
        x = width * (-0.42 + 0.12 * i)
        color = ("teal", "mint", "teal", "amber", "teal", "paper", "mint", "teal")[i]
        box((0.03, 0.05, 0.03), (x, -0.03, 0), gloss(color, 0.4), 0.006)
        tube([(x, -0.05, 0), (x + 0.01, -0.12, -0.04), (x * 0.9 + 0.04, -0.11, -0.16 - 0.03 * (i % 3)), (x * 0.45 + 0.16, -0.08, -0.3 - 0.012 * i), (0.27, -0.02, -0.44 - 0.015 * i), (0.3, 0.12, -0.5 - 0.015 * i)], 0.0095, gloss(color, 0.4), smooth=True)


def hero_2():
    world("#1b3a50", 0.3)
    shelves = [stock(rack, width=0.66, depth=0.9, height=2.2, units=19, seed=s, body="#24394b") for s in range(5)]
    panel = stock(patching)
    chance = random.Random(11)
    for i in range(22):
        y = -5.4 + i * 0.69
        copy(chance.choice(shelves), (-1.42, y, 0.06), (0, 0, 90))
        copy(chance.choice(shelves), (1.42, y, 0.06), (0, 0, -90))
        if i in (6, 9, 13):
            copy(panel, (-0.95, y, 1.62), (0, 0, 90))
        if i in (3, 5, 8, 11):
            copy(panel, (0.95, y, 1.5), (0, 0, -90))
    floor = matt("#22394b", 0.17)
    for i in range(-4, 26):
        for k in range(-2, 2):
            box((0.596, 0.596, 0.04), (0.3 + k * 0.6, -4 + i * 0.6, 0.0), floor, 0.004)
    box((8, 30, 0.02), (0, 6, -0.02), matt("deep", 0.5), 0)
    # a tide line in the floor, on either side
    for side in (-1, 1):
        box((0.02, 18, 0.012), (side * 0.9, 3, 0.022), glow("mint", 4.0), 0)
        box((0.1, 18, 0.05), (side * 0.72, 3.5, 2.72), matt("slate", 0.5, 0.5), 0.01)
        box((0.06, 18, 0.012), (side * 0.72, 3.5, 2.69), glow("#d9fff6", 4.0), 0)
        for k in range(5):
            wander = [(side * (1.05 + 0.07 * k) + 0.02 * math.sin(i * 1.7 + k), -5 + i * 0.9, 2.5 + 0.03 * math.sin(i * 2.1 + k * 2)) for i in range(19)]
            tube(wander, 0.022, gloss(("teal", "#2b8f84", "amber", "teal", "#35506a")[k], 0.4), smooth=True)
        box((0.46, 18, 0.03), (side * 1.2, 3.5, 2.44), metal("slate", 0.4), 0.01)
    for i in range(12):
        box((3.6, 0.05, 0.09), (0, -4 + i * 1.4, 2.84), metal("slate", 0.4), 0.01)
    box((10, 30, 0.1), (0, 6, 3.2), matt("#16303f", 0.8), 0)
    # the warm room at the end, and its door
    sky(2.6, 2.6, (0, 9.9, 0), ((0.0, "#a8672c"), (0.5, "#f0a955"), (1.0, "#ffd396")), 1.25)
    for x in (-0.62, 0.0, 0.62):
        box((0.05, 0.06, 2.5), (x, 9.6, 1.25), matt("#1a2c3a", 0.5), 0.01)
    box((1.3, 0.06, 0.06), (0, 9.6, 2.1), matt("#1a2c3a", 0.5), 0.01)
    area((0, 9.3, 1.5), (0, 0, 0.9), 1.8, 260, "#ffb866", shiny=False)
    area((0, -4.5, 2.9), (0, 0, 1.2), 1.6, 130, "#e3f6ff")
    area((0, 2.5, 2.6), (0, 2.5, 0), 0.8, 130, "#d6fff6", other=10)
    camera((-0.36, -3.9, 1.28), (0.1, 2.0, 1.27), 30, (0.9, -1.2, 1.3), 0.5)
    return {**LOOK, "bloom": 0.4, "samples": 32}


def hero_3():
    world("#1d3d50", 0.4)
    box((14, 16, 0.04), (0, 4, -0.02), worn("#3b4a52", 0.35, 0, (1, 1, 1), 3.0, 0.3, 0.02), 0)
    box((16, 0.2, 0.9), (0, 3.4, 0.2), matt("#14222d", 0.8), 0)
    for x in (-2.2, -0.2, 1.8, 3.8):
        box((0.05, 0.1, 3.4), (x, 3.4, 2.0), matt("#0f1a24", 0.6), 0)
    place(town, (2.0, 0, 0), (0, 0, -14), y=10.0, width=26, seed=9, low=-0.5)
    box((2.3, 0.85, 0.045), (0.1, 0.1, 0.7175), timber(), 0.012)
    # one wide display before him, one beside it for what runs by itself, one machine on its feet
    place(display, (0.02, 0.3, 1.06), (0, 0, 6), kind="watch", width=0.82, height=0.37, seed=2, power=1.15)
    place(display, (0.72, 0.2, 1.06), (0, 0, -24), kind="code", width=0.54, height=0.34, seed=5, power=1.1)
    for x, y in ((0.02, 0.34), (0.74, 0.25)):
        tube([(x, y, 0.74), (x, y, 1.04)], 0.016, metal("slate", 0.35))
        plate(0.2, 0.16, 0.01, (x, y, 0.745), metal("slate", 0.35), 0.02, 0.003, (90, 0, 0))
    place(keyboard, (-0.02, -0.08, 0.74), (0, 0, 7))
    ball(0.032, (0.33, -0.06, 0.752), gloss("#1c2a36", 0.35), (0.95, 1.65, 0.62), (0, 0, -6))
    place(phone, (0.52, -0.12, 0.746), (-90, 0, -20), height=0.155, kind="rows", power=1.2)
    place(notebook, (-0.42, -0.02, 0.741), (0, 0, 24))
    place(mug, (-0.5, 0.24, 0.74), (0, 0, 190), color="#d9d2c4", r=0.041)
    steam((-0.5, 0.24, 0.82))
    tube([(0.0, 0.34, 0.76), (-0.16, 0.38, 0.748), (-0.34, 0.42, 0.746), (-0.4, 0.52, 0.74)], 0.004, matt("#0e151b", 0.6), smooth=True)
    place(lamp, (-0.66, 0.46, 0.74), (0, 0, -20), scale=0.44, height=1.1, reach=0.42, power=14)
    place(plant, (1.06, 0.34, 0.74), height=0.44, seed=5, color="#265f4e")
    # a headset on its stand
    cylinder(0.05, 0.014, (0.42, 0.1, 0.747), metal("slate", 0.35), 0.005)
    tube([(0.42, 0.1, 0.75), (0.42, 0.1, 0.98)], 0.006, metal("steel", 0.3))
    place(call_headset, (0.42, 0.1, 0.875), (0, 0, -30), radius=0.088)
    place(office_chair, (0.05, -0.72, 0), (0, 0, -12))
    place(rack, (2.4, 2.5, 0), (0, 0, -24), width=0.62, depth=0.6, height=1.95, units=14, seed=6, body="#22384a")
    place(rack, (1.7, 2.75, 0), (0, 0, -20), width=0.62, depth=0.6, height=1.95, units=14, seed=8, body="#22384a")
    area((2.2, 1.6, 2.0), (0.1, 0.1, 0.8), 0.6, 55, "#ffb060")
    area((-1.8, 1.8, 2.2), (0.1, 0.1, 0.8), 1.0, 45, "#a8e4e6")
    area((-1.8, -1.6, 2.2), (0.1, 0.1, 0.8), 1.6, 34, "#dcebf2")
    camera((-0.8, -1.16, 1.22), (0.12, 0.2, 0.955), 36, (-0.02, -0.02, 0.78), 1.5)
    return {**LOOK, "exposure": 0.6}


def hero_4():
    world("#12303f", 0.35)
    sea = matt("#0f2838", 0.13)
    tide(sea, inner=0.6, outer=70, waves=22, height=0.05, length=0.62)
    sky(160, 40, (0, 60, -0.2), ((0.0, "#f5b461"), (0.04, "#c9805a"), (0.105, "#3d6b78"), (0.23, "#17405a"), (0.5, "#0d2032")), 1.0)
    chance = np.random.default_rng(4)
    stars = np.column_stack([chance.uniform(-34, 34, 420), np.full(420, 55.0), 5 + 20 * chance.random(420)])
    swarm(stars, chance.uniform(0.012, 0.036, 420) * (1 + (chance.random(420) > 0.93)), glow("#dff7ff", 5.0))
    # points of light, each linked to its neighbours
    nodes = np.column_stack([chance.uniform(-12, 12, 64), chance.uniform(9, 15, 64), 3.2 + 6.2 * chance.random(64)])
    swarm(nodes, chance.uniform(0.03, 0.065, 64), glow("#b9fff1", 4.0))
    for i, p in enumerate(nodes):
        for k in np.argsort(np.linalg.norm(nodes - p, axis=1))[1:3]:
            if np.linalg.norm(nodes[k] - p) < 2.3:
                tube([tuple(p), tuple(nodes[k])], 0.005, glow("mint", 0.55))
    # the cloud
    lumps = [(-1.42, 0, -0.24, 0.4), (-0.84, 0, -0.08, 0.58), (0, 0, 0.04, 0.68), (0.84, 0, -0.06, 0.62), (1.46, 0, -0.22, 0.44), (-0.46, 0.05, 0.42, 0.54), (0.34, 0.05, 0.52, 0.62), (0.95, 0.05, 0.3, 0.42), (-0.4, -0.36, -0.14, 0.46), (0.38, -0.38, -0.15, 0.48), (-1.0, -0.25, -0.28, 0.36)]
    cz = 2.3
    blend([(x, y, z + cz, r) for x, y, z, r in lumps], matt("#f1f1ea", 0.48), 0.026, 3)
    # its right side goes over into points
    points, sizes = [], []
    while len(points) < 1500:
        x, y, z, r = lumps[chance.integers(len(lumps))]
        v = chance.normal(size=3)
        v /= np.linalg.norm(v)
        p = np.array([x, y, z]) + v * r
        drift = max(0.0, (p[0] + 0.2) / 2.0)
        if chance.random() > drift * 1.2 or p[0] < -0.3:
            continue
        p = p + np.array([0.9, -0.1, 0.25]) * abs(chance.normal()) * 0.45 * drift + v * 0.05
        if all(np.linalg.norm(p - np.array([a, b, c])) > q * 1.02 for a, b, c, q in lumps):
            points.append(p + np.array([0, 0, cz]))
            sizes.append(0.006 + 0.016 * chance.random() ** 2)
    points, sizes = np.array(points), np.array(sizes)
    swarm(points[:900], sizes[:900], glow("mint", 4.0))
    swarm(points[900:1200], sizes[900:1200], glow("#e8fffa", 4.0))
    swarm(points[1200:], sizes[1200:], glow("amber", 5.0))
    # orbits and those who travel on them
    for radius, tilt, turn, hue, when in ((2.35, 14, 20, "mint", (40, 200, 300)), (2.85, -10, -30, "mint", (100, 250)), (3.4, 6, 60, "amber", (20, 150, 285))):
        orbit = made(ring, radius=radius, thickness=0.0065, at=(0, 0, 0), material=glow(hue, 2.4), sides=200)
        for a in when:
            orbit += made(ball, radius=0.05, at=(radius * math.cos(math.radians(a)), radius * math.sin(math.radians(a)), 0), material=glow("#ffe3b8" if hue == "amber" else "#b9fff1", 4.0))
        group(orbit, (0, 0, cz - 0.1), (tilt, 4, turn))
    # the places on the water that the cloud serves, each on its line of light
    for x, y, h in ((-2.9, 0.8, 0.42), (-1.7, -1.4, 0.3), (0.15, -1.9, 0.22), (1.9, -1.2, 0.34), (3.1, 0.9, 0.46), (-3.9, 3.4, 0.6), (4.4, 3.6, 0.62), (0.9, 2.6, 0.4)):
        cylinder(0.26, 0.05, (x, y, 0.03), gloss("#2b5068", 0.3), 0.015)
        ring(0.27, 0.008, (x, y, 0.04), glow("mint", 4.0))
        for k in range(3):
            a = k * 2.1 + x
            hh = h * (0.6 + 0.4 * ((k * 7 + int(x * 10)) % 5) / 4)
            box((0.11, 0.11, hh), (x + 0.11 * math.cos(a), y + 0.11 * math.sin(a), 0.05 + hh / 2), gloss("#e9e3d6" if k else "teal", 0.4), 0.015)
            box((0.014, 0.006, hh * 0.62), (x + 0.11 * math.cos(a), y + 0.11 * math.sin(a) - 0.056, 0.05 + hh * 0.52), glow("amber", 4), 0)
        end = np.array([x * 0.28, y * 0.2, cz - 0.35])
        start = np.array([x, y, 0.08 + h])
        arc = [tuple(start + (end - start) * t + np.array([0, 0, 0.5]) * math.sin(math.pi * t) * 0.4) for t in np.linspace(0, 1, 30)]
        tube(arc, 0.005, glow("mint", 2.2))
        swarm([arc[i] for i in (4, 9, 13, 18, 22)], 0.018, glow("#fff1d6", 5.0))
    area((-5, -5, 6), (0, 0, 2), 3, 620, "#fff1e0", shiny=False)
    area((6, 4, 1.6), (0, 0, 2.3), 3, 1100, "#ffb45c", shiny=False)
    area((-6, 4, 1.5), (0, 0, 2.3), 3, 500, "mint", shiny=False)
    area((0, -0.5, 0.15), (0, 0, 3), 2.0, 45, "mint", shiny=False)
    camera((0.4, -8.3, 1.5), (0.1, 0, 1.86), 40, (0, -0.6, 2.2), 5.0)
    return {**LOOK, "bloom": 0.45}


def social():
    """The cloud again, with room for the wordmark on its left."""
    look = hero_4()
    camera((-0.3, -10.2, 1.6), (-1.75, 0, 1.66), 36, (0, -0.6, 2.2), 5.0)
    return {**look, "width": 1200, "ratio": 630 / 1200}


SCENES = {"hero-1": hero_1, "hero-2": hero_2, "hero-3": hero_3, "hero-4": hero_4, "social": social}
