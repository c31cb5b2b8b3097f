/** Reads what a page sends when it is submitted. Only the token's signature is trusted. */
import { getOwn } from '../../lib/getOwn.js';
import { isCleanText } from '../../fields/fields.js';
import { ANSWER_PREFIX } from '../rules/readAnswers.js';
import { SOURCE_PARAMETERS, SOURCE_TEXT_MAX } from '../rules/sources.js';

export interface Posted {
  token: string;
  /** By the names of the inputs: `f.phone`. */
  answers: Record<string, string>;
  hasConsented: boolean;
  /** The field hidden from people is filled in. */
  hasFilledTrap: boolean;
  /** The proof of work; empty: none. */
  proof: string;
  /** The page's address, as the browser or the embedding page reports it. */
  pageUrl: string | null;
  referrer: string | null;
  /** Such as `utm_source`: clean, short, and of known names. */
  sources: Record<string, string>;
  /** Of third parties, whose scripts fill in inputs by their own names. */
  certificates: { trustedform_cert_url?: string; jornaya_leadid?: string };
  /** Everything needed to show the page again. */
  values: Record<string, string>;
}

/** More inputs than any page has; further ones are ignored. */
const INPUTS_MAX = 300;
const CERTIFICATE_MAX = 500;
/** Inputs that a page fills in itself, each time it is shown. */
const OWN_INPUTS: readonly string[] = ['t', 'w', 'website'];

/** @param body form-encoded UTF-8; of a name that comes twice, as of a field that two branches ask, the first that is filled in counts */
export function readPosted(body: Buffer): Posted {
  const form = new Map<string, string>();
  const filledIn = new Set<string>();
  for (const [name, value] of new URLSearchParams(body.toString('utf8'))) {
    if (form.size >= INPUTS_MAX) break;
    if (filledIn.has(name)) continue;
    form.set(name, value);
    if (value.trim() !== '') filledIn.add(name);
  }
  const all = Object.fromEntries(form);
  const short = (name: string): string | undefined => shortText(getOwn(all, name));
  const named = SOURCE_PARAMETERS.flatMap((name): [string, string][] => {
    const value = short(`u.${name}`);
    return value === undefined ? [] : [[name, value]];
  });
  const entries = Object.entries(all);
  return {
    token: getOwn(all, 't') ?? '',
    answers: Object.fromEntries(entries.filter(([name]) => name.startsWith(ANSWER_PREFIX))),
    hasConsented: (getOwn(all, 'consent') ?? '') !== '',
    hasFilledTrap: (getOwn(all, 'website') ?? '') !== '',
    proof: getOwn(all, 'w') ?? '',
    pageUrl: short('p') ?? null,
    referrer: short('r') ?? null,
    sources: Object.fromEntries(named),
    certificates: {
      trustedform_cert_url: certificateOf(getOwn(all, 'xxTrustedFormCertUrl')),
      jornaya_leadid: certificateOf(getOwn(all, 'universal_leadid')),
    },
    values: Object.fromEntries(entries.filter(([name]) => !OWN_INPUTS.includes(name))),
  };
}

function shortText(text: string | undefined): string | undefined {
  const cut = text?.trim().slice(0, SOURCE_TEXT_MAX);
  return cut === undefined || cut === '' || !isCleanText(cut) ? undefined : cut;
}

/** One that is too long is dropped: a part of it would prove nothing. */
const certificateOf = (text: string | undefined): string | undefined =>
  text !== undefined && text.length <= CERTIFICATE_MAX ? shortText(text) : undefined;
