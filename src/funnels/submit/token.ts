/**
 * Signed texts that pages of funnels carry instead of a cookie, which a browser does not send from a frame on
 * another site. Each is for one purpose, has no personal data, and has one spelling.
 */
import { createHmac, randomBytes, timingSafeEqual, type KeyObject } from 'node:crypto';
import { z } from 'zod';
import type { Clock } from '../../lib/clock.js';

/** A page is for visitors (`live`), or shows a draft to its designers (`preview`): then it makes test leads. */
export type PageMode = 'live' | 'preview';

/** One page, as one visitor received it. */
export interface PageToken {
  funnelId: string;
  /** The published version; for a preview, that of the draft. */
  version: number;
  /** 128 random bits, base64url: the Idempotency-Key of its lead, and the id of its consent record. */
  nonce: string;
  issuedAt: Date;
  mode: PageMode;
  /** It may be submitted from then on, without a proof of work. */
  notBefore?: Date;
}

export type ReadPageToken =
  | { kind: 'valid' | 'expired'; page: PageToken }
  /** Not signed by this installation, or changed. */
  | { kind: 'invalid' };

/** The page that a visitor sees at the end, named in its address. */
export interface EndToken {
  funnelId: string;
  version: number;
  mode: PageMode;
  /** Such as `thanks`, or `not_qualified:renters` with the id of its page. */
  outcome: string;
}

const DAY_MS = 86_400_000;
/** How long a visitor may take to finish the version begun. */
const PAGE_VALID_MS = DAY_MS;
const PREVIEW_VALID_MS = 7 * DAY_MS;
const NONCE_BYTES = 16;
/** Valid ones have less than 300 characters. */
const TOKEN_MAX = 1_000;

const mode = z.enum(['live', 'preview']);
const PagePayload = z.tuple([
  ...([z.string(), z.number(), z.string(), z.number(), mode] as const),
  z.number().optional(),
]);
const PreviewPayload = z.tuple([z.string(), z.number()]);
const EndPayload = z.tuple([z.string(), z.number(), mode, z.string(), z.number()]);

export type FunnelTokens = ReturnType<typeof createFunnelTokens>;

export function createFunnelTokens({ key, clock }: { key: KeyObject; clock: Pick<Clock, 'now'> }) {
  const macOf = (purpose: string, content: string): string =>
    createHmac('sha256', key).update(`${purpose}.${content}`).digest('base64url');
  const sign = (purpose: string, payload: readonly unknown[]): string => {
    const content = Buffer.from(JSON.stringify(payload)).toString('base64url');
    return `${content}.${macOf(purpose, content)}`;
  };
  const open = <T>(purpose: string, text: string, schema: z.ZodType<T>): T | null => {
    if (text.length > TOKEN_MAX) return null;
    const [content = '', given = '', ...more] = text.split('.');
    const right = Buffer.from(macOf(purpose, content));
    const mac = Buffer.from(given);
    const isOurs = more.length === 0 && mac.length === right.length && timingSafeEqual(mac, right);
    // It is signed, so it is JSON; another release may have signed another shape.
    return isOurs
      ? (schema.safeParse(JSON.parse(Buffer.from(content, 'base64url').toString('utf8'))).data ??
          null)
      : null;
  };
  const now = (): number => Number(clock.now());
  const isOver = (since: number, validMs: number): boolean => now() - since >= validMs;

  return {
    issueToken({
      funnelId,
      version,
      mode,
    }: Pick<PageToken, 'funnelId' | 'version' | 'mode'>): string {
      const nonce = randomBytes(NONCE_BYTES).toString('base64url');
      return sign('page', [funnelId, version, nonce, now(), mode]);
    },
    /** A token of the same page, which may be sent again from `notBefore` on. */
    postpone: ({ funnelId, version, nonce, issuedAt, mode }: PageToken, notBefore: Date): string =>
      sign('page', [funnelId, version, nonce, Number(issuedAt), mode, Number(notBefore)]),
    /** expired: issued more than 24 hours ago. */
    readToken(text: string): ReadPageToken {
      const payload = open('page', text, PagePayload);
      if (!payload) return { kind: 'invalid' };
      const [funnelId, version, nonce, issued, mode, waits] = payload;
      const page: PageToken = { funnelId, version, nonce, issuedAt: new Date(issued), mode };
      if (waits !== undefined) page.notBefore = new Date(waits);
      return { kind: isOver(issued, PAGE_VALID_MS) ? 'expired' : 'valid', page };
    },
    /** For the address of a preview; ends after a week. */
    issuePreview: (funnelId: string): string => sign('preview', [funnelId, now()]),
    /** The funnel that it shows; null when this installation did not sign it, or it is too old. */
    readPreview(text: string): string | null {
      const payload = open('preview', text, PreviewPayload);
      return payload && !isOver(payload[1], PREVIEW_VALID_MS) ? payload[0] : null;
    },
    issueEnd: ({ funnelId, version, mode, outcome }: EndToken): string =>
      sign('end', [funnelId, version, mode, outcome, now()]),
    /** Null when this installation did not sign it, or it is older than a day. */
    readEnd(text: string): EndToken | null {
      const payload = open('end', text, EndPayload);
      if (!payload || isOver(payload[4], PAGE_VALID_MS)) return null;
      const [funnelId, version, mode, outcome] = payload;
      return { funnelId, version, mode, outcome };
    },
  };
}
