"""blender -b -P art/kit/run.py -- --out DIR [--width W] [--samples N] [--threads T] [--weights FILE.tza] name…

Renders each named scene to DIR/name.png."""
import argparse
import importlib
import os
import sys
import tempfile
import time

import bpy
import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(os.path.dirname(HERE), "scenes")]
sys.dont_write_bytecode = True
import develop  # noqa: E402
import kit  # noqa: E402

options = argparse.ArgumentParser()
options.add_argument("names", nargs="+")
options.add_argument("--out", required=True)
options.add_argument("--width", type=int)
options.add_argument("--samples", type=int)
options.add_argument("--threads", type=int, default=1)
options.add_argument("--weights")
options = options.parse_args(sys.argv[sys.argv.index("--") + 1 :])


def passes(scene, folder):
    """Light, albedo and normals as three files of floating-point numbers."""
    layer = bpy.context.view_layer
    layer.cycles.denoising_store_passes = True
    scene.use_nodes = True
    tree = scene.node_tree
    tree.nodes.clear()
    layers = tree.nodes.new("CompositorNodeRLayers")
    file = tree.nodes.new("CompositorNodeOutputFile")
    file.base_path = folder
    file.format.file_format = "OPEN_EXR"
    file.format.color_depth = "32"
    file.file_slots.clear()
    for name, socket in (("light", "Image"), ("albedo", "Denoising Albedo"), ("normal", "Denoising Normal")):
        file.file_slots.new(name)
        tree.links.new(layers.outputs[socket], file.inputs[name])


def read(folder, name):
    path = next(os.path.join(folder, f) for f in sorted(os.listdir(folder)) if f.startswith(name))
    image = bpy.data.images.load(path)
    image.colorspace_settings.name = "Non-Color"
    width, height = image.size
    pixels = np.empty(width * height * 4, np.float32)
    image.pixels.foreach_get(pixels)
    bpy.data.images.remove(image)
    return pixels.reshape(height, width, 4)[::-1, :, :3].copy()


for name in options.names:
    began = time.time()
    module, _, _ = name.partition("-")
    scenes = importlib.import_module({"hero": "heroes", "service": "services", "solution": "solutions", "news": "news", "social": "heroes"}[module])
    kit.reset()
    look = scenes.SCENES[name]() or {}
    scene = bpy.context.scene
    width = options.width or look.get("width", 960)
    scene.render.resolution_x = width
    scene.render.resolution_y = round(width * look.get("ratio", 2 / 3))
    scene.render.threads_mode = "FIXED"
    scene.render.threads = options.threads
    scene.cycles.samples = options.samples or look.get("samples", 64)
    if not options.weights:
        scene.cycles.samples *= 8
    with tempfile.TemporaryDirectory() as folder:
        passes(scene, folder)
        bpy.ops.render.render()
        light, albedo, normal = (read(folder, part) for part in ("light", "albedo", "normal"))
    if options.weights:
        from denoise import denoise

        light = denoise(light, albedo, normal, options.weights, options.threads)
    os.makedirs(options.out, exist_ok=True)
    develop.save(develop.develop(light, look), os.path.join(options.out, f"{name}.png"))
    print(f"ART {name} {scene.render.resolution_x}x{scene.render.resolution_y} {time.time() - began:.0f}s", flush=True)
