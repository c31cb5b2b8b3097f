/** The addresses of funnels: `/f/{slug}`. */
import { randomBytes } from 'node:crypto';
import { invalidValue } from '../account/values.js';

const SLUG_MAX = 60;
const SLUG = /^[a-z0-9](?:[a-z0-9-]{0,58}[a-z0-9])?$/;
const SLUG_RULE = `must be 1 to ${SLUG_MAX} of a-z, 0-9 and -, and begin and end with a letter or digit`;
/** Slugs that the pages of funnels use themselves. */
const RESERVED: readonly string[] = ['assets', 'preview', 'embed'];

/**
 * The slug in lower case.
 * @throws {AppError} `validation_failed`
 */
export function checkSlug(slug: string): string {
  const lower = slug.trim().toLowerCase();
  if (!SLUG.test(lower))
    throw invalidValue('slug', 'invalid_format', `slug ${SLUG_RULE}, such as solar-quote.`);
  if (RESERVED.includes(lower))
    throw invalidValue('slug', 'not_allowed', `slug must not be ${RESERVED.join(', ')}.`);
  return lower;
}

/** A slug made of the name's Latin letters. */
export function slugOf(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 48)
    .replace(/^-+|-+$/g, '');
  return plain === '' || RESERVED.includes(plain) ? `form-${randomEnd()}` : plain;
}

/** The slug with a random end, for when it is taken. */
export const otherSlug = (slug: string): string => `${slug}-${randomEnd()}`;

const randomEnd = (): string => randomBytes(4).toString('hex');

/** Where funnels are served. */
export interface FunnelSite {
  url: () => string;
  /** They have a separate origin: only there may they show custom HTML, or load scripts of third parties. */
  ownOrigin: boolean;
  /** Signs the address of a draft, for a week. */
  issuePreview: (funnelId: string) => string;
}

/** The address at which visitors open it. */
export const liveUrl = (site: string, slug: string): string => `${bare(site)}/f/${slug}`;

/** The address of the draft; its token lets each reader of this address see it. */
export const previewUrl = (site: string, funnelId: string, token: string): string =>
  `${bare(site)}/f/preview/${funnelId}?token=${encodeURIComponent(token)}`;

/** One line for another site's page, which shows the funnel in a frame that sizes itself. */
export const embedCode = (site: string, slug: string): string =>
  `<script src="${bare(site)}/f/embed.js" data-funnel="${slug}" async></script>`;

const bare = (site: string): string => site.replace(/\/+$/, '');
