import { expireWindows } from '../../../src/outcomes/expire.js';
import { createOutcomeStore } from '../../../src/outcomes/store/outcomes.js';
import { aChange, applyAll, applyDeps } from '../../outcomes/changes.js';
import { NOW } from '../../support/storedRows.js';
import type { TestDatabase } from '../../support/database.js';
import type { Recorder } from './explain.js';

/** Queries of changes to sold leads: those that are requested, and those that fall due. */
export async function sendOutcomes(
  { during }: Pick<Recorder, 'during'>,
  collections: TestDatabase['collections'],
): Promise<void> {
  const outcomes = createOutcomeStore(collections.outcomes);
  const open = Array.from({ length: 20 }, (_, n) => aChange(`sold-${n}`, { _id: `open-${n}` }));
  await during('outcomes.insert', () => outcomes.insert(open));
  await during('outcomes.get', () => outcomes.get(open.map(({ _id }) => _id)));
  await during('outcomes.left', () => outcomes.left(NOW, 100));
  await during('changes of leads', () => applyAll(open, collections));
  await during('outcomes.forget', () => outcomes.forget(['fresh-1', 'fresh-2']));
  await during('conversion windows', () =>
    expireWindows(NOW, { ...applyDeps(collections), clock: { now: () => NOW } }, () => true),
  );
}
