/** Draws curves over a growing size as SVG; both axes are logarithmic, so that a cost in proportion is a straight line. */

const WIDTH = 640;
const HEIGHT = 360;
const LEFT = 64;
const RIGHT = 16;
const TOP = 48;
const BOTTOM = 44;
const COLOURS = ['#0b6b60', '#b4540a', '#3b4cca', '#8a2a6b'];

export interface Curve {
  name: string;
  /** Size and cost, both above 0. */
  points: readonly (readonly [size: number, cost: number])[];
}

/** `across` and `up` name the axes with their units. */
export function growthChart(across: string, up: string, curves: readonly Curve[]): string {
  const points = curves.flatMap((curve) => curve.points);
  const x = scale(
    points.map(([size]) => size),
    LEFT,
    WIDTH - RIGHT,
  );
  const y = scale(
    points.map(([, cost]) => cost),
    HEIGHT - BOTTOM,
    TOP,
  );
  const grid = [
    ...x.decades.map(
      (at) =>
        line(x.place(at), TOP, x.place(at), HEIGHT - BOTTOM) +
        label(x.place(at), HEIGHT - BOTTOM + 16, short(at)),
    ),
    ...y.decades.map(
      (at) =>
        line(LEFT, y.place(at), WIDTH - RIGHT, y.place(at)) +
        label(LEFT - 8, y.place(at) + 4, short(at), 'end'),
    ),
  ];
  const drawn = curves.map(({ name, points }, index) => {
    const colour = COLOURS[index % COLOURS.length];
    const path = points.map(([size, cost]) => `${x.place(size)},${y.place(cost)}`).join(' ');
    const dots = points.map(
      ([size, cost]) =>
        `<circle cx="${x.place(size)}" cy="${y.place(cost)}" r="3" fill="${colour}"/>`,
    );
    return `<polyline points="${path}" fill="none" stroke="${colour}" stroke-width="2"/>${dots.join('')}${label(LEFT + index * 190, 18, name, 'start', colour)}`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12"><title>${across}</title><rect width="100%" height="100%" fill="#fff"/>${grid.join('')}${drawn.join('')}${label(LEFT, 36, up, 'start')}${label(WIDTH - RIGHT, HEIGHT - 8, across, 'end')}</svg>\n`;
}

/** From the power of ten below the least value to the one above the greatest. */
function scale(values: readonly number[], from: number, to: number) {
  const low = Math.floor(Math.log10(Math.min(...values)));
  const high = Math.max(Math.ceil(Math.log10(Math.max(...values))), low + 1);
  return {
    decades: Array.from({ length: high - low + 1 }, (_, step) => 10 ** (low + step)),
    place: (value: number) =>
      Math.round((from + ((Math.log10(value) - low) / (high - low)) * (to - from)) * 10) / 10,
  };
}

function line(x1: number, y1: number, x2: number, y2: number): string {
  return `<line x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}" stroke="#e3e6e5"/>`;
}

function label(x: number, y: number, text: string, anchor = 'middle', fill = '#3d4a48'): string {
  return `<text x="${x}" y="${y}" text-anchor="${anchor}" fill="${fill}">${text}</text>`;
}

/** 1000000 as 1M. */
function short(value: number): string {
  if (value >= 1e6) return `${value / 1e6}M`;
  if (value >= 1e3) return `${value / 1e3}k`;
  return `${Number(value.toPrecision(1))}`;
}
