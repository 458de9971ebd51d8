"""Signatures of the public beacon: BLS on the curve BLS12-381, signature in G1, public key in G2 (RFC 9380)."""

from hashlib import sha256

from py_arkworks_bls12381 import GT, G1Point, G2Point

DOMAIN = b"BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_"


def is_key(key: bytes) -> bool:
    """Return whether `key` (96 bytes) is a public key: a point of the group other than zero, compressed."""
    try:
        return G2Point.from_compressed_bytes(key) != G2Point.identity()
    except ValueError:
        return False


def verify(key: bytes, round_: int, signature: bytes) -> bool:
    """Return whether `signature` (48 bytes) is that of the round by the owner of `key`; two milliseconds.

    A round of an unchained beacon signs its own number alone: H(round in 8 bytes).
    """
    message = G1Point.hash_to_curve(sha256(round_.to_bytes(8, "big")).digest(), DOMAIN)
    try:
        point, owner = G1Point.from_compressed_bytes(signature), G2Point.from_compressed_bytes(key)
    except ValueError:
        return False
    return owner != G2Point.identity() and GT.pairing_check([point, -message], [G2Point(), owner])
