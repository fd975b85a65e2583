"""Expected numbers for the statistics of src/metrics, from their definitions and by another route.

    python3 src/metrics/golden/statistics.py > src/metrics/golden/statistics.json

Plain Python. All but the smoothed lines is exact rational arithmetic, rounded once, at the end. A bootstrap is not drawn but listed:
every ordered draw of every stratum once, so the interval is that of infinitely many resamples. The tests list the same draws by
a counter in mixed base. One case draws from a sequence that both sides can make, which fixes the order of the counters.
Where SciPy is installed its own functions must agree, or the script stops.
"""

import itertools
import json
import math
import sys
from fractions import Fraction

# Decimals as text, so that a fraction is the decimal itself.
TASKS = [["0.2", "0.9", "0.5"], ["1.3", "-0.4"]]
BASELINE = [["0.5", "0.1"], ["-0.4", "0.7", "0.7"]]
MANY = [["0.12", "0.5", "0.31", "2.4", "0.9", "-3", "0.77"], ["0.5", "1.25", "0.6"], ["0.05"]]
TAUS = ["-1", "0", "0.5", "0.75", "2"]
LEVELS = ["0.5", "0.8", "0.95"]


def numbers(tasks):
    return [[Fraction(score) for score in scores] for scores in tasks]


def average(values):
    values = list(values)
    return sum(values, Fraction(0)) / len(values)


def flat(tasks):
    return [score for scores in tasks for score in scores]


def middle(values):
    ordered = sorted(values)
    count = len(ordered)
    return (ordered[(count - 1) // 2] + ordered[count // 2]) / 2


def interquartile_mean(tasks):
    """Weights instead of slices: a score counts if at least n//4 scores stand before it and after it."""
    ordered = sorted(flat(tasks))
    cut = len(ordered) // 4
    kept = [s for place, s in enumerate(ordered) if place >= cut and len(ordered) - 1 - place >= cut]
    return average(kept)


def optimality_gap(tasks, gamma):
    return gamma - average(min(score, gamma) for score in flat(tasks))


def improvement(candidate, baseline):
    """U from rank sums, not from pairs: U = R - n(n + 1)/2 with mid-ranks."""
    shares = []
    for xs, ys in zip(candidate, baseline):
        both = sorted(xs + ys)
        mid_rank = {v: average(i + 1 for i, other in enumerate(both) if other == v) for v in both}
        u = sum(mid_rank[x] for x in xs) - Fraction(len(xs) * (len(xs) + 1), 2)
        shares.append(u / (len(xs) * len(ys)))
    return average(shares)


def share_above(tasks, tau):
    return average(average(Fraction(score > tau) for score in scores) for scores in tasks)


def quantile(values, share):
    """Straight line through the points (i / (n - 1), i-th order statistic)."""
    ordered = sorted(values)
    position = share * (len(ordered) - 1)
    index = min(position.numerator // position.denominator, len(ordered) - 2)
    return ordered[index] + (position - index) * (ordered[index + 1] - ordered[index])


def interval(values, level):
    tail = (1 - level) / 2
    return [float(quantile(values, tail)), float(quantile(values, 1 - tail))]


def every_draw(strata):
    return itertools.product(*(itertools.product(s, repeat=len(s)) for s in strata))


def every_interval(strata, statistic):
    values = [statistic([list(s) for s in draw]) for draw in every_draw(strata)]
    return {level: interval(values, Fraction(level)) for level in LEVELS}


def weyl(counter):
    """The fractional part of (counter + 1) / golden ratio, the same double in every language."""
    return ((counter + 1) * 0.6180339887498949) % 1.0


def drawn_interval(tasks, num_resamples, level):
    strata = [sorted(scores) for scores in tasks]
    counter = itertools.count()
    draw = lambda s: s[math.floor(weyl(next(counter)) * len(s))]
    values = [
        interquartile_mean([[draw(s) for _ in s] for s in strata]) for _ in range(num_resamples)
    ]
    return interval(values, Fraction(level))


def smoothed(values, weight):
    """The weighted mean of all finite values so far, each time from the start."""
    out = []
    for place, value in enumerate(values):
        past = [v for v in values[: place + 1] if math.isfinite(v)]
        if not math.isfinite(value):
            out.append(value)
            continue
        weights = [weight ** (len(past) - 1 - i) for i in range(len(past))]
        out.append(math.fsum(w * v for w, v in zip(weights, past)) / math.fsum(weights))
    return out


def efficiency():
    """Four seeds of one task and three of another; some end early, one skips, one is not a number once."""
    lines = [
        [{0: "0.1", 1: "0.2", 2: "0.6"}, {0: "0", 1: "0.5"}, {0: "0.3", 2: "0.4", 3: "0.9"}],
        [{0: "1", 1: "0.5", 2: "0.2"}, {0: "0.2", 1: "NaN", 2: "0.8", 3: "1"}],
    ]
    rows = []
    for x in range(4):
        here = [[line[x] for line in task if x in line] for task in lines]
        scores = numbers([[s for s in task if s != "NaN"] for task in here])
        fewest = min(len(task) for task in scores)
        row = {"x": x, "num_seeds": fewest, "num_not_finite": flat(here).count("NaN")}
        row["estimate"] = float(interquartile_mean(scores)) if fewest else None
        # The numbers of draws differ between rows, so these intervals are drawn, not listed.
        row["interval"] = drawn_interval(scores, 50, "0.8") if fewest > 1 else None
        rows.append(row)
    named = [
        [{"xs": list(line), "values": [v if v == "NaN" else float(v) for v in line.values()]} for line in task]
        for task in lines
    ]
    return {"lines": named, "level": 0.8, "num_resamples": 50, "rows": rows}


def agree_with_scipy(tasks, others):
    try:
        from scipy import stats
    except ImportError:
        print("SciPy is not installed: its own functions were not asked.", file=sys.stderr)
        return
    scores = [float(score) for score in flat(tasks)]
    assert abs(stats.trim_mean(scores, 0.25) - float(interquartile_mean(tasks))) < 1e-12
    pairs = zip(tasks, others)
    us = [
        stats.mannwhitneyu([float(x) for x in xs], [float(y) for y in ys]).statistic
        / (len(xs) * len(ys))
        for xs, ys in pairs
    ]
    assert abs(sum(us) / len(us) - float(improvement(tasks, others))) < 1e-12
    for level in LEVELS:
        values = [0.1, 0.7, 0.4, 0.2]
        tail = (1 - float(level)) / 2
        theirs = stats.mstats.mquantiles(values, [tail, 1 - tail], alphap=1, betap=1)
        ours = interval([Fraction(str(v)) for v in values], Fraction(level))
        assert max(abs(theirs - ours)) < 1e-12


def main():
    tasks, baseline, many = numbers(TASKS), numbers(BASELINE), numbers(MANY)
    agree_with_scipy(tasks, baseline)
    agree_with_scipy(many, many)
    floats = lambda nested: [[float(score) for score in scores] for scores in nested]
    aggregates = [
        {
            "scores": floats(case),
            "iqm": float(interquartile_mean(numbers(case))),
            "mean": float(average(average(scores) for scores in numbers(case))),
            "median": float(middle([average(scores) for scores in numbers(case)])),
            "median_of_scores": float(middle(flat(numbers(case)))),
            "gap": float(optimality_gap(numbers(case), Fraction(1))),
            "gap_of_half": float(optimality_gap(numbers(case), Fraction(1, 2))),
        }
        for case in (TASKS, BASELINE, MANY, [["0.7"]], [["3", "1", "2", "10"]])
    ]
    sorted_tasks = [sorted(scores) for scores in tasks]
    line = [0.5, 2.0, math.nan, -1.0, 4.0, math.inf, 4.0, 3.0]
    # JSON has no names for these two.
    text = lambda values: [
        "NaN" if math.isnan(v) else "Infinity" if math.isinf(v) else v for v in values
    ]
    golden = {
        "aggregates": aggregates,
        "listed": {
            "scores": floats(TASKS),
            "iqm": every_interval(tasks, interquartile_mean),
            "mean": every_interval(tasks, lambda t: average(average(s) for s in t)),
            "gap": every_interval(tasks, lambda t: optimality_gap(t, Fraction(1))),
        },
        "drawn": {
            "scores": floats(MANY[:2]),
            "num_resamples": 200,
            "level": 0.9,
            "iqm": drawn_interval(many[:2], 200, "0.9"),
        },
        "improvement": {
            "candidate": floats(TASKS),
            "baseline": floats(BASELINE),
            "estimate": float(improvement(tasks, baseline)),
            "intervals": every_interval(
                tasks + baseline, lambda strata: improvement(strata[:2], strata[2:])
            ),
        },
        "profile": {
            "scores": floats(TASKS),
            "taus": [float(tau) for tau in TAUS],
            "shares": [float(share_above(tasks, Fraction(tau))) for tau in TAUS],
            "bands": [
                every_interval(sorted_tasks, lambda t: share_above(t, Fraction(tau)))["0.8"]
                for tau in TAUS
            ],
            "level": 0.8,
        },
        "efficiency": efficiency(),
        "smoothing": [
            {"weight": weight, "raw": text(line), "smoothed": text(smoothed(line, weight))}
            for weight in (0, 0.6, 0.9, 0.999)
        ],
    }
    entries = (f"{json.dumps(name)}: {json.dumps(part)}" for name, part in golden.items())
    print("{\n" + ",\n".join(entries) + "\n}")


main()
