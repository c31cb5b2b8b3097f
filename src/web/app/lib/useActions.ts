/** The actions of the organization, with the types of their inputs and outputs, as the console's screens run them. */
import type { ActionsByName } from '../../../api/actions/registry.js';
import { hooksFor, type Input, type Output } from './useCalls.js';

export type ActionName = keyof ActionsByName;
/** The input of an action; the service fills in defaults. */
export type InputOf<N extends ActionName> = Input<ActionsByName[N]>;
/** The data that an action returns. */
export type OutputOf<N extends ActionName> = Output<ActionsByName[N]>;
/** A row of an action that returns a list. */
export type RowOf<N extends ActionName> = OutputOf<N> extends readonly (infer R)[] ? R : never;

export const { useCall, usePages, useWrite } = hooksFor<ActionsByName>();
