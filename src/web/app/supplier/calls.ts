/** The supplier's calls, with their inputs and outputs. */
import type { CallsOf } from '../../../api/partner/registry.js';
import { hooksFor, type Input, type Output } from '../lib/useCalls.js';

type Calls = CallsOf<'supplier'>;

export const { useCall, usePages, useWrite } = hooksFor<Calls>();

export type InputOf<N extends keyof Calls> = Input<Calls[N]>;
export type OutputOf<N extends keyof Calls> = Output<Calls[N]>;
