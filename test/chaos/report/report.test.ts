import { describe, expect, it } from '@jest/globals';
import { aRun } from '../checker/stories.js';
import type { Violation } from '../evidence/evidence.js';
import { describeRun, faultsOf, lastLine, loadOf } from './report.js';
import type { RunResult } from '../run.js';

function aResult(
  violations: Violation[] = [],
  layout: RunResult['layout'] = 'together',
): RunResult {
  const run = aRun();
  for (let op = 0; op < 10; op++) {
    const answer = op < 9 ? 'delivered' : null;
    const asked = run.asks({ intent: Math.min(op, 8) });
    run.told(asked, {
      answer,
      outcome: answer === null ? 'info' : 'ok',
      at: asked.at + 100 * (op + 1),
      replayed: op === 8,
    });
  }
  run.fault({ targets: ['api'] });
  run.fault({ targets: ['worker', 'api'] });
  run.fault({ targets: ['api', 'worker', 'worker', 'delivery', 'temporal', 'mongod'] });
  run.fault({ type: 'network', targets: ['b1'], detail: 'cut_after 0.5' });
  const evidence = run.finish();
  evidence.history.push({ kind: 'seen', state: 'reached', count: 3 });
  evidence.history.push({ kind: 'seen', state: 'unseen', count: 0 });
  evidence.history.push({ kind: 'seen', state: 'load skipped', count: 4 });
  return {
    layout,
    evidence,
    violations,
    kills: 9,
    postedFor: 3,
    folder: null,
    unsettled: { open: 0, held: 2, sending: 0, reservations: 0, outcomes: 0, telling: 0 },
    processes: { api: { starts: 3, failed: 1 } },
  };
}

describe('the report of a run', () => {
  it('counts leads, requests, answers and how long they took', () => {
    expect(loadOf(aResult().evidence, 3)).toEqual({
      requests: 10,
      intents: 9,
      answers: { delivered: 8, 'delivered (replayed)': 1, none: 1 },
      acknowledged: 9,
      skipped: 4,
      perSecond: { begun: 3, acknowledged: 3 },
      latency: { p50: 500, p99: 800 },
    });
  });

  it('counts faults by type and targets', () => {
    expect(faultsOf(aResult().evidence)).toEqual({
      'kill all at once': 1,
      'kill api': 1,
      'kill api + worker': 1,
      'network cut_after': 1,
    });
  });

  it('marks states that were never reached', () => {
    const lines = describeRun(aResult());
    expect(lines).toContain('       3  reached');
    expect(lines).toContain('       0  unseen  <- never reached');
    expect(lines).toContain('  held for an answer that never came: 2');
    expect(lines).toContain('  api  3 (1)');
  });

  it('shows each violation with its rule, its account and the command to run it again', () => {
    const violation: Violation = { total: 'lost', rule: 'lead_lost', what: 'lead 1 is gone' };
    const result = aResult([violation, { ...violation, what: 'lead 2 is gone' }]);
    const lines = describeRun(result);
    expect(lines).toContain('  lost: lead_lost  2');
    expect(lines).toContain('lost, lead_lost: lead 1 is gone');
    expect(lines.at(-1)).toBe('Run it again: npm run chaos -- --seed seed --kills 9');
    expect(describeRun(aResult([violation], 'apart')).at(-1)).toBe(
      'Run it again: npm run chaos -- --seed seed --kills 9 --roles apart',
    );
    expect(describeRun(aResult()).join('\n')).not.toContain('What must not be');
  });

  it('ends with the totals', () => {
    expect(lastLine(aResult())).toBe(
      'kills 9, acknowledged 0, lost 0, doubled 0, over cap 0, money off 0, false answers 0, undecided 0, crashed 0, untested 0',
    );
  });
});
