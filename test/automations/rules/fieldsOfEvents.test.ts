/** Fields of a lead that are named like values of its events. */
import { describe, expect, it } from '@jest/globals';
import {
  buildEventRow,
  eventColumns,
  isEventColumn,
} from '../../../src/automations/rules/eventRow.js';
import { matchesAutomation } from '../../../src/automations/rules/matchesAutomation.js';
import { leadData } from '../../../src/events/rules/leadData.js';
import type { Fields, Scalar } from '../../../src/fields/values.js';
import { aLead } from '../../support/storedRows.js';

const FACTS = {
  status: 'ACCEPTED',
  outcome: 'converted',
  buyer_id: 'buyer',
  price: 25_000_000,
  revenue: 25_000_000,
  cost: 10_000_000,
} as unknown as Parameters<typeof leadData>[1];

const dataOf = (fields: Fields) => leadData(aLead({ _id: 'lead', fields, is_test: false }), FACTS);
const VALUES = Object.entries(dataOf({})).filter(
  (entry): entry is [string, Scalar] => typeof entry[1] !== 'object',
);

const ZONE = { now: new Date('2026-11-21T23:30:00Z'), timeZone: 'America/Los_Angeles' };

const matches = (name: string, value: Scalar, fields: Fields): boolean =>
  matchesAutomation(
    {
      trigger: 'lead.accepted',
      campaign_id: null,
      conditions: { all: [{ id: 'f1', field: name, operator: '==', value }] },
    },
    { type: 'lead.accepted', campaign_id: 'campaign', awaited_by: null, fields },
    ZONE,
  );

describe('a condition on a mapped field', () => {
  it('is tried by each value of an event', () => {
    expect(VALUES.map(([name]) => name)).toEqual(
      expect.arrayContaining([
        'status',
        'outcome',
        'price',
        'revenue',
        'cost',
        'profit',
        'is_test',
      ]),
    );
  });

  it.each(VALUES)('compares the value of the lead, not that of the event: %s', (name, ofEvent) => {
    expect(matches(name, 'of the lead', { [name]: 'of the lead' })).toBe(true);
    expect(matches(name, ofEvent, { [name]: 'of the lead' })).toBe(false);
    // A lead without the field has no such value: that of the event does not stand in.
    expect(matches(name, ofEvent, {})).toBe(false);
  });
});

describe('a row of a sheet', () => {
  it.each(VALUES)(
    'has the value of the event under %s, and the field of the lead beside it',
    (name, ofEvent) => {
      const columns = eventColumns('lead.accepted', ['hobby', name]);
      expect(columns.slice(-2)).toEqual(['hobby', `fields.${name}`]);
      expect(new Set(columns).size).toBe(columns.length);
      const data = dataOf({ hobby: 'chess', [name]: 'of the lead' });
      const event = {
        id: 'evt_1',
        type: 'lead.accepted',
        created_at: '2026-11-21T23:30:00Z',
        data,
      } as const;
      expect(buildEventRow(event, [name, `fields.${name}`, 'hobby', 'fields.hobby'])).toEqual([
        'evt_1',
        ofEvent,
        'of the lead',
        'chess',
        'chess',
      ]);
    },
  );

  it('takes fields of the mapping alone behind fields.', () => {
    const known = (name: string) => isEventColumn(name, 'lead.accepted', ['hobby', 'status']);
    expect(['fields.hobby', 'fields.status', 'hobby', 'status'].map(known)).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect(['fields.', 'fields.other', 'fields.price'].map(known)).toEqual([false, false, false]);
    expect(isEventColumn('fields.hobby', 'buyer.paused', ['hobby'])).toBe(false);
  });
});
