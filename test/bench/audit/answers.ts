/** The answers that suppliers received in a run of the benchmark, recorded for the audits afterward. */
import { ERROR_STATUS } from '../../../src/lib/errors.js';
import { aPerson, type Answer, type Supplier } from '../../support/supplier.js';

/** What a 2xx says about the lead. */
export type Told = 'delivered' | 'pending' | 'UNMATCHED' | 'DUPLICATE';

/** By the lead's id: the latest answer. */
export type Answers = Map<string, Told>;

/** A definitive refusal: no lead of this person may be sold. */
export interface Refusal {
  status: number;
  orgId: string;
  /** In the normal form of the field. */
  phone: string;
}

/** At most this many leads may reach a buyer. */
export interface NotedCap {
  buyerId: string;
  leads: number;
}

interface Notes {
  answers: Answers;
  refusals: Refusal[];
  /** Organization of the supplier. */
  orgId: string;
}

/** After these the result is unknown: the lead may be sold. */
const UNKNOWN: readonly number[] = [ERROR_STATUS.internal, ERROR_STATUS.outcome_unknown];

/** A supplier whose answers are recorded. A repeat gets the answer of its first request. */
export function noting(supplier: Supplier, { answers, refusals, orgId }: Notes): Supplier {
  const noted = async (
    fields: Record<string, unknown> | undefined,
    post: (fields: Record<string, unknown>) => Promise<Answer>,
  ): Promise<Answer> => {
    const person = { ...aPerson(), ...fields };
    const answer = await post(person);
    const { status, data } = answer;
    if (status >= 200 && status < 300 && data)
      answers.set(data.id, (data.delivery ?? data.status) as Told);
    if (status >= 400 && !UNKNOWN.includes(status) && typeof person.phone === 'string')
      refusals.push({ status, orgId, phone: `+1${person.phone}` });
    return answer;
  };
  return {
    post: (fields, options) => noted(fields, (person) => supplier.post(person, options)),
    postUntilTaken: (fields) => noted(fields, (person) => supplier.postUntilTaken(person)),
    close: () => supplier.close(),
  };
}
