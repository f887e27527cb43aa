// Numbers as text, rank correlation, and Student's t.

function format(value, digits = 4) {
  if (value === null || value === undefined || Number.isNaN(value)) return "–";
  return value.toFixed(digits).replace("-", "−");
}

function formatSigned(value, digits = 4) {
  return (value > 0 ? "+" : "") + format(value, digits);
}

function percent(share, digits = 1) {
  return `${(100 * share).toFixed(digits)}%`;
}

function counted(number, noun) {
  return `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;
}

function mean(values) {
  return values.length ? values.reduce((sum, value) => sum + value, 0) / values.length : NaN;
}

/** The sample standard deviation. */
function deviation(values) {
  if (values.length < 2) return 0;
  const centre = mean(values);
  return Math.sqrt(values.reduce((sum, value) => sum + (value - centre) ** 2, 0) / (values.length - 1));
}

const SAME = 5e-7; // means that differ by less are tied: the page holds 7 digits

/** A difference of values up to `largest`, or 0 if it is only what rounding to 7 digits leaves. */
function unlessNoise(difference, largest) {
  return Math.abs(difference) > SAME * largest ? difference : 0;
}

/** Kendall's tau-b of two scorings of the same runs; NaN if one of them is constant. */
function kendall(x, y) {
  let balance = 0;
  let apartX = 0;
  let apartY = 0;
  for (let a = 1; a < x.length; a += 1) {
    for (let b = 0; b < a; b += 1) {
      const dx = x[a] - x[b];
      const dy = y[a] - y[b];
      const sx = dx > SAME ? 1 : dx < -SAME ? -1 : 0;
      const sy = dy > SAME ? 1 : dy < -SAME ? -1 : 0;
      balance += sx * sy;
      apartX += sx * sx;
      apartY += sy * sy;
    }
  }
  return balance / Math.sqrt(apartX * apartY);
}

function logGamma(x) {
  // Lanczos' approximation, g = 7, good to 15 digits for x > 0.5.
  const series = [
    676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
    12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
  ];
  let sum = 0.99999999999980993;
  series.forEach((term, index) => {
    sum += term / (x + index);
  });
  const t = x + 6.5;
  return 0.5 * Math.log(2 * Math.PI) + (x - 0.5) * Math.log(t) - t + Math.log(sum);
}

/** The regularised incomplete beta function, by its continued fraction (Lentz). */
function incompleteBeta(x, a, b) {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(1 - x, b, a);
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log(1 - x)) / a;
  let c = 1;
  let d = 1 / nonzero(1 - ((a + b) * x) / (a + 1));
  let fraction = d;
  for (let m = 1; m < 500; m += 1) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / nonzero(1 + even * d);
    c = nonzero(1 + even / c);
    fraction *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / nonzero(1 + odd * d);
    c = nonzero(1 + odd / c);
    fraction *= d * c;
    if (Math.abs(d * c - 1) < 1e-15) break;
  }
  return front * fraction;
}

function nonzero(value) {
  return Math.abs(value) < 1e-300 ? 1e-300 : value;
}

/** The chance that |t| is at least this large, with so many degrees of freedom. */
function twoSided(t, freedom) {
  return incompleteBeta(freedom / (freedom + t * t), freedom / 2, 0.5);
}

/** Student's paired t-test of differences of values up to `largest`: mean, interval, effect size and p. */
function pairedTest(differences, largest, quantiles = report.quantiles) {
  const n = differences.length;
  const centre = unlessNoise(mean(differences), largest);
  const spread = deviation(differences);
  const error = spread / Math.sqrt(n);
  const half = n > 1 ? quantiles[n - 2] * error : NaN; // shipped from 2 topics on
  const none = differences.every((value) => value === 0);
  return {
    mean: centre,
    low: centre - half,
    high: centre + half,
    effect: none ? 0 : centre / spread,
    p: n < 2 ? NaN : none ? 1 : spread === 0 ? 0 : twoSided(centre / error, n - 1),
  };
}

function formatP(p) {
  if (Number.isNaN(p)) return "–";
  return p < 0.0001 ? "< 0.0001" : p.toFixed(4);
}
