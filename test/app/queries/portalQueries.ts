/** Queries of portals and change requests. */
import { createChangeRequest, listChangeRequests } from '../../../src/portal/changeRequests.js';
import { listPortals } from '../../../src/portal/configure.js';
import { readSettings } from '../../../src/portal/settings.js';
import { before } from '../../support/storedRows.js';
import type { TestDatabase } from '../../support/database.js';
import type { Recorder } from './explain.js';

const PARTY = { side: 'buyer', party_id: 'party-1' } as const;
const PAGES = [null, { at: before(400_000), id: 'chg_00400' }];

export async function sendPortals(
  { during }: Pick<Recorder, 'during'>,
  collections: TestDatabase['collections'],
): Promise<void> {
  const refused = (work: Promise<unknown>) => work.catch(() => undefined);
  await during('readSettings', () => readSettings(collections, 'org', PARTY));
  for (const after of PAGES) {
    const wanted = { after, limit: 5 };
    for (const side of [undefined, 'buyer'] as const)
      await during(`listPortals ${side ?? ''}`, () =>
        listPortals(collections, 'org', side, wanted),
      );
    for (const narrow of [{}, { state: 'pending' }, { party: PARTY }, { id: 'chg_00400' }] as const)
      await during(`listChangeRequests ${Object.keys(narrow).join(' ')}`, () =>
        listChangeRequests(collections, { org_id: 'org', ...narrow }, wanted),
      );
  }
  const by = { kind: 'person', id: 'per_1', name: 'Pat' } as const;
  const asked = { status: 'paused' } as const;
  const party = { side: 'buyer', party_id: 'buyers-1' } as const;
  const clock = { now: () => before(0) };
  await during('createChangeRequest', () =>
    refused(
      createChangeRequest(
        { org_id: 'org', party, asked, reason: null, by },
        { collections, clock },
      ),
    ),
  );
}
