"""The sounds of the tables, computed: `python -m tock_league.management.sounds` writes static/sounds again.

Each is a few notes of a marimba, or a knock on wood: WAV, one channel, 16 bits, 11,025 samples a second, under half a second.
"""

import math
import struct
import wave
from io import BytesIO
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[2] / "static" / "sounds"
RATE = 11025  # samples a second
PEAK = 0.8 * 32767
FADE_S = 0.02  # at the end, so that nothing clicks

# (begins after s, frequency Hz, dies away in s, loudness)
Note = tuple[float, float, float, float]
SOUNDS: dict[str, tuple[float, tuple[Note, ...]]] = {
    # name: length in s, notes
    "turn": (0.42, ((0.0, 659.26, 0.10, 1.0), (0.12, 987.77, 0.13, 1.0))),  # e, b: upwards
    "eaten": (0.34, ((0.0, 392.0, 0.07, 1.0), (0.09, 261.63, 0.10, 1.0))),  # g, c: downwards
    "home": (0.44, ((0.0, 523.25, 0.07, 0.8), (0.08, 659.26, 0.07, 0.9), (0.16, 783.99, 0.12, 1.0))),  # a chord, broken
    "exchange": (0.26, ((0.0, 587.33, 0.05, 1.0), (0.10, 587.33, 0.05, 0.7))),  # the same twice
    "low": (0.40, ((0.0, 880.0, 0.03, 1.0), (0.13, 880.0, 0.03, 1.0), (0.26, 880.0, 0.03, 1.0))),  # three knocks
    "referee": (0.41, ((0.0, 1244.51, 0.09, 0.8), (0.0, 1318.51, 0.09, 0.8), (0.17, 1318.51, 0.10, 0.8))),  # a whistle
}


def loudness(at: float, notes: tuple[Note, ...]) -> float:
    """Return the sum of the notes at `at` seconds: a fundamental and the fourth partial of a bar of wood."""
    total = 0.0
    for begins, hertz, decay, weight in notes:
        since = at - begins
        if since >= 0:
            ring = math.sin(2 * math.pi * hertz * since) + 0.25 * math.sin(8 * math.pi * hertz * since) * math.exp(
                -since / 0.02
            )
            total += weight * math.exp(-since / decay) * ring * min(1.0, since / 0.003)
    return total


def samples(name: str) -> list[int]:
    """Return the samples of a sound, from -32768 to 32767. Raises KeyError for an unknown name."""
    length, notes = SOUNDS[name]
    count = int(length * RATE)
    raw = [loudness(i / RATE, notes) * min(1.0, (count - i) / (FADE_S * RATE)) for i in range(count)]
    loudest = max(map(abs, raw))
    return [round(PEAK * value / loudest) for value in raw]


def wav(name: str) -> bytes:
    """Return the sound as a WAV file."""
    found = samples(name)
    out = BytesIO()
    with wave.open(out, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes(struct.pack(f"<{len(found)}h", *found))
    return out.getvalue()


def main() -> None:
    """Write every sound to its file."""
    for name in SOUNDS:
        (FOLDER / f"{name}.wav").write_bytes(wav(name))


if __name__ == "__main__":
    main()
