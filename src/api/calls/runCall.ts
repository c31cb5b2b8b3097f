/** Runs a call of a key, a person or a partner: checks its rights, reads its input, does its work, and records it. */
import type { Witness } from '../../platform/security/witness.js';
import {
  needsFresh,
  showsPeople,
  usedExits,
  withNull,
  withoutPeople,
  type Exit,
} from '../actions/exits.js';
import { holds } from '../actions/access.js';
import { readInput, invalidInput } from '../actions/readInput.js';
import { audited } from './audit.js';
import { seesNoPeople, type Caller } from './caller.js';
import type { Call, CallContext, CallResult, Definition, ReadBody } from './definition.js';
import type { RecordRead } from './readAudit.js';
import {
  requireFresh,
  requireFurther,
  requireGrantable,
  requireRights,
  requireSight,
} from './rights.js';
import { AppError } from '../../lib/errors.js';
import { inputRefused, notYours } from '../partner/refusals.js';

export interface Records {
  recordRead: RecordRead;
  /** The security log. */
  witness: Witness;
}

/**
 * Returns the call's result. If that shows data of people, the read is recorded first; without a record nothing is
 * shown.
 * @throws {AppError} `forbidden` naming what the caller lacks, `invalid_input`, `record_not_found` (for partners
 * `not_found`), and the refusals of the call
 */
export async function runCall<C extends CallContext>(
  call: Call<C>,
  context: C,
  body: ReadBody,
  { recordRead, witness }: Records,
): Promise<CallResult> {
  const { caller } = context;
  const { input, exits, entry, kept } = await enterCall(call, caller, body);
  const work = async () => {
    requireGrantable(call, input, caller);
    return runWork(call, input, context).catch((error: unknown) => refused(error, call, caller));
  };
  const isChange = call.effect !== 'read' || needsFresh(exits);
  const result = await (isChange ? audited(entry, kept, context, work) : work());
  const isBlind = seesNoPeople(caller);
  if (showsPeople(exits, isBlind)) await recordRead(entry, kept, context);
  const data = shown(call, call.output.parse(result.data), caller);
  if (call.guards) witness.ran(call.guards, entry.name);
  return { ...result, data: isBlind ? withoutPeople(data, exits) : data };
}

/** A call that may run, with what it records of itself. */
export interface Entered {
  input: Record<string, unknown>;
  exits: readonly Exit[];
  entry: { name: string };
  /** The input without what may identify a person. */
  kept: Record<string, unknown>;
}

/** @throws {AppError} `forbidden` naming what the caller lacks, `invalid_input` */
export async function enterCall(
  call: Definition,
  caller: Caller,
  body: ReadBody,
): Promise<Entered> {
  // A partner without the rights gets its refusal before its body is read; a program gets the faults of its body first.
  if (caller.party) {
    requireRights(call, caller);
    requireFresh(call.letsOut, caller);
  }
  const sent = await body(call.bodyMax);
  requireRights(call, caller);
  const input = readInput(call.input, sent);
  const exits = usedExits(call, input);
  requireFurther(call, input, caller);
  requireSight(call, exits, caller);
  requireFresh(exits, caller);
  return { input, exits, entry: { name: recordedName(call, caller) }, kept: hidden(input, call) };
}

/** Distinguishes a partner's calls from the organization's in the records. */
export const recordedName = ({ name }: { name: string }, { party }: Pick<Caller, 'party'>) =>
  party ? `${party.kind}_portal.${name}` : name;

const hidden = (input: Record<string, unknown>, { hides = [] }: Definition) => ({
  ...input,
  ...Object.fromEntries(hides.filter((key) => key in input).map((key) => [key, '[hidden]'])),
});

const runWork = async <C>(
  call: Call<C>,
  input: Record<string, unknown>,
  context: C,
): Promise<CallResult> =>
  call.paged ? call.run(input, context) : { data: await call.run(input, context) };

function shown({ shows }: Definition, data: unknown, { permissions }: Caller): unknown {
  if (!shows || holds(permissions, shows.permission)) return data;
  return withNull(data, shows.parts);
}

/** The work's error about a record or a value (contract 9.3). */
export function refused(error: unknown, call: Definition, { party }: Caller): never {
  const isUnknown = error instanceof AppError && error.code === 'not_found';
  if (!party) return isUnknown ? unknownRecord(error) : valueRefused(error, call);
  // A message could name another partner's record: one answer for every record that is not the partner's.
  if (isUnknown) throw notYours();
  return inputRefused(error);
}

function unknownRecord({ message }: AppError): never {
  throw new AppError('record_not_found', message);
}

function valueRefused(error: unknown, { input }: Definition): never {
  const faults =
    error instanceof AppError && error.code === 'validation_failed' && error.extras.field_errors;
  if (!faults) throw error;
  const keys = Object.keys(input.shape);
  throw invalidInput(
    faults.map(({ field, message, code }) => {
      const path = placeIn(keys, field);
      return { path, code, message: message.replaceAll(field, path) };
    }),
  );
}

/** Where the value is in the input: an action on one part of a record has the keys of that part. */
function placeIn(keys: readonly string[], field: string): string {
  const [head = '', ...rest] = field.split('.');
  return !keys.includes(head) && keys.includes(rest[0] ?? '') ? rest.join('.') : field;
}
