/** The types of the organization's actions, without anything of a browser: also for what tests compute with. */
import type { z } from 'zod';
import type { ActionsByName } from '../../../api/actions/registry.js';

export type ActionName = keyof ActionsByName;
/** The input of an action; the service fills in defaults. */
export type InputOf<N extends ActionName> = z.input<ActionsByName[N]['input']>;
/** The data that an action returns. */
export type OutputOf<N extends ActionName> = z.output<ActionsByName[N]['output']>;
/** A row of an action that returns a list. */
export type RowOf<N extends ActionName> = OutputOf<N> extends readonly (infer R)[] ? R : never;
