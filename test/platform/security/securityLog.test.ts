import { describe, expect, it } from '@jest/globals';
import { createLog } from '../../../src/lib/log.js';
import { createMetrics } from '../../../src/platform/metrics.js';
import {
  createSecurityLog,
  SECURITY_EVENTS,
  type SecurityEvent,
} from '../../../src/platform/security/securityLog.js';
import { waitFor } from '../../support/waitFor.js';

const CALLER = { actor: 'api_key', org_id: 'org-1', id: 'key-1' } as const;
const WHERE = { address: '192.0.2.1', method: 'POST', route: '/mcp', request_id: 'r-1' };

function start(windowMs = 60_000) {
  const lines: Record<string, unknown>[] = [];
  const texts: string[] = [];
  const write = (text: string) => {
    texts.push(text);
    lines.push(JSON.parse(text) as Record<string, unknown>);
  };
  const metrics = createMetrics();
  const security = createSecurityLog({
    log: createLog('info', 'api', { write }),
    metrics,
    windowMs,
  });
  const record = (more: Partial<SecurityEvent> = {}): void =>
    security.record({ event: 'auth_failed', ...WHERE, ...more });
  const count = async (): Promise<number> => {
    const { values } = await metrics.securityEvents.get();
    return values.reduce((sum, { value }) => sum + value, 0);
  };
  return { lines, texts, security, record, count };
}

describe('the security log', () => {
  it('records caller, address and request, with the same names each time', () => {
    const { lines, record } = start();
    record({ event: 'permission_refused', caller: CALLER, reason: 'It needs leads:read.' });
    expect(lines).toEqual([
      {
        level: 30,
        time: expect.any(Number),
        role: 'api',
        msg: 'security',
        event: 'permission_refused',
        org_id: 'org-1',
        actor: 'api_key',
        actor_id: 'key-1',
        ...WHERE,
        reason: 'It needs leads:read.',
      },
    ]);
  });

  it('writes the first at once, and the others of the same caller as one count', async () => {
    const { lines, record, count, security } = start();
    for (let n = 0; n < 500; n += 1) record();
    for (let n = 0; n < 500; n += 1) record({ event: 'rate_limited', caller: CALLER });
    expect(lines).toHaveLength(2);
    security.close();
    expect(lines.slice(2)).toMatchObject([
      { event: 'auth_failed', address: '192.0.2.1', count: 499, since: expect.any(String) },
      { event: 'rate_limited', actor_id: 'key-1', count: 499 },
    ]);
    expect(await count()).toBe(1_000);
  });

  it('restarts its count after the window', async () => {
    const { lines, record } = start(20);
    record();
    record();
    await waitFor(() => lines.length === 2);
    record();
    expect(lines).toMatchObject([{}, { count: 1 }, { event: 'auth_failed' }]);
    expect(lines[2]).not.toHaveProperty('count');
  });

  it('writes a bounded number of lines however many addresses call', async () => {
    const { lines, record, count, security } = start();
    for (const event of SECURITY_EVENTS) {
      for (let n = 0; n < 2_000; n += 1) record({ event, address: `address ${n % 1_000}` });
    }
    security.close();
    expect(lines.length).toBeLessThanOrEqual(SECURITY_EVENTS.length * (60 + 60 + 1));
    expect(lines).toContainEqual(
      expect.objectContaining({ event: 'auth_failed', others: true, count: 2_000 - 120 }),
    );
    expect(await count()).toBe(SECURITY_EVENTS.length * 2_000);
  });

  it('limits external values, and keeps them on one line', () => {
    const { lines, texts, record } = start();
    record({ reason: `Pages of \n\u001b[31m{"level":60}\r\n${'x'.repeat(5_000)}` });
    expect(texts[0]?.trimEnd()).not.toMatch(/\p{Cc}/u);
    expect((lines[0]?.reason as string).length).toBe(200);
  });

  it('writes each command of an operator', () => {
    const { lines, record } = start();
    for (const request_id of ['a', 'b', 'c'])
      record({ event: 'operator_command', caller: CALLER, action: 'drop_deliveries', request_id });
    expect(lines.map(({ request_id, action }) => [request_id, action])).toEqual([
      ['a', 'drop_deliveries'],
      ['b', 'drop_deliveries'],
      ['c', 'drop_deliveries'],
    ]);
  });
});
