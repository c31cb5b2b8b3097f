import { describe, it, expect } from '@jest/globals';
import type { JournalLine } from '../evidence/evidence.js';
import { sold } from './endings.js';
import { aRun, rulesOf } from './stories.js';

describe('phantoms', () => {
  it('is silent however a supplier spells phone and e-mail', () => {
    const run = aRun();
    sold(run, 'holding', { phone: '(555) 000-0001', email: ' Person-1@EXAMPLE.com' });
    const [lead] = run.evidence.record.leads;
    Object.assign(lead?.fields ?? {}, { phone: '+15550000001', email: 'person-1@example.com' });
    run.evidence.journal.forEach((line) => (line.email = 'person-1@example.com'));
    expect(rulesOf(run.finish())).toEqual([]);
  });

  it('lead_nobody_posted: reports a lead whose person no supplier posted', () => {
    const run = aRun();
    const { asked } = sold(run);
    asked.email = 'somebody.else@example.com';
    expect(rulesOf(run.finish())).toEqual(['lead_nobody_posted']);
  });

  it('lead_nobody_posted: uses the intent in the body if there is one', () => {
    const run = aRun();
    const [first, second] = [sold(run), sold(run)];
    first.lead.extra = { chaos_intent: first.asked.intent };
    expect(rulesOf(run.finish())).toEqual([]);
    first.lead.extra = { chaos_intent: second.asked.intent };
    expect(rulesOf(run.finish())).toEqual(['lead_nobody_posted']);
  });

  it('request_for_unknown_lead: reports a lead at a buyer that is not in the record', () => {
    const run = aRun();
    sold(run);
    const [line] = run.evidence.journal;
    if (line) run.evidence.journal.push({ ...line, request: 9, lead_id: 'lead-9' });
    expect(rulesOf(run.finish())).toEqual(['request_for_unknown_lead']);
  });

  it('request_for_wrong_person: reports when a buyer got another person under a lead', () => {
    const run = aRun();
    sold(run);
    run.evidence.journal.forEach((line) => (line.email = 'somebody.else@example.com'));
    expect(rulesOf(run.finish())).toEqual(['request_for_wrong_person']);
  });

  it.each<[string, Partial<JournalLine>]>([
    ['has a false signature', { flaw: 'the signature is false' }],
    ['has no key', { idempotency_key: '' }],
  ])('request_flawed: reports a request that %s', (_name, wrong) => {
    const run = aRun();
    sold(run);
    run.evidence.journal.forEach((line) => Object.assign(line, wrong));
    expect(rulesOf(run.finish())).toEqual(['request_flawed']);
  });
});
