/** The nodes of the flow picture: suppliers, checks, buyers, with what each is worth and where it leads. */
import type { OutputOf } from '../../lib/actionTypes.js';

/** What get_flow answers. */
export type Flow = OutputOf<'get_flow'>;

export interface FlowNode {
  key: string;
  label: string;
  /** Leads, and their share of all, in percent. */
  leads: number;
  share: number;
  /** Under the number: money, or what it is made of. */
  detail?: string;
  href?: string;
  tone: 'plain' | 'good' | 'wait' | 'lost';
}

/** Leads that go from one node to another. */
export interface FlowBand {
  from: string;
  to: string;
  leads: number;
  tone: FlowNode['tone'];
}

export interface FlowModel {
  columns: readonly [suppliers: FlowNode[], checks: FlowNode[], results: FlowNode[]];
  bands: FlowBand[];
}

/** Nodes of a column that are drawn; the others are one. */
const SUPPLIERS_MAX = 7;
const BUYERS_MAX = 7;

const CHECK_NAMES: Readonly<Record<Flow['checks'][number]['check'], string>> = {
  bots: 'Suspected bots',
  filters: 'Campaign filters',
  suppression: 'Suppression lists',
  duplicates: 'Duplicates',
  supplier_caps: 'Caps of suppliers',
};

interface Texts {
  number(value: number): string;
  money(amount: number): string;
}

/** @param leadsHref the list of leads with these filters */
export function flowModel(
  flow: Flow,
  leadsHref: (filters: Record<string, string>) => string,
  texts: Texts,
): FlowModel {
  const suppliers = supplierNodes(flow, leadsHref);
  const checks = checkNodes(flow, leadsHref, texts);
  const results = resultNodes(flow, leadsHref, texts);
  return {
    columns: [suppliers.map(({ node }) => node), checks, results],
    bands: [
      ...suppliers.flatMap(({ node, refused, duplicate }) => bandsOf(node, { refused, duplicate })),
      ...results.map(({ key, tone }): FlowBand => ({
        from: 'routed',
        to: key,
        leads: takenOf(key, flow, results),
        tone,
      })),
    ].filter(({ leads }) => leads > 0),
  };
}

interface SupplierNode {
  node: FlowNode;
  refused: number;
  duplicate: number;
}

function supplierNodes(
  { suppliers, total }: Flow,
  leadsHref: (filters: Record<string, string>) => string,
): SupplierNode[] {
  const shown = suppliers.slice(0, SUPPLIERS_MAX);
  const rest = suppliers.slice(SUPPLIERS_MAX);
  const sum = (key: 'total_leads' | 'rejected' | 'duplicate', among = suppliers): number =>
    among.reduce((all, one) => all + one[key], 0);
  // Those that the answer does not list are what the listed ones lack.
  const others = total.total_leads - sum('total_leads', shown);
  const list = shown.map((one): SupplierNode => ({
    node: {
      key: one.supplier_id,
      label: one.supplier_name ?? one.supplier_id,
      leads: one.total_leads,
      share: one.share_pct,
      detail: `${one.acceptance_pct}% accepted`,
      href: leadsHref({ supplier_id: one.supplier_id }),
      tone: 'plain',
    },
    refused: one.rejected,
    duplicate: one.duplicate,
  }));
  if (others <= 0) return list;
  const node: FlowNode = {
    key: 'other-suppliers',
    label: rest.length > 0 ? `${rest.length} more suppliers` : 'More suppliers',
    leads: others,
    share: percent(others, total.total_leads),
    tone: 'plain',
  };
  const refused = total.rejected - sum('rejected', shown);
  return [...list, { node, refused, duplicate: total.duplicate - sum('duplicate', shown) }];
}

const bandsOf = (
  { key, leads }: FlowNode,
  { refused, duplicate }: Pick<SupplierNode, 'refused' | 'duplicate'>,
): FlowBand[] => [
  { from: key, to: 'routed', leads: leads - refused - duplicate, tone: 'plain' },
  { from: key, to: 'duplicates', leads: duplicate, tone: 'lost' },
  { from: key, to: 'refused', leads: refused, tone: 'lost' },
];

function checkNodes(
  { checks, routed, total }: Flow,
  leadsHref: (filters: Record<string, string>) => string,
  { number }: Texts,
): FlowNode[] {
  const passed: FlowNode = {
    key: 'routed',
    label: 'Passed every check',
    leads: routed,
    share: percent(routed, total.total_leads),
    detail: 'offered to buyers',
    href: leadsHref({}),
    tone: 'plain',
  };
  const refusing = checks.filter(({ check, leads }) => check !== 'duplicates' && leads > 0);
  const of = (key: string, label: string, leads: number, filters: Record<string, string>) =>
    ({
      key,
      label,
      leads,
      share: percent(leads, total.total_leads),
      href: leadsHref(filters),
      tone: 'lost',
    }) satisfies FlowNode;
  const refused = {
    ...of('refused', 'Refused by checks', total.rejected, { status: 'REJECTED' }),
    detail: refusing
      .map(({ check, leads }) => `${CHECK_NAMES[check]} ${number(leads)}`)
      .join(' · '),
  };
  const duplicates = of('duplicates', 'Duplicates', total.duplicate, { status: 'DUPLICATE' });
  return [passed, duplicates, refused].filter(({ key, leads }) => key === 'routed' || leads > 0);
}

function resultNodes(
  { buyers, more, total, reasons }: Flow,
  leadsHref: (filters: Record<string, string>) => string,
  { number, money }: Texts,
): FlowNode[] {
  const shown = buyers.slice(0, BUYERS_MAX);
  const others = total.sales - shown.reduce((all, { sales }) => all + sales, 0);
  const bought = shown.map((one): FlowNode => ({
    key: one.buyer_id,
    label: one.buyer_name ?? one.buyer_id,
    leads: one.sales,
    share: one.share_pct,
    detail: money(one.revenue),
    href: `/buyers/${encodeURIComponent(one.buyer_id)}`,
    tone: 'good',
  }));
  const of = (
    key: string,
    label: string,
    leads: number,
    { tone, status, detail }: Pick<FlowNode, 'tone' | 'detail'> & { status?: string },
  ): FlowNode => ({
    key,
    label,
    leads,
    share: percent(leads, total.total_leads),
    detail,
    href: status === undefined ? undefined : leadsHref({ status }),
    tone,
  });
  const [top] = reasons.filter(({ status }) => status === 'UNMATCHED');
  const rest = buyers.length - shown.length + more.buyers;
  return [
    ...bought,
    of('other-buyers', `${number(rest)} more buyers`, others, { tone: 'good' }),
    of('waiting', 'Waiting for a buyer', total.pending, { tone: 'wait', status: 'PENDING' }),
    of('unmatched', 'No buyer', total.unmatched, {
      tone: 'lost',
      status: 'UNMATCHED',
      detail: top && `mostly: ${top.text}`,
    }),
    of('expired', 'Expired', total.expired, { tone: 'lost', status: 'EXPIRED' }),
  ].filter(({ leads }) => leads > 0);
}

/** A lead that several buyers bought goes to each of them in part, so that the bands add up to the leads. */
function takenOf(key: string, { total }: Flow, results: readonly FlowNode[]): number {
  const node = results.find((one) => one.key === key);
  if (!node || node.tone !== 'good') return node?.leads ?? 0;
  return total.sales === 0 ? 0 : (node.leads / total.sales) * total.accepted;
}

const percent = (part: number, whole: number): number =>
  whole === 0 ? 0 : Math.round((part / whole) * 1_000) / 10;
