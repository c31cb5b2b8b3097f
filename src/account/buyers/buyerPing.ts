/** How a buyer is asked for bids, as a person sets it up. */
import type { BuyerPing } from '../rules/pingSettings.js';
import { nearest } from '../../lib/nearest.js';
import { RESERVED_PING_HEADERS } from '../rules/reservedHeaders.js';
import type { BuyerDoc } from '../store/accountDocs.js';
import { hiddenHeaders, readHeaders } from './delivery/headers.js';
import type { MethodContext } from './delivery/method.js';
import { settingReader, type SettingReader } from './delivery/reader.js';
import { readResponse } from './delivery/response.js';
import { readUrl } from './delivery/url.js';

type StoredPing = NonNullable<BuyerDoc['ping']>;

/** Null takes a setting back to its default; a single field may be text. */
export interface BuyerPingInput {
  enabled?: boolean | null | undefined;
  url?: string | null | undefined;
  timeout_ms?: number | null | undefined;
  fields?: string | readonly string[] | null | undefined;
  headers?: Record<string, string> | null | undefined;
  response?: object | null | undefined;
}

/** Extensions, "Ping": 500 ms for each buyer. */
const TIMEOUT_MS = 500;
const TIMEOUT_LEAST = 50;
const TIMEOUT_MOST = 3_000;
const FIELDS_MOST = 100;

/**
 * Complete settings from what was given, over `current` where there is one; enabled unless told otherwise.
 * @param context its field names are those that some campaign has
 * @throws {AppError} `validation_failed` naming every setting that is not valid
 */
export function checkBuyerPing(
  input: BuyerPingInput,
  { policy, fieldNames }: MethodContext,
  current?: StoredPing,
): StoredPing {
  const read = settingReader('ping', input, current);
  const response = readResponse(read);
  const ping: StoredPing = {
    enabled: read.flag('enabled', true),
    url: readUrl(read, policy, 'is asked for bids'),
    timeout_ms: read.integer('timeout_ms', TIMEOUT_MS, TIMEOUT_LEAST, TIMEOUT_MOST),
    fields: readFields(read, fieldNames),
    headers: readHeaders(read, RESERVED_PING_HEADERS),
    ...(response === null ? {} : { response }),
  };
  read.finish();
  return ping;
}

function readFields(read: SettingReader, known: readonly string[]): string[] {
  const names = [...new Set(read.texts('fields', FIELDS_MOST) ?? [])];
  for (const name of names.filter((one) => !known.includes(one))) {
    const near = nearest(name, known);
    const hint = near === undefined ? '' : ` Did you mean ${near}?`;
    read.problem(
      'fields',
      'not_allowed',
      `names "${name}", which is no field of a campaign.${hint}`,
    );
  }
  return names;
}

/** The settings as they are shown: without what headers hold; null where nobody has said. */
export const buyerPingView = ({ ping }: Pick<BuyerDoc, 'ping'>) =>
  ping
    ? {
        ...ping,
        headers: hiddenHeaders(ping.headers),
        response: ping.response ? { ...ping.response } : null,
      }
    : null;

/** What a plan has of it: nothing unless it is enabled. */
export function enabledPing({ ping }: Pick<BuyerDoc, 'ping'>): BuyerPing | undefined {
  if (!ping?.enabled) return undefined;
  const { url, timeout_ms, fields, headers, response } = ping;
  return { url, timeout_ms, fields, headers, ...(response ? { response } : {}) };
}
