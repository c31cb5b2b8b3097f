import { describe, expect, it } from '@jest/globals';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { createPaint } from '../../cli/output.js';
import type { Environment } from '../../cli/output.js';
import { runProgram } from '../../cli/program.js';
import type { Terminal } from '../../cli/terminal.js';

function createTerminal(environment: Environment = {}) {
  const out: string[] = [];
  const err: string[] = [];
  const paint = createPaint(false);
  const terminal: Terminal = {
    environment,
    print: (text) => void out.push(text),
    say: (text) => void err.push(text),
    paint,
    sayPaint: paint,
  };
  return { terminal, out, err };
}

describe('leadwire', () => {
  it.each([[['--help']], [['help']], [['up', '--help']], [['help', 'demo']]])(
    'shows help on standard output for %j, within 110 columns',
    async (args) => {
      const { terminal, out, err } = createTerminal();
      expect(await runProgram(args, terminal)).toBe(0);
      const text = out.join('\n');
      expect(text).toContain('Usage: leadwire');
      expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThan(110);
      expect(err).toEqual([]);
    },
  );

  it('shows its version', async () => {
    const { terminal, out } = createTerminal();
    expect(await runProgram(['--version'], terminal)).toBe(0);
    expect(out.join('')).toMatch(/^\d+\.\d+\.\d+$/);
  });

  it.each([
    [[], 'Usage: leadwire'],
    [['upp'], "unknown command 'upp'"],
    [['up', '--wrong'], "unknown option '--wrong'"],
    [['demo', 'extra'], 'too many arguments'],
  ])('exits with 2 and explains on standard error for %j', async (args, message) => {
    const { terminal, out, err } = createTerminal();
    expect(await runProgram(args, terminal)).toBe(2);
    expect(err.join('\n')).toContain(message);
    expect(out).toEqual([]);
  });

  it('names a setting that is not valid, as a mistake of the caller', async () => {
    const { terminal } = createTerminal({ PORT: 'eighty' });
    await expect(runProgram(['up'], terminal)).rejects.toMatchObject({
      name: 'UsageError',
      message: expect.stringContaining('PORT'),
    });
  });

  it('says that a port is taken before it starts anything', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    const { terminal } = createTerminal({ PORT: String(port), LEADWIRE_HOME: '/nowhere/at/all' });
    await expect(runProgram(['up'], terminal)).rejects.toThrow(
      `Port ${port} is taken: something listens on 127.0.0.1:${port} already.`,
    );
    await new Promise((resolve) => other.close(resolve));
  });

  it('says that a demo lets deliveries go to this machine', async () => {
    const { terminal, err } = createTerminal({ PORT: 'eighty' });
    await expect(runProgram(['up', '--demo'], terminal)).rejects.toThrow('PORT');
    expect(err.join('\n')).toContain('OUTBOUND_ALLOW_PRIVATE is on');
  });
});
