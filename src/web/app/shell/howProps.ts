import type { ActionName } from '../lib/useActions.js';

/** What is asked for. */
export interface HowMenuProps {
  action: ActionName;
  /** As the screen calls it; `undefined` values are left out. */
  input?: Readonly<Record<string, unknown>>;
}
