/** The buyer's calls, with their inputs and outputs by the names that its screens use. */
import type { CallsOf } from '../../../api/partner/registry.js';
import { hooksFor, type Input, type Output } from '../lib/useCalls.js';

type Calls = CallsOf<'buyer'>;
type Name = keyof Calls;

export const { useCall, usePages, useWrite } = hooksFor<Calls>();

/** The input of a call. */
export type InputOf<N extends Name> = Input<Calls[N]>;
/** The output of a call. */
export type OutputOf<N extends Name> = Output<Calls[N]>;
type Row<N extends Name> = OutputOf<N> extends readonly (infer R)[] ? R : never;

export type Sale = Row<'list_sales'>;
export type SaleDetail = OutputOf<'get_sale'>;
export type Outcome = NonNullable<Sale['outcome']>;
export type Attempt = Row<'list_attempts'>;
export type SaleReturn = Row<'list_returns'>;
export type ReturnState = SaleReturn['state'];
export type Allowance = OutputOf<'get_return_allowance'>;
export type Usage = OutputOf<'get_usage'>;
export type Endpoint = OutputOf<'get_endpoint'>;
export type ImportReport = OutputOf<'import_outcomes'>;
export type Terms = Row<'get_terms'>;
export type Change = Row<'list_changes'>;
export type PostbackGuide = OutputOf<'get_postback_guide'>;
