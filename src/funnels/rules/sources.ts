/** Where a visitor came from: what travels with the lead, and what counts are kept under. */

/** Parameters of a page's query that travel with the lead, as the inputs `u.…`: no other may set a field. */
export const SOURCE_PARAMETERS = [
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'utm_term',
  'utm_content',
  'utm_id',
  'click_id',
  'gclid',
  'gbraid',
  'wbraid',
  'fbclid',
  'msclkid',
  'ttclid',
  'sub_id',
] as const;

/** Characters of one of them, of the address of a page and of a referrer. */
export const SOURCE_TEXT_MAX = 500;

/** Characters of a source in the counts. */
const SOURCE_NAME_MAX = 60;
const OTHER = 'other';
/** It may name a person: an address of mail, or a number as long as those of telephones. */
const PERSONAL = /@|%40|\d{7}/;
const CONTROL = /\p{Cc}/u;

/**
 * The name that a visit is counted under: `utm_source`, else the host that the visitor came from, else `direct`.
 * What may name a person is `other`.
 * @param ownHost of the page itself: who comes from there comes from nowhere
 */
export function sourceOf(
  {
    utm_source,
    referrer,
  }: { utm_source?: string | undefined; referrer?: string | null | undefined },
  ownHost?: string,
): string {
  const given = utm_source?.trim() ?? '';
  const name = given === '' ? hostOf(referrer ?? '', ownHost) : given.toLowerCase();
  if (name === '') return 'direct';
  if (!name.isWellFormed() || CONTROL.test(name) || PERSONAL.test(name)) return OTHER;
  return Array.from(name).slice(0, SOURCE_NAME_MAX).join('');
}

function hostOf(referrer: string, ownHost: string | undefined): string {
  if (!URL.canParse(referrer)) return '';
  const { host } = new URL(referrer);
  return host === ownHost ? '' : host.replace(/^www\./, '');
}
