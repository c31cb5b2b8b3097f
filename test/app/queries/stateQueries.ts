import { readServiceState } from '../../../src/app/serviceState.js';
import { createLabels } from '../../../src/platform/metrics/labels.js';
import { createCapStore } from '../../../src/routing/store/caps.js';
import { NOW } from '../../support/storedRows.js';
import type { TestDatabase } from '../../support/database.js';
import type { Recorder } from './explain.js';

/** What is read for the metrics. */
export async function sendState(
  { during }: Pick<Recorder, 'during'>,
  collections: TestDatabase['collections'],
): Promise<void> {
  const deps = {
    collections,
    caps: createCapStore(collections.caps),
    clock: { now: () => NOW },
  };
  const labels = { campaigns: createLabels(100), buyers: createLabels(100) };
  await during('readServiceState', () => readServiceState(deps, labels));
}
