import { describe, it, expect } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import type { Fault } from '../evidence/evidence.js';
import { watchLag } from './lag.js';

describe('watchLag', () => {
  it('records the time in which the process got no CPU', async () => {
    const faults: Fault[] = [];
    const stop = watchLag((fault) => faults.push(fault));
    await delay(60);
    const began = Date.now();
    while (Date.now() - began < 400);
    const ended = Date.now();
    await delay(60);
    stop();
    const found = faults.find((fault) => fault.at <= began && (fault.ended ?? 0) >= ended);
    expect(found).toMatchObject({ kind: 'fault', type: 'lag', targets: ['harness'] });
  });
});
