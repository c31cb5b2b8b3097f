/** An event as people read it: time, kind, lead, and its state. */
import { visible } from '../output/cells.js';
import { isRow, type Row } from '../output/rows.js';
import type { Terminal } from '../terminal/terminal.js';
import { getOwn } from '../../src/lib/getOwn.js';

/** In this order; absent ones are left out. */
const TOLD = ['status', 'outcome', 'reason', 'buyer_id', 'campaign_id', 'revenue', 'count'];

export function eventLine(event: Row, paint: Terminal['paint']): string {
  const data = isRow(event.data) ? event.data : {};
  const facts = { ...data, ...(isRow(data.lead) ? data.lead : {}) };
  const told = TOLD.flatMap((key) => {
    const value: unknown = getOwn(facts, key);
    const isThere = value !== undefined && value !== null;
    return isThere
      ? [`${key} ${visible(typeof value === 'string' ? value : JSON.stringify(value))}`]
      : [];
  });
  const lead = typeof event.lead_id === 'string' ? `lead ${event.lead_id}` : '';
  return [
    String(event.created_at),
    paint.bold(String(event.type).padEnd(15)),
    ...[lead, ...told].filter((part) => part !== ''),
    ...(facts.is_test === true ? [paint.dim('test')] : []),
  ].join('  ');
}
