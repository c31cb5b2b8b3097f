/** A definitive refusal is true: the refused lead is never accepted, whatever happens meanwhile (contract 2.4). */
import type { Lead } from '../../../src/leads/rules/lead.js';
import type { Violation } from '../evidence/evidence.js';
import { stateOf, type Facts, type Operation, type Property } from './facts.js';

/** Clocks are read before and after the message: no more than rounding, in milliseconds. */
const SKEW_MS = 50;

export const refusals: Property = (facts) =>
  facts.operations.flatMap((operation) => [
    ...takenAfterAll(operation, facts),
    ...withoutRefusedLead(operation, facts),
  ]);

/** 503, 429, a full cap, or a connection that certainly carried no request. */
function wasToldNo({ told }: Operation): boolean {
  if (!told || told.outcome === 'info') return false;
  if (told.answer === null) return told.outcome === 'fail';
  return ['not_taken', 'limited', 'capped'].includes(told.answer);
}

/** No lead of a refused operation continues: it is withdrawn, or another sending of the same person made it. */
function takenAfterAll(operation: Operation, facts: Facts): Violation[] {
  const { asked, told } = operation;
  if (!told || !wasToldNo(operation)) return [];
  const others = (lead: Lead) =>
    facts.operationsOfLead(lead).filter((other) => other !== operation);
  return facts
    .leadsOfOperation(operation)
    .filter((lead) => mayBeOf(operation, lead) && !isRightEnd(lead, operation))
    .filter((lead) => !others(lead).some((other) => mayHaveMade(other, lead)))
    .map((lead) => ({
      total: 'false answers',
      rule: 'refused_but_taken',
      what: `operation ${asked.op} was answered ${told.answer ?? told.error ?? 'no'}, but ${stateOf(lead)}, and nothing else can have created it`,
      lead_id: lead._id,
      intent: asked.intent,
    }));
}

/** At any later time: a refusal is final, and a process that was stopped may continue. */
const mayBeOf = ({ asked }: Operation, { created_at }: Lead): boolean =>
  created_at.getTime() >= asked.at - SKEW_MS;

function isRightEnd(lead: Lead, { told }: Operation): boolean {
  if (lead.status === 'WITHDRAWN') return true;
  return told?.answer === 'capped' && isCapped(lead);
}

const isCapped = ({ status, refusal }: Lead): boolean =>
  status === 'REJECTED' && refusal !== undefined;

/** An operation without an answer may be accepted at any later time: a stopped process may continue. */
function mayHaveMade({ asked, told }: Operation, lead: Lead): boolean {
  if (lead.created_at.getTime() < asked.at - SKEW_MS) return false;
  if (!told || told.outcome === 'info') return true;
  if (told.lead_id !== null) return told.lead_id === lead._id || lead.replay_of === told.lead_id;
  if (told.answer === 'rejected') return lead.status === 'REJECTED';
  return told.answer === 'capped' && isCapped(lead);
}

/** If a supplier receives `capped`, its lead is on record as refused by the cap. */
function withoutRefusedLead(operation: Operation, facts: Facts): Violation[] {
  const { asked, told } = operation;
  if (told?.answer !== 'capped' || told.outcome === 'info') return [];
  const own = facts.leadsOfOperation(operation);
  if (own.some((lead) => isCapped(lead) && lead.created_at.getTime() <= told.at + SKEW_MS))
    return [];
  const what = `operation ${asked.op} was answered capped, but no lead of it was refused for that`;
  const { intent } = asked;
  return [{ total: 'false answers', rule: 'capped_without_refusal', what, intent }];
}
