import { describe, expect, it } from '@jest/globals';
import { membersOf } from '../../../cli/stack/serveApart.js';
import { restartDelayMs } from '../../../cli/stack/supervisor.js';

describe('a process that ends by itself', () => {
  it('is started again after a pause that doubles up to half a minute', () => {
    expect([1, 2, 3, 7, 100].map(restartDelayMs)).toEqual([500, 1_000, 2_000, 30_000, 30_000]);
  });
});

describe('the processes of leadwire up', () => {
  const ofMembers = (healthPort: number | undefined, HEALTH_PORT?: string) =>
    membersOf({ processes: 2, healthPort }, { HEALTH_PORT, PORT: '80' });

  it('are those that accept leads, and one that drains queues', () => {
    expect(ofMembers(undefined)).toEqual([
      { role: 'intake', environment: { PORT: '80' } },
      { role: 'intake', environment: { PORT: '80' } },
      { role: 'delivery', environment: { PORT: '80' } },
    ]);
  });

  it('each have a port of health and metrics', () => {
    const ports = (members: ReturnType<typeof membersOf>) =>
      members.map(({ environment }) => environment.HEALTH_PORT);
    expect(ports(ofMembers(9_000, '9000'))).toEqual(['9000', '9001', '9002']);
    expect(ports(ofMembers(0, '0'))).toEqual(['0', '0', '0']);
    expect(ports(ofMembers(undefined))).toEqual([undefined, undefined, undefined]);
  });
});
