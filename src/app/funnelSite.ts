/** Where this installation serves funnels. */
import type { FunnelPages } from '../api/http/deps.js';
import type { FunnelSite } from '../funnels/address.js';
import { createFindPicture } from '../funnels/pictures.js';
import { createShownFunnels } from '../funnels/shown.js';
import { createFunnelSubmits, type FunnelSubmitsDeps } from '../funnels/submit/funnelSubmits.js';
import type { FunnelTokens } from '../funnels/submit/token.js';
import type { FunnelSettings } from './config/funnelSettings.js';

/** @param siteUrl the address of the console and the portals */
export const createFunnelSite = (
  { url, hasOwnOrigin }: FunnelSettings,
  tokens: Pick<FunnelTokens, 'issuePreview'>,
  siteUrl: () => string,
): FunnelSite => ({
  url: () => url ?? siteUrl(),
  ownOrigin: hasOwnOrigin,
  issuePreview: (funnelId) => tokens.issuePreview(funnelId),
});

interface FunnelsDeps extends Omit<FunnelSubmitsDeps, 'shown' | 'tokens' | 'proofs'> {
  funnelTokens: FunnelSubmitsDeps['tokens'];
  funnelProofs: FunnelSubmitsDeps['proofs'];
  ownOrigin: boolean;
}

/**
 * What the pages of funnels are made from.
 * @param site the address that funnels are opened at
 */
export function createFunnels(deps: FunnelsDeps, site: () => string): FunnelPages {
  const { collections, funnelTokens: tokens, funnelProofs: proofs } = deps;
  const shown = createShownFunnels(deps);
  return {
    shown,
    submits: createFunnelSubmits({ ...deps, shown, tokens, proofs }),
    tokens,
    picture: createFindPicture(collections),
    site,
  };
}
