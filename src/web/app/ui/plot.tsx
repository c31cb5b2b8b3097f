/** Draws the lines of a chart. */
import { useEffect, useRef, type ReactNode } from 'react';
import UPlot from 'uplot';
import { isolatedPlaces } from '../lib/isolated.js';
import 'uplot/dist/uPlot.min.css';

interface PlotProps {
  days: readonly string[];
  labels: readonly string[];
  /** One list for each label, one value for each day. */
  values: readonly (readonly (number | null)[])[];
  format(value: number): string;
  formatDay(day: string): string;
}

const HEIGHT_PX = 240;
const dayOf = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(0, 10);

/** Screen readers use the table next to it instead. */
export default function Plot(props: PlotProps): ReactNode {
  const { days, labels, values } = props;
  const box = useRef<HTMLDivElement>(null);
  // The plot is drawn again for new data only, not for another rendering with the same.
  const data = JSON.stringify([days, labels, values]);
  const latest = useRef(props);
  latest.current = props;
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const plot = draw(element, latest.current);
    const watch = new ResizeObserver(() =>
      plot.setSize({ width: element.clientWidth, height: HEIGHT_PX }),
    );
    watch.observe(element);
    return () => {
      watch.disconnect();
      plot.destroy();
    };
  }, [data]);
  return <div ref={box} className="plot" aria-hidden="true" />;
}

/** Away from the lines, and in their gaps, there is no value. */
const orDash =
  (format: (value: number) => string) =>
  (_: UPlot, value: number | null): string =>
    value === null ? '–' : format(value);

function draw(element: HTMLElement, props: PlotProps): UPlot {
  const { days, labels, values, format, formatDay } = props;
  const style = getComputedStyle(element);
  const color = (name: string): string => style.getPropertyValue(name).trim();
  const axis = { stroke: color('--muted'), grid: { stroke: color('--line'), width: 1 } };
  return new UPlot(
    {
      width: element.clientWidth,
      height: HEIGHT_PX,
      tzDate: (seconds) => UPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
      cursor: { drag: { x: false, y: false } },
      scales: { x: { time: true } },
      series: [
        { label: 'Day', value: orDash((seconds) => formatDay(dayOf(seconds))) },
        ...labels.map((label, nth) => ({
          label,
          stroke: color(`--series-${(nth % 4) + 1}`),
          width: 2,
          points: { show: true, filter: () => isolatedPlaces(values[nth] ?? []) },
          value: orDash(format),
        })),
      ],
      axes: [
        { ...axis, values: (_, ticks) => ticks.map((tick) => formatDay(dayOf(tick))), space: 110 },
        { ...axis, values: (_, ticks) => ticks.map(format), size: 80 },
      ],
    },
    [days.map((day) => Date.parse(`${day}T00:00:00Z`) / 1000), ...values.map((list) => [...list])],
    element,
  );
}
