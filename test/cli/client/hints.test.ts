/** Where an address comes from, when no server answers at it. */
import { describe, expect, it } from '@jest/globals';
import { runCli } from '../../support/cli.js';
import { unreachable } from '../../../cli/client/client.js';
import { requireConnection } from '../../../cli/client/connection.js';
import { explain } from '../../../cli/client/hints.js';
import { describeError } from '../../../cli/terminal/errors.js';

/** Nothing listens there. */
const NOWHERE = 'http://127.0.0.1:1';
const KEY = { HOME: '/nowhere/at/all', LEADWIRE_API_KEY: 'k' };

describe('an address at which no server answers', () => {
  it.each([
    ['is from LEADWIRE_URL', { ...KEY, LEADWIRE_URL: NOWHERE }],
    ['is the default', KEY],
  ])('%s, whichever key is used', (origin, environment) => {
    const connection = requireConnection(environment, undefined);
    const refused = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
    const told = explain(unreachable(connection.url, refused), null, connection);
    expect(describeError(told, false)).toContain(`The address ${origin}.`);
  });

  it('has the same origin in the doctor', async () => {
    const { code, stdout } = await runCli(['doctor'], { ...KEY, LEADWIRE_URL: NOWHERE });
    expect(code).toBe(1);
    expect(stdout).toContain(`${NOWHERE} (from LEADWIRE_URL)`);
  });
});
