/** Where a visitor came from: the parameters sent with the lead, and the source of the counts. */

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

/** Maximum characters of a source in the counts. */
const SOURCE_NAME_MAX = 60;
const OTHER = 'other';
/** Text that may identify a person: an e-mail address, or a number as long as a telephone number. */
const PERSONAL = /@|%40|\d{7}/;
const CONTROL = /\p{Cc}/u;

/**
 * The name that a visit is counted under: `utm_source`, else the host that the visitor came from, else `direct`.
 * A name that may identify a person is `other`.
 * @param ownHost of the page itself: a visitor from there has no source
 */
export function sourceOf(
  { utm_source, referrer }: { utm_source?: string; referrer?: string | null },
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
