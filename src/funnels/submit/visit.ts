/** A visitor's page as it was submitted, and what is stored of it: the consent, the body of the lead, the count. */
import type { Plan } from '../../account/rules/plan.js';
import { compileField, type FieldTools } from '../../fields/fieldReader.js';
import type { Scalar } from '../../fields/values.js';
import { stateOfZip } from '../../fields/zips.js';
import { definedOnly } from '../../lib/defined.js';
import { sourceOf } from '../rules/sources.js';
import type { ShownFunnel } from '../shown.js';
import type { ConsentDoc } from '../store/funnelDocs.js';
import { hashText } from './consent.js';
import type { Counted } from './counts.js';
import type { Posted } from './posted.js';
import type { PageToken } from './token.js';

export interface Visitor {
  ip: string;
  userAgent: string | undefined;
  /** The header, which names the page that was submitted where the form does not. */
  referrer: string | undefined;
  /** Of the site that the page is on. */
  host: string;
  /** Aborted when the visitor's connection closes before the answer. */
  closed: AbortSignal;
}

export interface Visit {
  page: PageToken;
  /** The version that the visitor began. */
  shown: ShownFunnel;
  posted: Posted;
  visitor: Visitor;
  /** The current campaign. */
  plan: Plan;
  tools: FieldTools;
}

const AGENT_MAX = 500;

export function consentOf(
  { shown, page, posted, visitor }: Visit,
  answers: Record<string, Scalar>,
  at: Date,
): ConsentDoc {
  const { funnel, version, definition } = shown;
  const { text, purpose, sellers } = definition.consent;
  return {
    _id: page.nonce,
    org_id: funnel.org_id,
    funnel_id: funnel._id,
    version,
    campaign_id: funnel.campaign_id,
    supplier_id: funnel.supplier_id,
    language: definition.language,
    text,
    text_hash: hashText(text),
    purpose: purpose ?? null,
    sellers,
    ticked: true,
    at,
    ip: visitor.ip,
    user_agent: visitor.userAgent?.slice(0, AGENT_MAX) ?? null,
    page_url: posted.pageUrl ?? visitor.referrer?.slice(0, AGENT_MAX) ?? null,
    referrer: posted.referrer,
    answers,
    ...certificatesOf(shown, posted),
    is_test: page.mode === 'preview',
  };
}

/** Only those that the funnel asks for. */
const certificatesOf = (
  { definition: { certificates } }: ShownFunnel,
  { certificates: given }: Posted,
): Posted['certificates'] => ({
  trustedform_cert_url: certificates.trusted_form ? given.trustedform_cert_url : undefined,
  jornaya_leadid: certificates.jornaya_campaign_id === null ? undefined : given.jornaya_leadid,
});

/**
 * Values that the visitor did not type are left out where they do not fit the field, so that they make no lead invalid.
 */
export function bodyOf(visit: Visit, answers: Record<string, Scalar>): Record<string, Scalar> {
  const { shown, posted, page, tools } = visit;
  const carried: Record<string, Scalar> = definedOnly({
    ...posted.sources,
    referrer: posted.referrer ?? undefined,
    ...certificatesOf(shown, posted),
    state: stateBehind(answers, visit),
  });
  const fitting = Object.entries(carried).filter(([name, value]) => {
    const rule = shown.fields.find((field) => field.name === name);
    return !rule || compileField(rule, tools)(value).kind === 'value';
  });
  return {
    ...Object.fromEntries(fitting),
    ...answers,
    flo_campaign_id: shown.funnel.campaign_id,
    flo_supplier_id: shown.funnel.supplier_id,
    ...(page.mode === 'preview' ? { test_lead: true } : {}),
  };
}

/** The state of the answered zip code. A state among the answers replaces it. */
function stateBehind(
  { zip_code }: Record<string, Scalar>,
  { shown, tools }: Visit,
): string | undefined {
  const rule = shown.fields.find(({ name }) => name === 'zip_code');
  if (!rule || zip_code === undefined) return undefined;
  const read = compileField(rule, tools)(zip_code);
  return read.kind === 'value' ? stateOfZip(String(read.value)) : undefined;
}

export const countedOf = ({ shown, page, plan, posted, visitor }: Visit): Counted => ({
  orgId: shown.funnel.org_id,
  funnelId: shown.funnel._id,
  version: page.version,
  timeZone: plan.time_zone,
  source: sourceOf(
    { utm_source: posted.sources.utm_source, referrer: posted.referrer },
    visitor.host,
  ),
});
