import { describe, expect, it } from '@jest/globals';
import { SYSTEM_FIELDS } from '../../../src/fields/mapping.js';
import { buildPing } from '../../../src/pings/rules/pingRequest.js';
import { aField, someFields } from '../../support/builders.js';

const rules = [
  ...SYSTEM_FIELDS.map((rule) => (rule.name === 'state' ? { ...rule, ping_required: true } : rule)),
  aField({ name: 'age', type: 'Number', ping_required: true }),
  aField({ name: 'case_type' }),
];
const built = (
  fields = someFields(),
  own: { fields?: string[]; headers?: Record<string, string> } = {},
) =>
  buildPing({ ping_id: 'p1', campaign_id: 'c1', is_test: false, fields }, rules, {
    url: 'https://buyer.example/ping',
    fields: [],
    headers: {},
    ...own,
  });

describe('the request to a buyer', () => {
  it('has the fields that every ping must have, and nothing else', () => {
    const { url, headers, body } = built(someFields({ age: 41, case_type: 'auto' }));
    expect(url).toBe('https://buyer.example/ping');
    expect(headers).toEqual({ 'content-type': 'application/json', 'x-ping-id': 'p1' });
    expect(body).toBe('{"ping_id":"p1","campaign_id":"c1","is_test":false,"state":"TX","age":41}');
  });

  it('has the received fields that its ping settings name', () => {
    const { body } = built(someFields(), { fields: ['case_type', 'phone', 'state'] });
    expect(JSON.parse(body)).toEqual({
      ping_id: 'p1',
      campaign_id: 'c1',
      is_test: false,
      state: 'TX',
      phone: '+15551234567',
    });
  });

  it('uses the field names of the ping', () => {
    const fields = { ping_id: 'mine', is_test: true, state: 'TX', constructor: 'x' };
    const { body } = built(fields, { fields: ['ping_id', 'is_test', 'toString'] });
    expect(body).toBe('{"ping_id":"p1","campaign_id":"c1","is_test":false,"state":"TX"}');
  });

  it('has headers of the buyer in addition to ours, never instead', () => {
    const headers = {
      'X-Api-Key': 'k',
      'X-Ping-Id': 'x',
      'X-LeadDistro-Signature': 'x',
      Host: 'x',
    };
    expect(built(someFields(), { headers }).headers).toEqual({
      'x-api-key': 'k',
      'content-type': 'application/json',
      'x-ping-id': 'p1',
    });
  });
});
