/** Recorded histories of workflows on a real server, one file for each path. */
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import proto from '@temporalio/proto';

const { History } = proto.temporal.api.history.v1;
type History = proto.temporal.api.history.v1.IHistory;

/** Each path, and the proof in its history that it was taken: minimum numbers of events by type. */
export const PATHS = {
  'intake-one-lead': { MARKER_RECORDED: 1, WORKFLOW_EXECUTION_UPDATE_COMPLETED: 1 },
  'intake-group': { MARKER_RECORDED: 1, WORKFLOW_EXECUTION_UPDATE_COMPLETED: 1 },
  'intake-settled-later': { MARKER_RECORDED: 2, TIMER_FIRED: 1 },
  'intake-failed-then-retried': { MARKER_RECORDED: 2, TIMER_FIRED: 1 },
  'destination-drained': { ACTIVITY_TASK_COMPLETED: 2, TIMER_FIRED: 1 },
  'destination-woken-while-resting': { WORKFLOW_EXECUTION_SIGNALED: 2, TIMER_FIRED: 1 },
  'endpoint-drained': { ACTIVITY_TASK_COMPLETED: 2, TIMER_FIRED: 1 },
  'pings-expired': { TIMER_FIRED: 1, ACTIVITY_TASK_COMPLETED: 1 },
  'outcomes-made': { MARKER_RECORDED: 1, WORKFLOW_EXECUTION_UPDATE_COMPLETED: 1 },
  'outcomes-of-a-delivery-under-way': { MARKER_RECORDED: 3, TIMER_FIRED: 1 },
  'outcomes-expired': { TIMER_FIRED: 1, ACTIVITY_TASK_COMPLETED: 1 },
  reconcile: { ACTIVITY_TASK_COMPLETED: 1 },
} as const satisfies Record<string, Record<string, number>>;

export type HistoryName = keyof typeof PATHS;
export const HISTORY_NAMES = Object.keys(PATHS) as HistoryName[];

/** A history as stored in its file: enums by name, bytes in base64. Only the fields used here. */
export interface RecordedHistory {
  events: { eventType: string; [attributes: string]: unknown }[];
}

/** The history in the form that a worker replays. */
export const revive = (recorded: RecordedHistory): History => History.fromObject(recorded);

const fileOf = (name: HistoryName): string =>
  join(projectRoot(), 'test', 'fixtures', 'histories', `${name}.json`);

export const readHistory = async (name: HistoryName): Promise<RecordedHistory> =>
  JSON.parse(await readFile(fileOf(name), 'utf8')) as RecordedHistory;

/** Writes a history without the names of the machine, process and folders of the recording. */
export async function writeHistory(name: HistoryName, history: History): Promise<void> {
  const plain = History.toObject(History.fromObject(history), {
    enums: String,
    longs: String,
    bytes: String,
  });
  const json = JSON.stringify(plain, null, 1)
    .replaceAll(/\d+@[\w.]+/g, 'recorder')
    .replaceAll(/file:[^\s":]*\//g, '');
  await writeFile(fileOf(name), `${json}\n`);
}

export const countOf = (history: RecordedHistory, type: string): number =>
  history.events.filter(({ eventType }) => eventType === `EVENT_TYPE_${type}`).length;

/** The folder of package.json: tests run from the compiled output, fixtures are stored with the sources. */
export function projectRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) {
    const parent = dirname(folder);
    if (parent === folder) throw new Error('No package.json above the tests');
    folder = parent;
  }
  return folder;
}
