/** The actions of the organization, with the types of their inputs and outputs, as the console's screens run them. */
import type { ActionsByName } from '../../../api/actions/registry.js';
import { hooksFor } from './useCalls.js';

export type { ActionName, InputOf, OutputOf, RowOf } from './actionTypes.js';

export const { useCall, usePages, useWrite } = hooksFor<ActionsByName>();
