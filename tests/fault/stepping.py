# SPDX-License-Identifier: Apache-2.0
"""Which calls fail: all up to a bound, then a sample that thins out geometrically, with a seed that is printed."""

import random


def numbers(total, every, sampled, seed):
    """Numbers of calls from 1 to `total`, in order: 1 to `every`, then at most `sampled` between that and the total."""
    chosen = set(range(1, min(total, every) + 1))
    if total > every and sampled > 0:
        dice = random.Random(f"{seed} {total} {every}")
        step = (total / max(every, 1)) ** (1 / sampled)
        low = max(every, 1)
        for index in range(sampled):  # one at random from each of `sampled` ranges of equal ratio
            first, last = low * step**index, low * step ** (index + 1)
            chosen.add(min(total, max(every + 1, round(dice.uniform(first, last)))))
    return sorted(chosen)
