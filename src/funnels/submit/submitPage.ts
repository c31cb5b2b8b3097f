/** Submits a visitor's page: from the form to the end of the visit. */
import type { AccountCache } from '../../account/access/accountCache.js';
import { createFieldTools } from '../../account/access/fieldTools.js';
import type { Scalar } from '../../fields/values.js';
import type { SuspectReason } from '../../leads/rules/origin.js';
import { withTimeout } from '../../lib/withTimeout.js';
import { stepsOf } from '../rules/flow.js';
import { readAnswers, type AnswerFault } from '../rules/readAnswers.js';
import type { ShownFunnel, ShownFunnels } from '../shown.js';
import type { ConsentDoc } from '../store/funnelDocs.js';
import { linkConsent, recordConsent } from './consent.js';
import type { FunnelCounts } from './counts.js';
import type { Metrics } from '../../platform/metrics.js';
import { judgeVisit, type JudgeDeps } from './judgeVisit.js';
import type { Posted } from './posted.js';
import { endOfStored, sendLead, type LeadEnd, type SendDeps } from './sendLead.js';
import type { FunnelTokens, PageToken } from './token.js';
import { bodyOf, consentOf, countedOf, type Visit, type Visitor } from './visit.js';

/** How a visit ends. */
export type VisitEnd =
  { kind: 'thanks' | 'no_buyer' | 'refused' | 'closed' } | { kind: 'not_qualified'; page: string };

export type SubmitResult =
  | { kind: 'ended'; shown: ShownFunnel; end: VisitEnd; leadId?: string }
  /** No lead was made: the page is shown again, with what is wrong. */
  | { kind: 'faulty'; shown: ShownFunnel; token: string; faults: AnswerFault[] }
  /**
   * No lead was made, and the same answers may be sent again. `work`: with a proof of work; a browser without scripts
   * waits `seconds` instead, and sends this token.
   */
  | {
      kind: 'again';
      shown: ShownFunnel;
      token: string;
      notice: 'unavailable' | 'too_many' | 'expired' | 'work';
      seconds: number;
    };

export interface Submission {
  slug: string;
  posted: Posted;
  visitor: Visitor;
}

export interface SubmitDeps extends SendDeps, Omit<JudgeDeps, 'clock'> {
  tokens: FunnelTokens;
  shown: ShownFunnels;
  accountCache: Pick<AccountCache, 'plan' | 'refresh'>;
  counts: Pick<FunnelCounts, 'count'>;
  metrics: Pick<Metrics, 'funnelSubmits'>;
}

/** Maximum time that a visitor waits for a database that hangs. */
const RECORD_TIMEOUT_MS = 3_000;

/**
 * A failure is `unavailable` with the answers kept, so that the visitor can send them again.
 * @returns null when no funnel has this address
 */
export async function submitPage(
  submission: Submission,
  deps: SubmitDeps,
): Promise<SubmitResult | null> {
  const read = deps.tokens.readToken(submission.posted.token);
  const page = read.kind === 'invalid' ? null : read.page;
  const shown = await shownFor(submission.slug, page, deps);
  if (!shown) return null;
  const isOurs = page?.funnelId === shown.funnel._id;
  try {
    if (isOurs)
      return await submitOurs(submission, { page, shown, isOld: read.kind === 'expired' }, deps);
    return shown.isClosed ? { kind: 'ended', shown, end: CLOSED } : expired(shown, deps);
  } catch (error) {
    const { _id: funnel_id } = shown.funnel;
    deps.log.warn({ err: error, funnel_id }, 'a page of a funnel could not be submitted');
    const { token } = submission.posted;
    return { kind: 'again', notice: 'unavailable', shown, token, seconds: 2 };
  }
}

async function submitOurs(
  { posted, visitor }: Submission,
  { page, shown: now, isOld }: { page: PageToken; shown: ShownFunnel; isOld: boolean },
  deps: SubmitDeps,
): Promise<SubmitResult> {
  const { org_id, campaign_id } = now.funnel;
  const current = await deps.accountCache.plan(org_id, campaign_id);
  const isClosed = now.isClosed || current === null;
  const earlier = isOld || isClosed ? await endOfEarlier(page, now, deps) : null;
  if (earlier) return earlier;
  if (isClosed) return { kind: 'ended', shown: now, end: CLOSED };
  const shown = isOld ? null : await deps.shown.atVersion(now, page.version);
  if (!shown) return expired(now, deps);
  const seconds = await deps.allowances.submitFrom(visitor.ip);
  if (seconds > 0)
    return { kind: 'again', notice: 'too_many', shown, token: posted.token, seconds };
  const tools = await createFieldTools(shown.fields);
  return decide({ posted, visitor, page, shown, plan: current.plan, tools }, deps);
}

const CLOSED = { kind: 'closed' } as const;

const shownFor = (
  slug: string,
  page: PageToken | null,
  { shown }: Pick<SubmitDeps, 'shown'>,
): Promise<ShownFunnel | null> =>
  page?.mode === 'preview' ? shown.draft(page.funnelId) : shown.bySlug(slug);

function expired(shown: ShownFunnel, { tokens }: SubmitDeps): SubmitResult {
  const { funnel, version, isPreview } = shown;
  const mode = isPreview ? 'preview' : 'live';
  const token = tokens.issueToken({ funnelId: funnel._id, version, mode });
  return { kind: 'again', notice: 'expired', shown, token, seconds: 0 };
}

/** A page that created a lead in time shows the result of that lead when it is submitted again later. */
async function endOfEarlier(
  { nonce }: PageToken,
  shown: ShownFunnel,
  deps: SubmitDeps,
): Promise<SubmitResult | null> {
  const consent = await deps.collections.consents.findOne({ _id: nonce });
  const end = consent?.lead_id === undefined ? null : await endOfStored(consent.lead_id, deps);
  if (!end || end.kind === 'unavailable') return null;
  return { kind: 'ended', shown, end: { kind: end.kind } };
}

async function decide(visit: Visit, deps: SubmitDeps): Promise<SubmitResult> {
  const { shown, plan, tools, posted } = visit;
  const { definition, fields } = shown;
  const isPingPost = plan.routing_method === 'PING_POST';
  const read = readAnswers(definition, posted.answers, { fields, tools, isPingPost });
  if (read.kind === 'not_qualified') return { kind: 'ended', shown, end: read };
  const faults = [
    ...(read.kind === 'faulty' ? read.faults : []),
    ...(posted.hasConsented ? [] : [{ step: stepsOf(definition).at(-1)?.id ?? '', ...NO_CONSENT }]),
  ];
  if (faults.length > 0 || read.kind === 'faulty')
    return { kind: 'faulty', shown, token: posted.token, faults };
  const judged = await judgeVisit(visit, deps);
  if (judged.kind === 'work') {
    const { seconds, until } = judged;
    const token = deps.tokens.postpone(visit.page, until);
    return { kind: 'again', notice: 'work', shown, token, seconds };
  }
  return submitLead(visit, read.body, judged.suspect, deps);
}

const NO_CONSENT = { field: 'consent', text: 'consent_required' } as const;

async function submitLead(
  visit: Visit,
  answers: Record<string, Scalar>,
  suspect: SuspectReason | null,
  deps: SubmitDeps,
): Promise<SubmitResult> {
  const { shown, page, posted } = visit;
  const { consent, isFirst } = await withTimeout(RECORD_TIMEOUT_MS, NOT_RECORDED, () =>
    recordConsent(consentOf(visit, answers, deps.clock.now()), deps.collections),
  );
  const counted = countedOf(visit);
  if (isFirst && page.mode === 'live') {
    deps.counts.count(counted, suspect ? { kind: 'suspect', reason: suspect } : { kind: 'submit' });
    deps.metrics.funnelSubmits.inc({ result: suspect ?? 'accepted' });
  }
  const end = await sendLead(
    {
      visit,
      body: bodyOf(visit, answers),
      origin: {
        funnel_id: shown.funnel._id,
        version: shown.version,
        consent_id: consent._id,
        source: counted.source,
        suspect: suspect ?? undefined,
      },
      consent,
    },
    deps,
  );
  return ended(end, consent, { shown, token: posted.token }, deps);
}

const NOT_RECORDED = 'The consent could not be recorded.';

async function ended(
  { kind, leadId, retryAfter = 2 }: LeadEnd,
  consent: ConsentDoc,
  { shown, token }: { shown: ShownFunnel; token: string },
  { collections, log }: SubmitDeps,
): Promise<SubmitResult> {
  if (leadId !== undefined && consent.lead_id === undefined) {
    // The lead names its consent, so a failure here loses nothing.
    await linkConsent(consent._id, leadId, collections).catch((error: unknown) =>
      log.warn({ err: error, lead_id: leadId }, 'a consent record does not name its lead'),
    );
  }
  if (kind === 'unavailable')
    return { kind: 'again', notice: kind, shown, token, seconds: retryAfter };
  return { kind: 'ended', shown, end: { kind }, leadId };
}
