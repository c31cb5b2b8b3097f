/** Stored header values stay with the origin that they were set for. Pure. */
import { describe, expect, it } from '@jest/globals';
import { checkBuyerPing } from '../../../src/account/buyers/buyerPing.js';
import { checkDelivery, type DeliveryInput } from '../../../src/account/buyers/delivery.js';
import { isSameOrigin } from '../../../src/account/buyers/delivery/headers.js';
import { checkOverrides, mergeDelivery } from '../../../src/account/links/deliveryOverrides.js';
import { AppError } from '../../../src/lib/errors.js';
import { everything } from './deliveryProblems.js';

const URL = 'https://buyer.example/leads';
const THEIRS = 'https://thief.example/leads';
const OWN = checkDelivery({ url: URL, headers: { 'X-Key': 'one' } }, everything);

const faultsOf = (run: () => unknown): [string, string][] => {
  try {
    run();
    return [];
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return (error.extras.field_errors ?? []).map(({ field, code }) => [field, code]);
  }
};
const ANEW = [['delivery.headers', 'required']];

describe('an origin', () => {
  it.each([
    ['https://buyer.example:443/other?a=1#b', true],
    ['HTTPS://BUYER.example', true],
    ['https://user:word@buyer.example/', true],
    ['http://buyer.example/leads', false],
    ['https://buyer.example:8443/leads', false],
    ['https://buyer.example./leads', false],
    ['https://a.buyer.example/leads', false],
    ['https://buyer.example@thief.example/', false],
    ['https:\\\\thief.example/', false],
    ['no address', false],
    [null, false],
  ])('of %j is that of https://buyer.example/leads: %s', (other, isSame) => {
    expect(isSameOrigin(URL, other)).toBe(isSame);
  });

  it('does not exist without a host', () => {
    expect(isSameOrigin('data:text/plain,a', 'data:text/plain,b')).toBe(false);
    expect(isSameOrigin(undefined, 'no address')).toBe(false);
  });
});

describe('a delivery or ping that moves to another origin', () => {
  it('keeps no header, whether it is left out or sent back hidden', () => {
    const to = (input: DeliveryInput) => () => checkDelivery(input, everything, OWN);
    expect(faultsOf(to({ url: THEIRS }))).toEqual(ANEW);
    expect(faultsOf(to({ url: THEIRS, headers: { 'x-key': '[hidden]' } }))).toEqual(ANEW);
    const ping = checkBuyerPing({ url: URL, headers: { 'X-Key': 'one' } }, everything);
    expect(faultsOf(() => checkBuyerPing({ url: THEIRS }, everything, ping))).toEqual([
      ['ping.headers', 'required'],
    ]);
  });

  it('accepts headers that are given again, or none', () => {
    const choices: DeliveryInput['headers'][] = [{ 'X-Key': 'two' }, {}, null];
    for (const headers of choices) {
      const moved = checkDelivery({ url: THEIRS, headers }, everything, OWN);
      expect(moved).toMatchObject({ url: THEIRS, headers: headers ?? {} });
    }
    const plain = checkDelivery({ url: URL }, everything);
    expect(checkDelivery({ url: THEIRS }, everything, plain)).toMatchObject({ url: THEIRS });
  });

  it('has no headers left after another method', () => {
    const mail = checkDelivery({ method: 'EMAIL', to: 'a@b.example' }, everything, OWN);
    const back = { method: 'WEBHOOK', url: THEIRS } as const;
    expect(checkDelivery(back, everything, mail)).toMatchObject({ headers: {} });
    const hidden = { ...back, headers: { 'X-Key': '[hidden]' } };
    expect(faultsOf(() => checkDelivery(hidden, everything, mail))).toEqual(ANEW);
  });
});

describe('overrides of a delivery', () => {
  const over = (input: DeliveryInput, current: Parameters<typeof checkOverrides>[3] = null) =>
    checkOverrides(input, everything, OWN, current);

  it("at another origin have their own headers, and never the buyer's", () => {
    expect(faultsOf(() => over({ url: THEIRS }))).toEqual(ANEW);
    expect(faultsOf(() => over({ url: THEIRS, headers: { 'X-Key': '[hidden]' } }))).toEqual(ANEW);
    const said = over({ url: THEIRS, headers: {} });
    expect(said).toEqual({ method: 'WEBHOOK', url: THEIRS, headers: {} });
    expect(faultsOf(() => over({ headers: { 'X-Key': '[hidden]' } }, said))).toEqual(ANEW);
  });

  it("of an earlier release that name an address alone get none of the buyer's headers there", () => {
    expect(mergeDelivery(OWN, { method: 'WEBHOOK', url: THEIRS })).toMatchObject({ headers: {} });
    const near = `${URL}/auto`;
    expect(mergeDelivery(OWN, { method: 'WEBHOOK', url: near })).toMatchObject({
      url: near,
      headers: { 'X-Key': 'one' },
    });
  });

  it("send no override header to the buyer's address, and keep none for it", () => {
    const current = over({ url: THEIRS, headers: { 'X-Key': 'theirs' } });
    expect(faultsOf(() => over({ url: null }, current))).toEqual(ANEW);
    expect(over({ url: null, headers: null }, current)).toBeNull();
    expect(over({ timeout_ms: 700 }, current)).toMatchObject({ headers: { 'X-Key': 'theirs' } });
    expect(faultsOf(() => over({ url: 'https://third.example/' }, current))).toEqual(ANEW);
  });
});
