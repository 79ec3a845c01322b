"""What the tools call things: Vietnamese with its marks, and an English gloss."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from engine.values import show

ABILITIES = {
    "the_phach": "Thể phách (body)",
    "than_phap": "Thân pháp (agility)",
    "than_thuc": "Thần thức (spirit sense)",
    "ngo_tinh": "Ngộ tính (insight)",
    "khi_van": "Khí vận (luck)",
}
MODES = {"normal": "thường (normal)", "advantage": "ưu thế (advantage)", "disadvantage": "bất lợi (disadvantage)"}
SHORT_MODES = {mode: label.partition(" (")[0] for mode, label in MODES.items()}
DEGREES = {
    "critical success": "đại thành công (critical success)",
    "success": "thành công (success)",
    "failure": "thất bại (failure)",
    "critical failure": "đại bại (critical failure)",
}
THE_CHAT = {
    0: "0 không (none)",
    1: "1 Tiên cốt (immortal bones)",
    2: "2 Tiên thân (immortal body)",
    3: "3 Đạo thể (body of the Dao)",
}
INJURED = "bị thương (injured)"
ANY_READING = "mọi cách đọc (every reading)"
BOXES = {
    "cap": "Cấp (realm)",
    "stage": "Tầng (stage)",
    "the_chat": "Thể chất (constitution)",
    "modifier_box": "Hệ số (modifier)",
    "DC": "DC (difficulty)",
    **ABILITIES,
}


def signed(value: Any) -> str:
    """`+2`, `−1`, `0`; a word as it is."""
    if isinstance(value, bool) or not isinstance(value, int | Fraction):
        return show(value)
    return f"+{value}" if value > 0 else f"−{-value}" if value < 0 else "0"


def number(value: Any) -> str:
    """A value with a true minus sign."""
    return show(value).replace("-", "−") if isinstance(value, int | Fraction) else show(value)


def degree(value: Any) -> str:
    """The name of a degree."""
    return DEGREES.get(str(value), show(value))


def yes(value: Any) -> str:
    """A truth value."""
    return "có (yes)" if value else "không (no)"


def percent(chance: Fraction | int) -> str:
    """A share of 400 as an exact percentage: `30.25%`."""
    return f"{float(chance * 100):g}%"
