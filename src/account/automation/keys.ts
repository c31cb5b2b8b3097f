import { nearest } from '../../domain/nearest.js';
import type { SettingReader } from '../delivery/reader.js';

/** Notes a problem for every setting that the action does not have. */
export function refuseUnknownKeys(
  read: SettingReader,
  input: object,
  known: readonly string[],
  action: string,
): void {
  for (const [key, value] of Object.entries(input)) {
    if (value === undefined || value === null || known.includes(key)) continue;
    const near = nearest(key, known);
    const hint = near === undefined ? ` It has ${known.join(', ')}.` : ` Did you mean ${near}?`;
    read.problem(key, 'not_allowed', `is no setting of the action ${action}.${hint}`);
  }
}
