/** What a text means where an id goes. Pure: the lists are of the test. */
import { describe, expect, it } from '@jest/globals';
import { Refused, type Answer, type Client } from '../../../cli/client/client.js';
import { resolveReference } from '../../../cli/references/references.js';

const ID = '5f3e7c1a-6a0e-4d7b-9f57-0c8f2f1f6a11';
const CAMPAIGNS = [
  { id: ID, name: 'Solar CA', status: 'ACTIVE' },
  { id: '5f3e7c1b-6a0e-4d7b-9f57-0c8f2f1f6a12', name: 'Solar TX', status: 'PAUSED' },
  { id: '0cb0862f-15ac-4a16-920d-85fa98644c88', name: 'solar ca', status: 'ARCHIVED' },
  { id: '1cb0862f-15ac-4a16-920d-85fa98644c88', name: 'Roofs', status: 'ACTIVE' },
  { id: 'old-id', name: '5f3e7c1a', status: 'ACTIVE' },
];

/** A client of these answers, and the calls that it made. */
function fake(answer: (action: string, input: Record<string, unknown>) => Answer) {
  const calls: { action: string; input: Record<string, unknown> }[] = [];
  const client: Client = {
    run: (action, input) => {
      calls.push({ action, input });
      return Promise.resolve().then(() => answer(action, input));
    },
    whoami: () => Promise.reject(new Error('not asked')),
  };
  const connection = { url: 'http://a', urlSource: 'x', key: 'k', keySource: 'LEADWIRE_API_KEY' };
  return { calls, lookup: { client, connection, environment: { HOME: '/nowhere' } } };
}
const listed = () => fake(() => ({ data: CAMPAIGNS, next_cursor: null }));
const meant = (text: string) => resolveReference(listed().lookup, 'campaign_id', text);

describe('a whole id', () => {
  it.each([
    ['campaign_id', ID],
    ['lead_id', '019ac001-71d2-7a3d-8a51-0f2b6c9e7d10'],
    ['funnel_id', 'fun_3f9a60c17a3d4a539a510f2b'],
    ['return_id', `${ID}:${ID}:1`],
    ['delivery_id', `${ID}:2`],
  ] as const)('of %s costs no call', async (key, id) => {
    const { calls, lookup } = listed();
    expect(await resolveReference(lookup, key, id)).toBe(id);
    expect(calls).toEqual([]);
  });
});

describe('a reference', () => {
  it.each([
    ['an id of another form', 'old-id', 'old-id'],
    ['a name', 'Solar CA', ID],
    ['a name, before the beginning of an id', '5f3e7c1a', 'old-id'],
    ['a name in other letters', 'roofs', '1cb0862f-15ac-4a16-920d-85fa98644c88'],
    ['the exact name of two that differ in letters', 'solar ca', CAMPAIGNS[2]?.id],
    ['the beginning of an id, in either case', '5F3E7C1B', CAMPAIGNS[1]?.id],
  ])('is %s', async (_what, text, id) => {
    expect(await meant(text)).toBe(id);
  });

  it('is refused where it could be several, which are shown', async () => {
    await expect(meant('5f3e7c1')).rejects.toMatchObject({
      message:
        '"5f3e7c1" could be any of 2 campaigns:\n  5f3e7c1a  Solar CA  ACTIVE\n  5f3e7c1b  Solar TX  PAUSED',
      hint: 'Give the whole name, or more of the id, as it is shown here.',
    });
    await expect(meant('SOLAR CA')).rejects.toThrow('"SOLAR CA" could be any of 2 campaigns:');
  });

  it('is refused where there is none, with those whose names are near', async () => {
    await expect(meant('solar')).rejects.toMatchObject({
      message: expect.stringMatching(
        /^There is no campaign solar\.\nNear it:\n {2}5f3e7c1a {2}Solar CA .*\n.*Solar TX.*\n.*solar ca/,
      ) as unknown,
      hint: 'List them: leadwire campaigns list',
    });
    await expect(meant('Rofs')).rejects.toThrow('Near it:\n  1cb0862f  Roofs  ACTIVE');
    // A word of the name is enough.
    await expect(meant('Solr')).rejects.toThrow('Near it:\n  5f3e7c1a  Solar CA  ACTIVE');
    // Three signs are the beginning of too many ids.
    await expect(meant('1cb')).rejects.toThrow(/^There is no campaign 1cb\.$/);
  });

  it('shows no control sequences of names', async () => {
    const { lookup } = fake(() => ({ data: [{ id: ID, name: 'Solar \u001b[2J' }] }));
    await expect(resolveReference(lookup, 'campaign_id', 'solar')).rejects.toThrow(
      'Near it:\n  5f3e7c1a  Solar  [2J',
    );
  });

  it('is left to the server where the key may not see the list', async () => {
    const { lookup } = fake(() => {
      throw new Refused(403, { error: 'forbidden', message: 'no' });
    });
    expect(await resolveReference(lookup, 'campaign_id', 'Solar CA')).toBe('Solar CA');
  });

  it('is looked for on every page, and by its name alone where there are too many', async () => {
    const { calls, lookup } = fake((_action, { cursor }) => {
      const page = typeof cursor === 'string' ? Number(cursor) : 0;
      const row = { id: `2cb0862f-0000-4000-8000-00000000000${page}`, name: `N${page}` };
      return { data: [row], next_cursor: String(page + 1) };
    });
    expect(await resolveReference(lookup, 'campaign_id', 'n9')).toMatch(/9$/);
    expect(calls.map(({ input }) => input.cursor)).toEqual([
      undefined,
      ...'1 2 3 4 5 6 7 8 9'.split(' '),
    ]);
    await expect(
      resolveReference(lookup, 'campaign_id', '2cb0862f-0000-4000-8000-000000000009'),
    ).resolves.toMatch(/9$/);
    await expect(
      resolveReference(lookup, 'campaign_id', '2cb0862f-0000-4000-8000-00000000000'),
    ).rejects.toThrow('Only the first 10 were looked through: name it by its whole id.');
  });
});

describe('@last', () => {
  it('is of a stored profile: for a key of the environment nothing is stored', async () => {
    await expect(meant('@last')).rejects.toThrow(
      /^@last is of a stored profile, and this key is from LEADWIRE_API_KEY/,
    );
  });
});
