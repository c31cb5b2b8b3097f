/** The partner whose portal an action is about. */
import type { Scope } from '../../people/types.js';
import type { Party } from '../../portal/settings.js';
import { id } from './schemas/common.js';
import { invalidField } from './readInput.js';

export const partyInput = {
  buyer_id: id('buyer').optional().describe('The buyer whose portal it is'),
  supplier_id: id('supplier').optional().describe('The supplier whose portal it is'),
};

interface PartyGiven {
  buyer_id?: string;
  supplier_id?: string;
}

/**
 * The named partner; undefined without one.
 * @throws {AppError} `invalid_input` where two are named
 */
export function partyGiven({ buyer_id, supplier_id }: PartyGiven): Party | undefined {
  if (buyer_id !== undefined && supplier_id !== undefined)
    throw invalidField('supplier_id', 'not_allowed', 'Give buyer_id or supplier_id, not both.');
  if (buyer_id !== undefined) return { side: 'buyer', party_id: buyer_id };
  return supplier_id === undefined ? undefined : { side: 'supplier', party_id: supplier_id };
}

/** @throws {AppError} `invalid_input` unless exactly one is named */
export function requiredParty(given: PartyGiven): Party {
  const party = partyGiven(given);
  if (party) return party;
  throw invalidField('buyer_id', 'required', 'Give buyer_id or supplier_id.');
}

export const scopeOf = ({ side, party_id }: Party): Scope =>
  side === 'buyer'
    ? { kind: 'buyer', buyer_id: party_id }
    : { kind: 'supplier', supplier_id: party_id };
