/** Headers of a funnel's documents: everything comes from this service, except what the funnel itself names. */
import type { FunnelDefinition } from '../../funnels/rules/definition.js';

/** Scripts of certificates, and where they report to: allowed only for funnels that use them. */
const TRUSTED_FORM = ['https://api.trustedform.com', 'https://cdn.trustedform.com'];
const JORNAYA = ['https://*.lidstatic.com', 'https://*.leadid.com'];

/** The policy of pages that belong to no funnel. */
const CLOSED: Record<string, readonly string[]> = {
  'default-src': ["'none'"],
  'style-src': ["'self'"],
  'img-src': ["'self'", 'data:'],
  'form-action': ["'self'"],
  'base-uri': ["'none'"],
  'frame-ancestors': ["'none'"],
};

const COMMON = {
  'content-type': 'text/html; charset=utf-8',
  // Referrers of the site's own pages alone: they name the page of a form.
  'referrer-policy': 'same-origin',
  'cache-control': 'no-store',
  vary: 'accept-encoding',
};

const policyText = (policy: Readonly<Record<string, readonly string[]>>): string =>
  Object.entries(policy)
    .filter(([, sources]) => sources.length > 0)
    .map(([name, sources]) => `${name} ${sources.join(' ')}`)
    .join('; ');

/** For a document without a funnel. */
export const bareHeaders = (): Record<string, string> => ({
  ...COMMON,
  'content-security-policy': policyText(CLOSED),
});

/** For the documents of a funnel. */
export function funnelHeaders(definition: FunnelDefinition): Record<string, string> {
  const { certificates, embed, redirect_domains: redirectDomains } = definition;
  const certifiers = [
    ...(certificates.trusted_form ? TRUSTED_FORM : []),
    ...(certificates.jornaya_campaign_id === null ? [] : JORNAYA),
  ];
  const policy = {
    ...CLOSED,
    'script-src': ["'self'", ...certifiers],
    'img-src': ["'self'", 'data:', ...certifiers],
    'connect-src': ["'self'", ...certifiers],
    'worker-src': ["'self'"],
    'media-src': mediaOrigins(definition),
    // A redirect after a form counts as the form's target.
    'form-action': ["'self'", ...redirectDomains.map((domain) => `https://${domain}`)],
    // A host without a scheme: a page of HTTPS in pages of HTTPS alone.
    'frame-ancestors': embed.domains.length === 0 ? ["'none'"] : embed.domains,
  };
  return { ...COMMON, 'content-security-policy': policyText(policy) };
}

/** Where the videos are, and their captions. */
function mediaOrigins({ blocks }: FunnelDefinition): string[] {
  const urls = blocks.flatMap((block) =>
    block.type === 'video' ? [block.url, ...(block.captions_url ? [block.captions_url] : [])] : [],
  );
  return [...new Set(urls.map((url) => new URL(url).origin))];
}
