/** Draws a chart, and says the values at the place that the pointer or the arrow keys are at. */
import {
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactNode,
} from 'react';
import type UPlot from 'uplot';
import { draw, type Palette } from './draw.js';
import { wholesOf, type Shape, type Values } from './model.js';
import type { ChartTexts } from './texts.js';
import { useDarkness } from './useDarkness.js';
import 'uplot/dist/uPlot.min.css';

export interface PlotProps {
  title: string;
  /** Of each point. */
  ats: readonly string[];
  labels: readonly string[];
  values: Values;
  /** The number of each series' color. */
  colors: readonly number[];
  shape: Shape;
  texts: ChartTexts;
  /** What happened at each point. */
  marked: readonly (readonly string[])[];
  onPick?: (at: number) => void;
  onRange?: (from: string, to: string) => void;
}

const HEIGHT_PX = 240;

/** Where the reader is: a point, and its place in the drawing. */
interface Place {
  at: number;
  left: number;
}

export default function Plot(props: PlotProps): ReactNode {
  const { title, ats, labels, values, shape, texts, marked } = props;
  const box = useRef<HTMLDivElement>(null);
  const plot = useRef<UPlot>(null);
  const [place, setPlace] = useState<Place | null>(null);
  const latest = useRef(props);
  latest.current = props;
  const isDark = useDarkness();
  // The plot is drawn again for other data or colors only, not for another rendering with the same.
  const drawn = JSON.stringify([
    ats,
    labels,
    values,
    shape,
    marked,
    isDark,
    props.onRange !== undefined,
  ]);
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const made = draw(element, latest.current, {
      palette: paletteOf(element),
      height: HEIGHT_PX,
      moved: (at) => setPlace(at === null ? null : { at, left: leftOf(made, at) }),
      ranged: ([from, to]) => rangeOf(latest.current, from, to),
    });
    plot.current = made;
    const watch = new ResizeObserver(() =>
      made.setSize({ width: element.clientWidth, height: HEIGHT_PX }),
    );
    watch.observe(element);
    return () => {
      watch.disconnect();
      made.destroy();
      plot.current = null;
    };
  }, [drawn]);
  const anchor = useRef<number | null>(null);
  const press = (event: KeyboardEvent): void => {
    const { current: chart } = plot;
    if (!chart) return;
    const from = place?.at ?? null;
    const to = movedTo(event.key, from, ats.length);
    if (to !== null) {
      event.preventDefault();
      anchor.current = event.shiftKey && props.onRange ? (anchor.current ?? from ?? to) : null;
      select(chart, anchor.current, to);
      chart.setCursor({ left: leftOf(chart, to) - chart.bbox.left / devicePixelRatio, top: 0 });
      setPlace({ at: to, left: leftOf(chart, to) });
    } else if (event.key === 'Enter' && from !== null) {
      if (anchor.current === null) props.onPick?.(from);
      else rangeOf(props, Math.min(anchor.current, from), Math.max(anchor.current, from));
    } else if (event.key === 'Escape' && place) {
      anchor.current = null;
      select(chart, null, 0);
      setPlace(null);
    }
  };
  const said = saidAt(props, place?.at ?? 0);
  return (
    <div className="plot-frame">
      <div
        ref={box}
        className={props.onPick ? 'plot plot-picked' : 'plot'}
        role="slider"
        tabIndex={0}
        aria-label={`${title}: values, by arrow keys`}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, ats.length - 1)}
        aria-valuenow={place?.at ?? 0}
        aria-valuetext={said}
        onKeyDown={press}
        onBlur={() => setPlace(null)}
        onClick={() => place && props.onPick && !isSelected(plot.current) && props.onPick(place.at)}
      />
      {place && (
        <Tip
          place={place}
          width={box.current?.clientWidth ?? 0}
          head={texts.point(ats[place.at] ?? '')}
          lines={linesAt(props, place.at)}
          marks={marked[place.at] ?? []}
        />
      )}
    </div>
  );
}

interface TipLine {
  label: string;
  text: string;
  color: number;
}

interface TipProps {
  place: Place;
  width: number;
  head: string;
  lines: readonly TipLine[];
  marks: readonly string[];
}

const TIP_AWAY_PX = 12;

/** Beside the place, on the side where there is room. */
function Tip({ place, width, head, lines, marks }: TipProps): ReactNode {
  const tip = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const isRight = place.left > width / 2;
    const away = (pixels: number): string => `${Math.round(pixels) + TIP_AWAY_PX}px`;
    tip.current?.style.setProperty('left', isRight ? 'auto' : away(place.left));
    tip.current?.style.setProperty('right', isRight ? away(width - place.left) : 'auto');
  }, [place.left, width]);
  return (
    <div ref={tip} className="chart-tip" aria-hidden="true">
      <p className="chart-tip-head">
        <bdi>{head}</bdi>
      </p>
      <dl>
        {lines.map(({ label, text, color }) => (
          <div key={label}>
            <dt>
              <span className={`swatch series-${color}`} />
              <bdi>{label}</bdi>
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      {marks.map((text) => (
        <p key={text} className="chart-tip-mark">
          <bdi>{text}</bdi>
        </p>
      ))}
    </div>
  );
}

function linesAt({ labels, values, colors, shape, texts }: PlotProps, at: number): TipLine[] {
  const whole = shape === 'shares' ? wholesOf(values)[at] : undefined;
  return labels.map((label, nth) => {
    const value = values[nth]?.[at] ?? null;
    const share =
      whole !== undefined && whole > 0 && value !== null
        ? ` (${Math.round((value / whole) * 100)}%)`
        : '';
    const text = value === null ? '–' : `${texts.value(value)}${share}`;
    return { label, text, color: colors[nth] ?? 1 };
  });
}

const saidAt = (props: PlotProps, at: number): string => {
  const said = linesAt(props, at).map(({ label, text }) => `${label} ${text}`);
  const marks = props.marked[at] ?? [];
  return [`${props.texts.point(props.ats[at] ?? '')}: ${said.join(', ')}`, ...marks].join('. ');
};

function rangeOf({ ats, onRange }: PlotProps, from: number, to: number): void {
  const [first, last] = [ats[from], ats[to]];
  if (first !== undefined && last !== undefined) onRange?.(first, last);
}

function movedTo(key: string, at: number | null, count: number): number | null {
  const to: Record<string, number> = {
    ArrowRight: at === null ? 0 : at + 1,
    ArrowLeft: at === null ? count - 1 : at - 1,
    Home: 0,
    End: count - 1,
  };
  const next = to[key];
  if (next === undefined || count === 0) return null;
  return Math.min(count - 1, Math.max(0, next));
}

/** Pixels from the left edge of the box. */
const leftOf = (chart: UPlot, at: number): number =>
  chart.valToPos(at, 'x') + chart.bbox.left / devicePixelRatio;

/** Marks the points from one to the other; null: none. */
function select(chart: UPlot, from: number | null, to: number): void {
  const height = from === null ? 0 : chart.bbox.height / devicePixelRatio;
  const first = from === null ? 0 : chart.valToPos(Math.min(from, to) - 0.5, 'x');
  const width = from === null ? 0 : chart.valToPos(Math.max(from, to) + 0.5, 'x') - first;
  chart.setSelect({ left: first, top: 0, width, height }, false);
}

const isSelected = (chart: UPlot | null): boolean => (chart?.select.width ?? 0) > 0;

function paletteOf(element: HTMLElement): Palette {
  const style = getComputedStyle(element);
  const color = (name: string): string => style.getPropertyValue(name).trim();
  const series = Array.from({ length: 8 }, (_, nth) => color(`--series-${nth + 1}`));
  const known = series.filter((one) => one !== '');
  return {
    muted: color('--muted'),
    line: color('--line'),
    font: `12px ${style.fontFamily}`,
    series: known.length > 0 ? known : [color('--text')],
  };
}
