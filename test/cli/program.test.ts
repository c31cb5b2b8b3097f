import { describe, expect, it } from '@jest/globals';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { runProgram } from '../../cli/program.js';
import { createTerminal } from './testTerminal.js';

describe('leadwire', () => {
  it.each([
    [['--help']],
    [['help']],
    [['up', '--help']],
    [['help', 'demo']],
    [['help', 'help']],
    [['campaigns', 'help', 'list']],
    [['operator', 'deliveries', '--help']],
    [['operator', 'deliveries', 'resolve', '--help']],
    [['operator', 'events', 'list', '--help']],
    [['operator', 'leads', 'trail', '--help']],
    [['operator', 'leads', 'replay', '--help']],
    [['campaigns', '--help']],
    [['campaigns', 'create', '--help']],
    [['buyers', 'set-delivery', '--help']],
    [['login', '--help']],
    [['init', '--help']],
  ])('shows help on standard output for %j, within 110 columns', async (args) => {
    const { terminal, out, err } = createTerminal();
    expect(await runProgram(args, terminal)).toBe(0);
    const text = out.join('\n');
    expect(text).toContain('Usage: leadwire');
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThan(110);
    expect(err).toEqual([]);
  });

  it('shows its version', async () => {
    const { terminal, out } = createTerminal();
    expect(await runProgram(['--version'], terminal)).toBe(0);
    expect(out.join('')).toMatch(/^\d+\.\d+\.\d+$/);
  });

  it.each([
    [[], 'Usage: leadwire'],
    [['upp'], "unknown command 'upp'"],
    [['help', 'nosuch'], "unknown command 'nosuch'\n(leadwire --help"],
    [['help', 'campaign'], "unknown command 'campaign'\n(Did you mean campaigns?)"],
    [['--profile', 'a', 'help', 'upp'], "unknown command 'upp'\n(Did you mean up?)"],
    [['campaigns', 'help', 'lst'], "unknown command 'lst'\n(Did you mean list?)"],
    [['up', '--wrong'], "unknown option '--wrong'"],
    [['demo', 'extra'], 'too many arguments'],
    [['operator', 'deliveries'], 'Usage: leadwire operator deliveries'],
    [['operator', 'deliveries', 'list'], "'--buyer <id>' not specified"],
    [
      ['operator', 'deliveries', 'list', '--buyer', 'b', '--limit', '0'],
      'a whole number from 1 to 1000',
    ],
    [
      ['operator', 'deliveries', 'list', '--buyer', 'b', '--state', 'sold'],
      'Allowed choices are parked',
    ],
    [
      ['operator', 'deliveries', 'drop', '--buyer', 'b', '--wait', 'long'],
      'a whole number from 1 to 3600',
    ],
    [
      ['operator', 'deliveries', 'resolve', '--lead', 'a', '--buyer', 'b'],
      "'--result <result>' not specified",
    ],
    [['campaigns'], 'Usage: leadwire campaigns'],
    [['campaigns', 'lst'], "unknown command 'lst'"],
    [['campaigns', 'list', '--statu', 'x'], 'Did you mean --status'],
    [['operator', 'events', 'list', '--type', 'lead.lost'], 'Allowed choices are lead.created'],
  ])('exits with 1 and explains on standard error for %j', async (args, message) => {
    const { terminal, out, err } = createTerminal();
    expect(await runProgram(args, terminal)).toBe(1);
    expect(err.join('\n')).toContain(message);
    expect(out).toEqual([]);
  });

  it('reports an invalid setting as a usage error', async () => {
    const { terminal } = createTerminal({ PORT: 'eighty' });
    await expect(runProgram(['up'], terminal)).rejects.toMatchObject({
      name: 'UsageError',
      message: expect.stringContaining('PORT'),
    });
  });

  it.each([
    ['MONGODB_URI', ['operator', 'deliveries', 'list', '--buyer', 'b'], {}],
    ['MONGODB_URI', ['operator', 'events', 'list'], { MONGODB_URI: '' }],
    [
      'TEMPORAL_ADDRESS',
      ['operator', 'deliveries', 'drop', '--buyer', 'b'],
      { MONGODB_URI: 'mongodb://127.0.0.1/' },
    ],
    [
      '--result',
      ['operator', 'deliveries', 'resolve', '--lead', 'a', '--result', 'accepted'],
      { MONGODB_URI: 'mongodb://127.0.0.1/', TEMPORAL_ADDRESS: '127.0.0.1:1' },
    ],
  ])('reports a missing %s as a usage error: %j', async (name, args, environment) => {
    const { terminal, out } = createTerminal(environment);
    await expect(runProgram(args, terminal)).rejects.toMatchObject({
      name: 'UsageError',
      message: expect.stringContaining(name),
    });
    expect(out).toEqual([]);
  });

  it('reports a port in use before it starts anything', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    const { terminal } = createTerminal({ PORT: String(port), LEADWIRE_HOME: '/nowhere/at/all' });
    await expect(runProgram(['up'], terminal)).rejects.toThrow(
      `Port ${port} is in use: another process listens on 127.0.0.1:${port}.`,
    );
    await new Promise((resolve) => other.close(resolve));
  });

  it('warns that a demo allows deliveries to this machine', async () => {
    const { terminal, err } = createTerminal({ PORT: 'eighty' });
    await expect(runProgram(['up', '--demo'], terminal)).rejects.toThrow('PORT');
    expect(err.join('\n')).toContain('OUTBOUND_ALLOW_PRIVATE is on');
  });
});
