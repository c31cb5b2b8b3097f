import { describe, expect, it } from '@jest/globals';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { failed, runCli } from '../support/cli.js';

describe('leadwire', () => {
  it.each([
    [[]],
    [['--profile', 'a']],
    [['--help']],
    [['help']],
    [['--profile', 'a', 'help']],
    [['campaigns']],
    [['operator']],
    [['operator', 'deliveries']],
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
    const { stdout, ...ended } = await runCli(args);
    expect(ended).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('Usage: leadwire');
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThan(110);
  });

  it.each([
    ['campaigns create'],
    ['campaigns'],
    ['operator deliveries resolve'],
    ['operator'],
    ['login'],
    ['returns accept'],
    // An old spelling, which no list shows.
    ['leads get-trail'],
  ])('shows the page of %s by help, as by --help', async (path) => {
    const words = path.split(' ');
    const [first = '', ...rest] = words;
    const page = await runCli([...words, '--help']);
    expect(page.stdout).toContain(`Usage: leadwire ${path} [options]`);
    expect(await runCli(['help', ...words])).toEqual(page);
    if (rest.length > 0) expect(await runCli([first, 'help', ...rest])).toEqual(page);
    // An id after the command, as in the line that a person tried.
    if (path === 'campaigns create') expect(await runCli(['help', ...words, 'ID'])).toEqual(page);
  });

  it.each([
    ['returns', ['resolve']],
    ['portal', ['resolve-change']],
    ['leads', ['get-trail']],
  ])('lists no old spelling among the commands of %s', async (noun, old) => {
    const { stdout } = await runCli([noun]);
    const listed = stdout.slice(stdout.indexOf('Commands:')).matchAll(/^ {2}([a-z-]+)/gm);
    const names = [...listed].map(([, name]) => name);
    expect(names).toContain('help');
    for (const name of old) expect(names).not.toContain(name);
    expect((await runCli(['__complete', '--', noun, ''])).stdout).not.toMatch(
      new RegExp(`^(?:${old.join('|')})\\t`, 'm'),
    );
  });

  it('completes the words of a command after help', async () => {
    const { stdout } = await runCli(['__complete', '--', 'help', 'campaigns', 'set-f']);
    expect(stdout).toMatch(/^set-fields\t.*\nset-filters\t/);
  });

  it('shows its version', async () => {
    const { code, stdout } = await runCli(['--version']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it.each([
    [['upp'], "unknown command 'upp'"],
    [['help', 'nosuch'], "unknown command 'nosuch'\n(leadwire --help"],
    [['help', 'campaign'], "unknown command 'campaign'\n(Did you mean campaigns?)"],
    [['--profile', 'a', 'help', 'upp'], "unknown command 'upp'\n(Did you mean up?)"],
    [['campaigns', 'help', 'lst'], "unknown command 'lst'\n(Did you mean list?)"],
    [['help', 'campaigns', 'creat'], "unknown command 'creat'\n(Did you mean create?)"],
    [['help', 'operator', 'deliveries', 'dro'], "unknown command 'dro'\n(Did you mean drop?)"],
    [['up', '--wrong'], "unknown option '--wrong'"],
    [['demo', 'extra'], 'too many arguments'],
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
    [['campaigns', 'lst'], "unknown command 'lst'"],
    [['campaigns', 'list', '--statu', 'x'], 'Did you mean --status'],
    [['operator', 'events', 'list', '--type', 'lead.lost'], 'Allowed choices are lead.created'],
  ])('exits with 1 and explains on standard error for %j', async (args, message) => {
    const { code, stdout, stderr } = await runCli(args);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(message);
  });

  it('reports an invalid setting as a usage error', async () => {
    expect(await runCli(['up'], { PORT: 'eighty' })).toEqual(failed(1, /^Error: .*\n {2}PORT: /));
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
    const { code, stdout, stderr } = await runCli(args, environment);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^Error: /);
    expect(stderr).toContain(name);
  });

  it('reports a port in use before it starts anything', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    const ended = await runCli(['up'], { PORT: String(port), LEADWIRE_HOME: '/nowhere/at/all' });
    expect(ended).toMatchObject({ code: 1, stdout: '' });
    expect(ended.stderr).toContain(
      `Error: Port ${port} is in use: another process listens on 127.0.0.1:${port}.`,
    );
    await new Promise((resolve) => other.close(resolve));
  });

  it('warns that a demo allows deliveries to this machine', async () => {
    const ended = await runCli(['up', '--demo'], { PORT: 'eighty' });
    expect(ended).toEqual(failed(1, /^OUTBOUND_ALLOW_PRIVATE is on.*\nError: .*\n {2}PORT: /));
  });
});
