/** Where this installation shows funnels. */
import type { FunnelSite } from '../funnels/address.js';
import type { FunnelTokens } from '../funnels/submit/token.js';

interface FunnelSettings {
  /** Absent: where the pages of people are. */
  url: string | undefined;
  hasOwnOrigin: boolean;
}

export function funnelSettings(
  url: string | undefined,
  baseUrl: string | undefined,
): FunnelSettings {
  const origin = url === undefined ? null : new URL(url).origin;
  const isElsewhere = baseUrl === undefined || new URL(baseUrl).origin !== origin;
  return { url, hasOwnOrigin: origin !== null && isElsewhere };
}

/** @param siteUrl where the pages of people are */
export const createFunnelSite = (
  { url, hasOwnOrigin }: FunnelSettings,
  tokens: Pick<FunnelTokens, 'issuePreview'>,
  siteUrl: () => string,
): FunnelSite => ({
  url: () => url ?? siteUrl(),
  customCode: hasOwnOrigin,
  issuePreview: (funnelId) => tokens.issuePreview(funnelId),
});
