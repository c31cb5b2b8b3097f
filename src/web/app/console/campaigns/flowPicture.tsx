/** The way of a campaign's leads as a picture: suppliers, checks, buyers; as lists where it is narrow. */
import type { ReactNode, RefCallback } from 'react';
import { Link } from 'wouter';
import { useFormats } from '../../lib/format.js';
import { Table } from '../../ui/index.js';
import './flow.css';
import { layOut, outlineOf, type FlowLayout, type PlacedBand } from './flowLayout.js';
import { flowModel, type Flow, type FlowNode } from './flowModel.js';

const COLUMNS = ['Suppliers', 'Checks', 'Buyers'] as const;

interface FlowPictureProps {
  flow: Flow;
  /** The list of leads of these days, with these filters. */
  leadsHref(filters: Record<string, string>): string;
}

export function FlowPicture({ flow, leadsHref }: FlowPictureProps): ReactNode {
  const formats = useFormats();
  const model = flowModel(flow, leadsHref, formats);
  const layout = layOut(model);
  const keys = model.columns.map((column) => new Set(column.map(({ key }) => key)));
  const between = (at: number): PlacedBand[] =>
    layout.bands.filter(({ from, to }) => keys[at]?.has(from) && keys[at + 1]?.has(to));
  return (
    <figure className="flow">
      <figcaption className="hidden">Leads from suppliers past the checks to buyers</figcaption>
      <div className="flow-columns">
        {model.columns.map((column, at) => (
          <FlowColumn key={COLUMNS[at]} title={COLUMNS[at] ?? ''} nodes={column} layout={layout}>
            {at > 0 && <Bands bands={between(at - 1)} height={layout.height} />}
          </FlowColumn>
        ))}
      </div>
      <details className="flow-table">
        <summary>View as table</summary>
        <NodeTable nodes={model.columns.flat()} columnOf={(key) => columnOf(keys, key)} />
      </details>
    </figure>
  );
}

const columnOf = (keys: readonly ReadonlySet<string>[], key: string): string =>
  COLUMNS[keys.findIndex((one) => one.has(key))] ?? '';

/** Sizes of an element in pixels, for the style sheet. */
const placing =
  (sizes: Record<`--${string}`, number>): RefCallback<HTMLElement> =>
  (element) => {
    for (const [name, pixels] of Object.entries(sizes))
      element?.style.setProperty(name, `${pixels}px`);
  };

interface FlowColumnProps {
  title: string;
  nodes: readonly FlowNode[];
  layout: FlowLayout;
  /** What leads here, left of it. */
  children: ReactNode;
}

function FlowColumn({ title, nodes, layout, children }: FlowColumnProps): ReactNode {
  return (
    <>
      {children}
      <section className="flow-column">
        <h3>{title}</h3>
        <ul ref={placing({ '--flow-height': layout.height })}>
          {nodes.map((node) => {
            const { top = 0, height = 0 } = layout.nodes.get(node.key) ?? {};
            const place = placing({ '--flow-top': top, '--flow-node': height });
            return (
              <li key={node.key} className={`flow-node ${node.tone}`} ref={place}>
                <Node node={node} />
              </li>
            );
          })}
        </ul>
      </section>
    </>
  );
}

function Node({ node }: { node: FlowNode }): ReactNode {
  const { number } = useFormats();
  const { label, leads, share, detail, href } = node;
  const content = (
    <>
      <span className="flow-name">
        <bdi title={label}>{label}</bdi>
        <b>{number(leads)}</b>
      </span>
      <span className="flow-detail">
        <span title={detail}>{detail}</span>
        <span>{share}%</span>
      </span>
    </>
  );
  return href === undefined ? (
    <div className="flow-link">{content}</div>
  ) : (
    <Link href={href} className="flow-link">
      {content}
    </Link>
  );
}

interface BandsProps {
  bands: readonly PlacedBand[];
  height: number;
}

/** What is seen at once is read in the lists beside it. */
const Bands = ({ bands, height }: BandsProps): ReactNode => (
  <svg
    className="flow-bands"
    viewBox={`0 0 100 ${height}`}
    preserveAspectRatio="none"
    height={height}
    aria-hidden="true"
  >
    {bands.map((band) => (
      <path key={`${band.from} ${band.to}`} className={band.tone} d={outlineOf(band)} />
    ))}
  </svg>
);

interface NodeTableProps {
  nodes: readonly FlowNode[];
  columnOf(key: string): string;
}

function NodeTable({ nodes, columnOf: columnName }: NodeTableProps): ReactNode {
  const { number } = useFormats();
  return (
    <Table
      caption="Leads by supplier, check and buyer"
      rows={nodes}
      rowKey={({ key }) => key}
      empty={null}
      columns={[
        { header: 'Part', cell: ({ key }) => columnName(key) },
        { header: 'Name', cell: ({ label }) => <bdi>{label}</bdi> },
        { header: 'Leads', isNumber: true, cell: ({ leads }) => number(leads) },
        { header: 'Share of leads', isNumber: true, cell: ({ share }) => `${share}%` },
        { header: 'Detail', cell: ({ detail }) => detail ?? '–' },
      ]}
    />
  );
}
