/**
 * Plans as they are stored. A list of zip codes takes 16 bytes a code in a document, and MongoDB takes at most 16 MiB:
 * long lists of a big plan are packed to about a byte a code. What is read back is the same to the last code.
 */
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { Binary, BSON } from 'mongodb';
import type { BuyerTerms, Plan } from '../rules/plan.js';
import type { ZipArea } from '../../fields/zips.js';

/** What a code takes in a document, about. */
const CODE_BYTES = 16;
/** Shorter lists gain little. */
const PACKED_FROM_CODES = 100;
/** Smaller plans are stored as they always were: releases that know no packed lists read them. */
const PACKED_FROM_BYTES = 1_048_576;
/** A list as it can be packed: nothing but five digits. */
const CODE = /^[0-9]{5}$/;

/** In the place of a list. */
interface PackedZips {
  packed: Binary;
}
type StoredTerms = Omit<BuyerTerms, 'zips'> & { zips: ZipArea | PackedZips | null };

/** The document of a plan. */
export function packPlan(plan: Plan): Plan {
  const codes = plan.buyers.reduce((sum, { zips }) => sum + (isLong(zips) ? zips.length : 0), 0);
  if (codes * CODE_BYTES < PACKED_FROM_BYTES) return plan;
  const buyers = plan.buyers.map((terms): StoredTerms => {
    const { zips } = terms;
    if (!isLong(zips) || !zips.every((zip) => CODE.test(zip))) return terms;
    return { ...terms, zips: { packed: new Binary(pack(zips)) } };
  });
  return { ...plan, buyers: buyers as BuyerTerms[] };
}

/** The plan of a document, of any age. */
export function unpackPlan(stored: Plan): Plan {
  const terms = stored.buyers as StoredTerms[];
  if (!terms.some(({ zips }) => isPacked(zips))) return stored;
  const buyers = terms.map((one) =>
    isPacked(one.zips) ? { ...one, zips: unpack(one.zips.packed) } : one,
  );
  return { ...stored, buyers: buyers as BuyerTerms[] };
}

/** The bytes that a plan takes as a document. */
export const storedBytes = (plan: Plan): number => BSON.calculateObjectSize(packPlan(plan));

/** About what a plan read from this document takes in memory, in the bytes of a document that packs nothing. */
export function unpackedBytes(stored: Plan, plan: Plan): number {
  const codes = plan.buyers.reduce((sum, { zips }) => sum + (isLong(zips) ? zips.length : 0), 0);
  return BSON.calculateObjectSize(stored) + (stored === plan ? 0 : codes * CODE_BYTES);
}

const isLong = (zips: ZipArea | null): zips is string[] =>
  Array.isArray(zips) && zips.length >= PACKED_FROM_CODES;

const isPacked = (zips: ZipArea | PackedZips | null): zips is PackedZips =>
  zips !== null && 'packed' in zips;

/** The steps from each code to the next, deflated; the order is kept, whatever it is. */
function pack(zips: readonly string[]): Uint8Array {
  const bytes: number[] = [];
  let before = 0;
  for (const zip of zips) {
    const step = Number(zip) - before;
    before = Number(zip);
    // A number of seven bits a byte, its sign in the lowest.
    let rest = step < 0 ? -2 * step - 1 : 2 * step;
    for (; rest > 127; rest >>>= 7) bytes.push((rest & 127) | 128);
    bytes.push(rest);
  }
  return deflateRawSync(Uint8Array.from(bytes));
}

function unpack({ buffer, position }: Binary): string[] {
  const zips: string[] = [];
  let [code, value, shift] = [0, 0, 0];
  for (const byte of inflateRawSync(buffer.subarray(0, position))) {
    value |= (byte & 127) << shift;
    shift += 7;
    if (byte > 127) continue;
    code += value % 2 === 1 ? -(value + 1) / 2 : value / 2;
    zips.push(textOf(code));
    [value, shift] = [0, 0];
  }
  return zips;
}

const TEXTS: string[] = [];
/** One text for all plans that name the code. */
const textOf = (code: number): string => (TEXTS[code] ??= String(code).padStart(5, '0'));
