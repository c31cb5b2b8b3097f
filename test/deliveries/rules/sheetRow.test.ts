import { describe, expect, it } from '@jest/globals';
import { buildRow, rangeOf, readSheetReply } from '../../../src/deliveries/rules/sheetRow.js';
import type { DeliverySettings } from '../../../src/account/rules/deliverySettings.js';
import { aBuyer, aLead, commonDelivery } from '../../support/builders.js';

const sheet = (
  overrides: Partial<DeliverySettings<'GOOGLE_SHEET'>> = {},
): DeliverySettings<'GOOGLE_SHEET'> => ({
  ...commonDelivery,
  method: 'GOOGLE_SHEET',
  spreadsheet_id: 'a-sheet-of-the-buyer',
  sheet: null,
  columns: null,
  ...overrides,
});
const now = new Date('2026-11-21T12:00:00Z');

describe('a row', () => {
  const lead = aLead({ fields: { first_name: 'Ada', age: 41 }, extra: { utm: 'x' } });
  it('begins with the id and follows the mapping, absent fields left empty', () => {
    expect(buildRow(lead, aBuyer(), sheet(), ['first_name', 'nickname', 'age'])).toEqual([
      'l1',
      '2026-11-21T12:00:00.000Z',
      false,
      'Ada',
      '',
      41,
    ]);
  });

  it('has the configured columns, with the id always first', () => {
    const columns = ['age', 'lead_id', 'extra.utm', 'price'];
    expect(buildRow(lead, aBuyer(), sheet({ columns }), [])).toEqual(['l1', 41, 'x', 25]);
  });

  it('keeps to the limits of a cell', () => {
    const long = aLead({ fields: { first_name: 'x'.repeat(60_000) } });
    const [, cell] = buildRow(long, aBuyer(), sheet({ columns: ['first_name'] }), []);
    expect(String(cell)).toHaveLength(50_000);
  });

  it('goes to the first sheet or the one named', () => {
    expect(rangeOf(sheet())).toBe('A1');
    expect(rangeOf(sheet({ sheet: "Ada's leads" }))).toBe("'Ada''s leads'!A1");
  });
});

describe('the answer of a sheet', () => {
  const answered = (status: number, body = '', headers: Record<string, string> = {}) =>
    readSheetReply({ kind: 'answered', status, headers, body }, now);

  it('is an acceptance with the position of the row', () => {
    expect(answered(200, '{"updates":{"updatedRange":"Leads!A7:F7"}}')).toEqual({
      result: 'accepted',
      reason: 'The row was written',
      http_status: 200,
      reference: 'Leads!A7:F7',
    });
    expect(answered(200, 'garbage').result).toBe('accepted');
  });

  it.each([400, 401, 403, 404, 408, 429])('keeps the lead waiting when it is %d', (status) => {
    const said = answered(status, '{"error":{"message":"The caller\\nmay not"}}', {
      'retry-after': '7',
    });
    expect(said).toMatchObject({
      result: 'not_taken',
      reason: `Google Sheets answered ${status}: The caller may not`,
    });
    expect(said.retry_after_ms).toBe([408, 429].includes(status) ? 7_000 : undefined);
  });

  it.each([500, 502, 503, 504])('is unknown when it is %d', (status) => {
    expect(answered(status, '{"error":{"message":"Try again"}}')).toMatchObject({
      result: 'unknown',
      http_status: status,
      reason: `Google Sheets answered ${status}: Try again`,
    });
  });

  it('is unknown when there is none', () => {
    expect(readSheetReply({ kind: 'no_answer', reason: 'reset' }, now).result).toBe('unknown');
    expect(readSheetReply({ kind: 'not_sent', reason: 'refused' }, now).result).toBe('not_taken');
  });
});
