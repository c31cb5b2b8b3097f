/** Mail addresses, for a reader of settings. */
import { problemsOf } from '../../../lib/schema/zodIssues.js';
import { OptionalAddresses } from '../settingKinds.js';
import type { SettingReader } from './reader.js';

/** Each once; none where a problem was noted, or nothing given. */
export function readAddresses(read: SettingReader, key: string): string[] {
  const found = OptionalAddresses.safeParse(read.given(key), { reportInput: true });
  if (found.success) return found.data;
  for (const { code, rule } of problemsOf(found.error)) read.problem(key, code, `${rule}.`);
  return [];
}
