import { randomUUID } from 'node:crypto';
import type { Client } from '@temporalio/client';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createListing, LISTED_ANYWHERE } from '../../../src/platform/temporal/listing.js';
import { timeOrderedId } from '../../../src/lib/ids.js';
import { taskQueues } from '../../../src/platform/temporal/names.js';
import { createLeadStarter } from '../../../src/distribution/starters.js';
import type { LeadVerdict } from '../../../workflows/messages.js';
import { startServiceBed, type ServiceBed } from '../../support/service.js';
import { waitFor } from '../../support/waitFor.js';

const REFUSED = new Error('could not be started', {
  cause: Object.assign(new Error('3 INVALID_ARGUMENT'), {
    details: 'search attribute LeadId value size 3745 exceeds size limit 2048',
  }),
});

describe('how many leads a workflow carries', () => {
  const warnings: string[] = [];
  const make = () => createListing({ warn: (text: string) => void warnings.push(text) } as never);
  const leads = Array.from({ length: 100 }, (_, n) => n);

  it('is unlimited until the server refuses them', () => {
    const listing = make();
    expect(listing.groupsOf(leads)).toEqual([leads]);
    expect(listing.isTooLong(REFUSED)).toBe(true);
    expect(listing.groupsOf(leads).map((group) => group.length)).toEqual([48, 48, 4]);
    expect(listing.groupsOf(leads).flat()).toEqual(leads);
    expect(listing.groupsOf(leads.slice(0, 48))).toHaveLength(1);
  });

  it('is logged once, with what to do', () => {
    const listing = make();
    warnings.length = 0;
    listing.isTooLong(REFUSED);
    listing.isTooLong(REFUSED);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatch(
      /frontend\.searchAttributesSizeOfValueLimit.*INTAKE_GROUP_MAX to 48/,
    );
  });

  it('is not changed by other failures', () => {
    const listing = make();
    for (const other of [new Error('no server'), 'search attribute', null])
      expect(listing.isTooLong(other)).toBe(false);
    expect(listing.groupsOf(leads)).toHaveLength(1);
  });
});

describe('a group that is started in parts', () => {
  const refs = Array.from({ length: 50 }, (_, n) => ({
    _id: `lead-${n}`,
    org_id: 'org',
    campaign_id: 'campaign',
  }));
  /** The server refuses the whole group, and then gives these answers to its parts. */
  const decide = (...answers: (LeadVerdict[] | null | Error)[]) => {
    const calls = [REFUSED, ...answers].values();
    const executeUpdateWithStart = () => {
      const answer = calls.next().value;
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
    };
    const client = {
      withDeadline: (_: number, work: () => unknown) => work(),
      workflow: { executeUpdateWithStart },
    } as unknown as Client;
    const log = { warn: () => undefined } as never;
    return createLeadStarter(client, taskQueues(''), log).decide(refs, 0);
  };
  const verdict = (n: number): LeadVerdict => ({ id: `lead-${n}`, status: 'UNMATCHED' });

  it('has the verdicts of all parts', async () => {
    expect(await decide([verdict(0)], [verdict(48)])).toEqual([verdict(0), verdict(48)]);
  });

  it('has none when one part could not be processed', async () => {
    expect(await decide([verdict(0)], null)).toBeNull();
  });

  it('fails when one part does, and is not started once more', async () => {
    await expect(decide([verdict(0)], new Error('no server'))).rejects.toThrow('no server');
    await expect(decide(REFUSED, [verdict(48)])).rejects.toBe(REFUSED);
  });
});

describe('a group with more ids than the server accepts in one list', () => {
  let bed: ServiceBed;
  beforeAll(async () => {
    bed = await startServiceBed();
  });
  afterAll(() => bed.stop());

  it.each([
    ['a process that has workers', ['all']],
    ['one of the API alone', ['worker', 'api']],
  ] as const)('is started in parts by %s, each found by its leads', async (_, roles) => {
    const services = await Promise.all(roles.map((role) => bed.start(role)));
    const { starter, client } = services.at(-1)!.deps;
    const campaign_id = randomUUID();
    const refs = Array.from({ length: 450 }, () => ({
      _id: timeOrderedId(),
      org_id: 'none',
      campaign_id,
    }));
    // These leads are not stored, so there are no verdicts.
    expect(await starter.decide(refs, 20_000)).toEqual([]);
    const { workflow } = client;
    const parts = Math.ceil(refs.length / LISTED_ANYWHERE);
    const started = async () => (await workflow.count(`CampaignId = '${campaign_id}'`)).count;
    await waitFor(async () => (await started()) === parts, { message: `${parts} workflows` });
    for (const { _id } of [refs[0], refs.at(-1)].flatMap((ref) => ref ?? [])) {
      const { count } = await workflow.count(`LeadId = '${_id}'`);
      expect(count).toBe(1);
    }
  });
});
