import { describe, expect, it } from '@jest/globals';
import { readWantedEvents } from '../../../cli/feeds/wantedEvents.js';

const TYPES = ['lead.created', 'lead.outcome', 'buyer.paused'];
const event = (type: string, data: object, lead_id: string | null = null) => ({
  type,
  lead_id,
  data,
});
const sold = event(
  'lead.outcome',
  { lead: { campaign_id: 'C', buyer_id: 'B', supplier_id: 'S' } },
  'L',
);
const paused = event('buyer.paused', { buyer_id: 'B', failures: 5 });

describe('the events that are followed', () => {
  it('are all of them without a condition', () => {
    const wanted = readWantedEvents({}, TYPES);
    expect(wanted.input).toEqual({});
    expect([sold, paused].map((one) => wanted.fits(one))).toEqual([true, true]);
  });

  it('are chosen by the server where it is one type or one lead', () => {
    const { input } = readWantedEvents({ type: 'lead.outcome', leadId: 'L', buyerId: 'B' }, TYPES);
    expect(input).toEqual({ type: 'lead.outcome', lead_id: 'L' });
  });

  it.each([
    [{ type: 'lead.created,buyer.paused' }, [false, true]],
    [{ leadId: 'L,M' }, [true, false]],
    // Of the lead of an event, or of the event itself.
    [{ buyerId: 'B' }, [true, true]],
    [{ buyerId: 'A, B', campaignId: 'C' }, [true, false]],
    [{ supplierId: 'T' }, [false, false]],
  ])('by %j, where a comma means or and several flags mean and', (typed, expected) => {
    const wanted = readWantedEvents(typed, TYPES);
    expect([sold, paused].map((one) => wanted.fits(one))).toEqual(expected);
  });
});
