/** Each answer that a supplier received is true: the lead ended as the answer said. */
import type { Lead } from '../../../src/leads/rules/lead.js';
import type { LeadStatus } from '../../../src/leads/rules/leadStatus.js';
import type { AnswerClass, Completed, Violation } from '../evidence/evidence.js';
import { stateOf, type Facts, type Operation, type Property } from './facts.js';

export const answers: Property = ({ operations, leads }: Facts) =>
  operations.flatMap(({ asked, told }) => {
    if (!told || told.answer === null) return [];
    const false_ = (rule: string, why: string): Violation[] => [
      {
        total: 'false answers',
        rule,
        what: `operation ${asked.op} was answered ${told.answer ?? ''}${told.lead_id === null ? '' : ` with lead ${told.lead_id}`}${why}`,
        intent: asked.intent,
        ...(told.lead_id === null ? {} : { lead_id: told.lead_id }),
      },
    ];
    if (told.answer === 'unexpected') {
      return false_('unexpected_answer', ` (status ${told.status ?? 'none'} ${told.error ?? ''})`);
    }
    if (told.outcome === 'info') return [];
    // A key that is refused without another body is judged with the keys, unless there is no key at all.
    if (told.answer === 'key_reused' && asked.idempotency_key === null) {
      return false_('key_refused_wrongly', ', but it has no key');
    }
    if (told.lead_id === null) {
      if (!NAMES_A_LEAD.includes(told.answer)) return [];
      return false_('answer_without_lead', ', but no lead is named');
    }
    const lead = leads.get(told.lead_id);
    // A missing lead is lost; `lost.ts` judges that.
    if (!lead) return [];
    const wrong = [...mismatch(told, lead), ...notTheirs(asked, lead)];
    return wrong.flatMap((why) => false_('answer_not_true', `, but ${why}`));
  });

/** The statuses that each answer may end in. An open promise is judged as undecided. */
const MEANT: Partial<Record<AnswerClass, readonly LeadStatus[]>> = {
  delivered: ['ACCEPTED', 'SELLING'],
  pending: ['ACCEPTED', 'SELLING', 'EXPIRED', 'PENDING', 'NEW'],
  unmatched: ['UNMATCHED'],
  duplicate: ['DUPLICATE'],
  rejected: ['REJECTED'],
};

const NAMES_A_LEAD: readonly AnswerClass[] = ['delivered', 'pending', 'unmatched', 'duplicate'];

function mismatch({ answer, buyer_id, duplicate_of }: Completed, lead: Lead): string[] {
  if (answer === null || MEANT[answer]?.includes(lead.status) === false) return [stateOf(lead)];
  if (answer === 'delivered' && lead.buyer_id !== buyer_id) {
    return [`${stateOf(lead)} (the answer said ${buyer_id ?? 'none'})`];
  }
  const original = lead.duplicate_of ?? null;
  if (NAMES_ORIGINAL.includes(answer) && original !== duplicate_of) {
    return [
      `it is a duplicate of ${original ?? 'none'} (the answer said ${duplicate_of ?? 'none'})`,
    ];
  }
  return [];
}

/** A `pending` answer may be given before the original has been looked up. */
const NAMES_ORIGINAL: readonly AnswerClass[] = ['delivered', 'unmatched', 'duplicate'];

const notTheirs = (asked: Operation['asked'], lead: Lead): string[] =>
  lead.campaign_id === asked.campaign_id && lead.supplier_id === asked.supplier_id
    ? []
    : [`lead ${lead._id} is of campaign ${lead.campaign_id}, supplier ${lead.supplier_id}`];
