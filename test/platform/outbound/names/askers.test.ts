import { sealedBefore } from '../../../support/sealedBefore.js';
import { describe, expect, it } from '@jest/globals';
import { deliver } from '../../../../src/deliveries/channels/channels.js';
import { sendToSlack, sendWebhook } from '../../../../src/automations/senders/http.js';
import { createKeyring } from '../../../../src/platform/security/seal.js';
import { systemClock } from '../../../../src/lib/clock.js';
import type { Envelope } from '../../../../src/events/rules/events.js';
import type { TransportReply } from '../../../../src/platform/outbound/reply.js';
import { SYSTEM_FIELDS } from '../../../../src/fields/mapping.js';
import type { OutboundHttp } from '../../../../src/platform/outbound/http.js';
import { askBuyers } from '../../../../src/pings/askBuyers.js';
import { aBuyer, aLead, aWebhook, someFields } from '../../../support/builders.js';
import { post, signal, useDoor } from '../doorFixture.js';

const { door } = useDoor();
const keyring = createKeyring('an installation');

describe('the lookups of a sender', () => {
  it('belong to the organization of the request, or else to the installation', async () => {
    const askers: string[] = [];
    const resolve = (_host: string, asker: string) => {
      askers.push(asker);
      return Promise.reject(new Error('no such name'));
    };
    const http = door({ resolve });
    await http.send(post('http://one.test/', { orgId: 'org' }));
    await http.send(post('http://two.test/'));
    expect(askers).toEqual(['org', '']);
  });

  it('are shared within an organization, and do not wait for those of another', async () => {
    const { given, give } = signal();
    const askers: string[] = [];
    const resolve = async (_host: string, asker: string) => {
      askers.push(asker);
      if (asker === 'slow') await given;
      throw new Error('no such name');
    };
    const http = door({ resolve });
    const send = (orgId: string) => http.send(post('http://shared.test/', { orgId }));
    const slow = [send('slow'), send('slow')];
    expect(await send('another')).toMatchObject({ kind: 'not_sent', reason: 'no such name' });
    give();
    await Promise.all(slow);
    expect(askers).toEqual(['slow', 'another']);
  });
});

describe('a sender to an address of an organization', () => {
  const sentFor = (): { orgs: unknown[]; outbound: OutboundHttp } => {
    const orgs: unknown[] = [];
    const send = ({ orgId }: { orgId?: string }): Promise<TransportReply> => {
      orgs.push(orgId);
      return Promise.resolve({ kind: 'answered', status: 200, headers: {}, body: '' });
    };
    return { orgs, outbound: { send, close: () => Promise.resolve() } };
  };
  const none = {
    mail: null,
    mailGate: null as never,
    sheets: null,
    sheetOwners: null as never,
    redistribute: null,
  };
  const doors = { ...none, keyring, clock: systemClock };
  const signing_secret = sealedBefore('an installation', 'secret');

  it('names it for a delivery', async () => {
    const { orgs, outbound } = sentFor();
    const terms = aBuyer({ signing_secret, delivery: aWebhook() });
    const sendBy = performance.now() + 1_000;
    await deliver(
      { org_id: 'o1', lead: aLead(), terms, fieldNames: [], sendBy },
      { ...doors, outbound },
    );
    expect(orgs).toEqual(['o1']);
  });

  it("names it for a buyer's ping", async () => {
    const { orgs, outbound } = sentFor();
    const ping = { url: 'https://buyer.test/', timeout_ms: 100, fields: [], headers: {} };
    await askBuyers(
      {
        plan: { org_id: 'o1', campaign_id: 'c1', fields: SYSTEM_FIELDS },
        ping_id: 'p1',
        is_test: false,
        fields: someFields(),
        deadline_ms: 1_000,
        bidders: [aBuyer({ signing_secret, ping })],
      },
      { outbound, keyring, clock: systemClock, health: { record: () => undefined } },
    );
    expect(orgs).toEqual(['o1']);
  });

  it('names it for an event, to a webhook and to Slack', async () => {
    const { orgs, outbound } = sentFor();
    const envelope = { id: 'e1', type: 'lead.accepted', data: {} } as unknown as Envelope;
    const told = { id: 'd1', envelope, lead: null, isRepeat: false, sendBy: Infinity };
    const automation = (url: unknown) =>
      ({ org_id: 'o1', secret: signing_secret, target: { url } }) as never;
    await sendWebhook(told, automation('https://x.test/'), {
      ...doors,
      outbound,
    });
    const sealed = sealedBefore('an installation', 'https://hooks.slack.test/');
    await sendToSlack(told, automation(sealed), { ...doors, outbound });
    expect(orgs).toEqual(['o1', 'o1']);
  });
});
