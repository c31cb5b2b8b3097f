/**
 * What a funnel may not have at the origin of the console and the portals: HTML of its designer, and certificates of
 * consent, whose scripts, of third parties, could act there as the person who is signed in.
 */
import type { Problem } from '../../lib/schema/zodIssues.js';
import type { FunnelDefinition } from './definition.js';

const REASON = 'this installation has no origin of its own for funnels (FUNNELS_URL)';

/** @param definition its valid parts: missing ones are not checked */
export function checkSharedOrigin({
  blocks = [],
  certificates,
}: Partial<FunnelDefinition>): Problem[] {
  const notAllowed = (path: PropertyKey[], rule: string): Problem => ({
    path,
    code: 'not_allowed',
    rule: `${rule}: ${REASON}`,
  });
  return [
    ...blocks.flatMap(({ type }, at): Problem[] =>
      type === 'custom_code' ? [notAllowed(['blocks', at, 'type'], 'must not be custom_code')] : [],
    ),
    ...(certificates?.trusted_form
      ? [notAllowed(['certificates', 'trusted_form'], 'must be false')]
      : []),
    ...(certificates?.jornaya_campaign_id == null
      ? []
      : [notAllowed(['certificates', 'jornaya_campaign_id'], 'must be null')]),
  ];
}

/** A definition that was published before this rule, or before funnels lost their own origin, without these parts. */
export const fitForSharedOrigin = (definition: FunnelDefinition): FunnelDefinition => ({
  ...definition,
  blocks: definition.blocks.filter(({ type }) => type !== 'custom_code'),
  certificates: { ...definition.certificates, trusted_form: false, jornaya_campaign_id: null },
});
