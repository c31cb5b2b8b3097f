import { describe, expect, it } from '@jest/globals';
import { AppError } from '../../../src/lib/errors.js';
import { readCriteria } from '../../../src/ingest/lookup/criteria.js';

const ID = '0b0e7a4e-6f57-4f0b-9d5e-0d2c5f6a7b8c';
const CAMPAIGN = '11111111-2222-3333-4444-555555555555';
const read = (query: string) => readCriteria(new URLSearchParams(query));

function errorsOf(query: string): unknown {
  try {
    return read(query);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    expect(error).toMatchObject({
      code: 'validation_failed',
      message: 'The lookup does not name a lead',
    });
    return error.extras.field_errors?.map(({ field, code, message }) => [field, code, message]);
  }
}

describe('readCriteria', () => {
  it.each([
    [`id=${ID}`, { id: ID }],
    [`id=%20${ID.toUpperCase()}&other=x&phone=`, { id: ID }],
    [`id=${ID}&campaign_id=${CAMPAIGN}`, { id: ID, campaign_id: CAMPAIGN }],
    [
      `phone=(555)%20123-4567&campaign_id=${CAMPAIGN}`,
      { keys: ['phone:+15551234567'], campaign_id: CAMPAIGN },
    ],
    [
      `phone=+15551234567&campaign_id=${CAMPAIGN}`,
      { keys: ['phone:+15551234567'], campaign_id: CAMPAIGN },
    ],
    [
      `email=Ada+leads@Example.com&campaign_id=${CAMPAIGN}`,
      { keys: ['email:ada+leads@example.com'], campaign_id: CAMPAIGN },
    ],
    [
      `email=ada%2Bleads@example.com&campaign_id=${CAMPAIGN}`,
      { keys: ['email:ada+leads@example.com'], campaign_id: CAMPAIGN },
    ],
  ])('reads %s', (query, criteria) => {
    expect(read(query)).toEqual(criteria);
  });

  it.each([
    ['', [['id', 'required', 'id is required, or phone or email with campaign_id']]],
    ['id=7', [['id', 'invalid_format', 'id must be the id of a lead as you received it']]],
    [`id=${ID}&id=${ID}`, [['id', 'invalid_type', 'id must be given once']]],
    ['phone=5551234567', [['campaign_id', 'required', 'campaign_id is required with phone']]],
    [
      'phone=123&campaign_id=x',
      [
        ['phone', 'invalid_format', 'phone must be a phone number of 10-15 digits'],
        [
          'campaign_id',
          'invalid_format',
          'campaign_id must be the id of a campaign as you received it',
        ],
      ],
    ],
    [
      `email=nobody&phone=5551234567&campaign_id=${CAMPAIGN}`,
      [['email', 'not_allowed', 'email must not be given with phone: name the lead in one way']],
    ],
    [
      `email=nobody&campaign_id=${CAMPAIGN}`,
      [['email', 'invalid_format', 'email must be an email address such as name@example.com']],
    ],
  ])('refuses %j and names what is wrong', (query, errors) => {
    expect(errorsOf(query)).toEqual(errors);
  });
});
