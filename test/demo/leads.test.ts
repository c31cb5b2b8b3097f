import { describe, expect, it } from '@jest/globals';
import { checkFilters } from '../../src/fields/checkFilters.js';
import { evaluateFilters } from '../../src/fields/filters.js';
import { SYSTEM_FIELDS } from '../../src/fields/mapping.js';
import { mapLead } from '../fields/mapLead.js';
import { demoLeads } from '../../src/demo/leads.js';
import { CAMPAIGNS } from '../../src/demo/terms.js';

const leads = demoLeads(79_999_999);

describe('the demo leads', () => {
  it('are 25, numbered from 1', () => {
    expect(leads.map((lead) => lead.n)).toEqual(
      Array.from({ length: 25 }, (_, index) => index + 1),
    );
  });

  it('have titles that fit their column', () => {
    expect(Math.max(...leads.map(({ title }) => title.length))).toBeLessThanOrEqual(26);
  });

  it('cover every kind of answer and every buyer', () => {
    const seen = leads.map(({ expected }) => expected.delivery ?? expected.answer);
    expect(new Set(seen)).toEqual(
      new Set(['ACCEPTED', 'UNMATCHED', 'DUPLICATE', 'validation_failed', 'filtered', 'pending']),
    );
    expect(new Set(leads.map(({ expected }) => expected.buyer))).toEqual(
      new Set(['premier', 'steady', 'open', null]),
    );
  });

  it('fail the field mapping exactly where that is expected', () => {
    const failing = leads.filter((lead) => !mapLead(lead.fields, SYSTEM_FIELDS).ok);
    expect(failing).toEqual(leads.filter(({ expected }) => expected.http === 400));
  });

  const context = { now: new Date('2026-11-21T12:00:00Z'), timeZone: 'UTC' };
  it('fail the inbound filters exactly where that is expected', () => {
    const failing = leads.filter((lead) => {
      const mapped = mapLead(lead.fields, SYSTEM_FIELDS);
      const filters = checkFilters(CAMPAIGNS[lead.campaign].filters, SYSTEM_FIELDS);
      if (!filters.ok) throw new Error(filters.problems.join());
      return mapped.ok && evaluateFilters(filters.value, mapped.fields, context).length > 0;
    });
    expect(failing).toEqual(leads.filter(({ expected }) => expected.http === 422));
  });

  it('repeat a phone or an email exactly where a duplicate is expected', () => {
    const seen = new Set<unknown>();
    const repeating = leads.filter(({ fields }) => {
      const mapped = mapLead(fields, SYSTEM_FIELDS);
      if (!mapped.ok) return false;
      const values = [mapped.fields.phone, mapped.fields.email];
      const known = values.some((value) => seen.has(value));
      values.forEach((value) => seen.add(value));
      return known;
    });
    expect(repeating).toEqual(leads.filter(({ expected }) => expected.answer === 'DUPLICATE'));
  });

  it('share no phone and no email with another run', () => {
    const values = (run: number) =>
      demoLeads(run).flatMap(({ fields }) => [fields.phone, fields.email]);
    const first = new Set(values(1).filter((value) => value !== undefined && value !== '555-0142'));
    expect(values(2).filter((value) => first.has(value))).toEqual([]);
  });

  it('are sent last when their buyer is down', () => {
    const outage = leads.map((lead) => lead.outage);
    expect(outage.slice(-2)).toEqual([true, true]);
    expect(outage.slice(0, -2)).not.toContain(true);
  });
});
