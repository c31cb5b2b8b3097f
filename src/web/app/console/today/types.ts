import type { OutputOf } from '../../lib/useActions.js';

/** The data of the first screen. */
export type Today = OutputOf<'get_today'>;
