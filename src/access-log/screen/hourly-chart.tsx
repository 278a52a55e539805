import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import { themeColour } from '../../ui/shown-theme.ts';
import type { Analytics } from '../analytics.ts';

interface HourlyChartProps {
  hours: Analytics['hourly'];
  /** Told which hour the pointer is at, by its place in the list. */
  onPoint: (hour: number | null) => void;
}

const HEIGHT = 220;

/** Draws on a canvas, in the colours that the theme has at first; the table beside it says the same. */
export function HourlyChart({ hours, onPoint }: HourlyChartProps) {
  const frame = useRef<HTMLDivElement>(null);
  const chart = useRef<uPlot>(null);

  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const plot = new uPlot(options(element, onPoint), [[], [], []], element);
    chart.current = plot;
    const watch = new ResizeObserver(() =>
      plot.setSize({ width: element.clientWidth, height: HEIGHT }),
    );
    watch.observe(element);
    return () => {
      watch.disconnect();
      plot.destroy();
    };
  }, [onPoint]);

  useEffect(() => {
    chart.current?.setData([
      hours.map(({ hour }) => Date.parse(hour) / 1000),
      hours.map(({ requests }) => requests),
      hours.map(({ errors }) => errors),
    ]);
  }, [hours]);

  return (
    <div
      ref={frame}
      role="img"
      aria-label="Requests and errors by hour"
      className="min-h-[220px] overflow-hidden"
    />
  );
}

function options(element: HTMLElement, onPoint: HourlyChartProps['onPoint']): uPlot.Options {
  const colour = themeColour;
  const axis = { stroke: colour('muted'), font: `12px ${getComputedStyle(element).fontFamily}` };
  const bars = uPlot.paths.bars?.({ size: [0.7, 48], align: 0 });
  const series = (name: string) => ({
    fill: colour(name),
    width: 0,
    points: { show: false },
    ...(bars && { paths: bars }),
  });
  return {
    width: element.clientWidth,
    height: HEIGHT,
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { show: false } },
    scales: {
      x: { range: (_, from, to) => [from - 1800, to + 1800] },
      // From nothing up to the line above the highest bar.
      y: { range: (_, _from, to) => [0, Math.ceil(Math.max(4, to) / step(to)) * step(to)] },
    },
    axes: [
      { ...axis, grid: { show: false }, ticks: { stroke: colour('line') }, values: HOURS },
      {
        ...axis,
        size: 56,
        grid: { stroke: colour('line') },
        ticks: { show: false },
        incrs: (_plot, _axis, _from, to) => [step(to)],
      },
    ],
    series: [{}, series('primary'), series('danger')],
    hooks: { setCursor: [({ cursor }) => onPoint(cursor.idx ?? null)] },
  };
}

/** '6 AM', and under the first hour of each day 'Nov 19'. */
const HOURS: uPlot.Axis.Values = [
  [3600, '{h} {AA}', '\n{MMM} {D}', null, '\n{MMM} {D}', null, null, null, 1],
];

/** Between the lines of the axis, of which there are five at most: nobody makes half a request. */
function step(top: number): number {
  return WHOLE.find((each) => top / each <= 5) ?? top;
}

const WHOLE = [...Array(9).keys()].flatMap((power) => [1, 2, 5].map((each) => each * 10 ** power));
