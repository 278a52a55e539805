"""From light to picture: bloom, a filmic curve, one grade for all."""
import cv2
import numpy as np


def _bloom(light, amount):
    if not amount:
        return light
    height, width = light.shape[:2]
    bright = np.clip(light - 1.0, 0, 6)
    glow = np.zeros_like(light)
    for share, weight in ((0.004, 0.5), (0.014, 0.3), (0.045, 0.2)):
        glow += weight * cv2.GaussianBlur(bright, (0, 0), width * share)
    return light + amount * glow


def _curve(x):
    """The ACES fit by Narkowicz, with a softer toe."""
    return np.clip(x * (2.51 * x + 0.03) / (x * (2.43 * x + 0.59) + 0.14), 0, 1)


def develop(light, look):
    light = np.clip(light, 0, None) * 2 ** look.get("exposure", 0.0)
    light = _bloom(light, look.get("bloom", 0.35))
    # Very bright color runs towards white, as film does, instead of clipping to a pure primary.
    peak = light.max(axis=2, keepdims=True)
    white = np.clip((peak - 1.2) / 9, 0, 0.75)
    light = light * (1 - white) + peak * white
    picture = _curve(light * 0.72)
    picture = np.where(picture <= 0.0031308, picture * 12.92, 1.055 * np.power(np.maximum(picture, 1e-9), 1 / 2.4) - 0.055)
    # The blacks of the house are ink, never black.
    ink = np.array([0.043, 0.078, 0.122], np.float32)
    picture = ink * look.get("lift", 0.55) * (1 - picture) ** 6 + picture * (1 - 0.0 * ink)
    return np.clip(picture, 0, 1)


def save(picture, path):
    # One level of noise, so that eight bits show no bands in soft gradients.
    noise = np.random.default_rng(7).random(picture.shape[:2] + (1,)) - 0.5
    pixels = np.clip(np.round(picture * 255 + noise * 0.9), 0, 255).astype(np.uint8)
    cv2.imwrite(path, pixels[:, :, ::-1])
