import { describe, expect, it } from '@jest/globals';
import { happened, listens, soldAndTold } from './afterStories.js';
import { sold, soldWhenSentAgain, unmatched } from './endings.js';
import { aRun, rulesOf, type StoryRun } from './stories.js';

function aScene() {
  const run = aRun();
  return { run, ...soldAndTold(run) };
}
type Scene = ReturnType<typeof aScene>;

const rules = ({ run }: { run: StoryRun }): string[] => rulesOf(run.finish());

describe('events', () => {
  it('is silent where each was delivered once, and in order', () => {
    expect(rules(aScene())).toEqual([]);
  });

  it('is silent about what is received twice, and where no automation waits for it', () => {
    const scene = aScene();
    scene.run.evidence.after.received.push({ ...scene.first.line });
    sold(scene.run, 'holding', { campaign_id: 'c1' });
    const other = scene.run.evidence.record.leads.at(-1);
    if (other) {
      happened(scene.run, other, 'lead.created');
      happened(scene.run, other, 'lead.accepted');
    }
    unmatched(scene.run);
    const last = scene.run.evidence.record.leads.at(-1);
    if (last) happened(scene.run, last, 'lead.created');
    expect(rules(scene)).toEqual([]);
  });

  it('expects none for a lead that was refused with 503', () => {
    const run = aRun();
    listens(run, 'lead.created');
    const { lead, first } = soldWhenSentAgain(run);
    happened(run, lead, 'lead.created');
    expect(rulesOf(run.finish())).toEqual([]);
    happened(run, first.lead, 'lead.created');
    expect(rulesOf(run.finish())).toEqual(['event_untrue']);
  });

  it.each<[string, string[], (scene: Scene) => void]>([
    [
      'an event that was never written',
      ['event_missing'],
      (scene) => {
        take(scene.run, scene.accepted.event._id);
      },
    ],
    [
      'an outcome without an event',
      ['event_missing'],
      (scene) => {
        take(scene.run, scene.second.event._id);
      },
    ],
    [
      'a second event for the same thing',
      ['event_doubled'],
      ({ run, lead }) => void happened(run, lead, 'lead.accepted'),
    ],
    [
      'two events of the same number',
      ['event_doubled', 'event_missing'],
      ({ run, second }) => {
        second.event.data.n = 3;
        second.event.type = 'lead.expired';
        run.evidence.after.received = run.evidence.after.received.filter(
          (one) => one !== second.line,
        );
        run.evidence.after.eventDeliveries.pop();
      },
    ],
    [
      'an event of what never was',
      ['event_untrue'],
      ({ run, lead }) => {
        listens(run, 'lead.unmatched');
        happened(run, lead, 'lead.unmatched');
      },
    ],
    [
      'an outcome that an event reports as another',
      ['event_untrue'],
      ({ first }) => (first.event.data.outcome = 'converted'),
    ],
    [
      'an event of an unknown lead',
      ['event_misdirected', 'event_missing', 'event_untrue'],
      ({ created }) => (created.event.data.lead_id = 'nobody'),
    ],
    [
      'an event without a delivery',
      ['event_undelivered'],
      ({ run, first }) => {
        const { after } = run.evidence;
        after.eventDeliveries = after.eventDeliveries.filter((one) => one !== first.delivery);
      },
    ],
    [
      'an event that was given up',
      ['event_undelivered'],
      ({ first }) => (first.delivery.state = 'parked'),
    ],
    [
      'an event that still waits',
      ['event_still_waiting'],
      ({ first }) => (first.delivery.state = 'waiting'),
    ],
    [
      'a lead with something left to tell',
      ['lead_untold'],
      ({ lead, first: { event } }) =>
        (lead.untold = [{ n: 5, type: 'lead.outcome', at: event.created_at, data: event.data }]),
    ],
    [
      'a delivery that the receiver knows nothing of',
      ['event_not_received'],
      ({ run, first }) => {
        const { after } = run.evidence;
        after.received = after.received.filter((one) => one !== first.line);
      },
    ],
    [
      'a delivery that the receiver has refused',
      ['event_not_received'],
      ({ first }) => (first.line.status = 503),
    ],
    [
      'an event that is not on record',
      ['event_unknown'],
      ({ run, first }) => run.evidence.after.received.push({ ...first.line, event_id: 'evt_x_1' }),
    ],
    [
      'an event sent by an automation that waits for others',
      ['event_misdirected', 'event_not_received'],
      ({ first }) => (first.line.automation_id = 'on-lead.created'),
    ],
    [
      'a request that is not signed as it should be',
      ['event_flawed'],
      ({ first }) => (first.line.flaw = 'the signature is false'),
    ],
    [
      'an event in other words the second time',
      ['event_changed'],
      ({ run, first }) => run.evidence.after.received.push({ ...first.line, body: 'other' }),
    ],
    [
      'a later event of a lead before an earlier one',
      ['event_out_of_order'],
      ({ run, first, second }) => {
        const others = run.evidence.after.received.filter(
          (one) => one !== first.line && one !== second.line,
        );
        run.evidence.after.received = [...others, second.line, first.line];
      },
    ],
  ])('reports %s', (_, expected, breakIt) => {
    const scene = aScene();
    breakIt(scene);
    expect(rules(scene).sort()).toEqual(expected);
  });
});

/** As if the event had never been written. */
function take({ evidence: { after } }: StoryRun, id: string): void {
  after.events = after.events.filter(({ _id }) => _id !== id);
  after.eventDeliveries = after.eventDeliveries.filter(({ event_id }) => event_id !== id);
  after.received = after.received.filter(({ event_id }) => event_id !== id);
}
