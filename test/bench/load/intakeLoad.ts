/** Suppliers that post leads of a campaign, by default of the measured one. */
import type { AccountSpec, TestAccount } from '../../support/account.js';
import type { Answer } from '../../support/supplier.js';
import type { Bench } from '../bench.js';
import { measuredCampaign, measuredLead } from './campaign.js';
import { PENDING, senderOf, type Sender } from './stage.js';

export interface IntakeLoad extends Sender {
  account: TestAccount;
  /** Ids of the last acknowledged leads, each under the number of its supplier. */
  last: ReadonlyMap<number, string>;
}

export async function openIntake(
  bench: Bench,
  spec: (buyerUrl: string) => AccountSpec = measuredCampaign,
): Promise<IntakeLoad> {
  const { account, supplier } = await bench.account(spec);
  const last = new Map<number, string>();
  const sender = senderOf(async (n) => {
    const from = n % account.suppliers.length;
    const { fields } = measuredLead(n);
    const answer = await orError(() => supplier.post(fields, { supplier: from }));
    if (typeof answer === 'string') return answer;
    if (answer.data) last.set(from, answer.data.id);
    return kindOf(answer);
  });
  return { ...sender, account, last };
}

/** The class of an answer: the delivery or the status; for a refusal its status and code. */
export const kindOf = ({
  status,
  data,
  error,
}: Pick<Answer, 'status' | 'data' | 'error'>): string => {
  if (status >= 300) return `${status} ${error ?? ''}`;
  return data?.delivery === 'pending' ? PENDING : (data?.delivery ?? data?.status ?? 'taken');
};

/** A request without an answer is an error in the result and does not end the measurement. */
export async function orError<T>(work: () => Promise<T>): Promise<T | string> {
  try {
    return await work();
  } catch (error) {
    return error instanceof Error ? `Error ${error.name}` : 'Error';
  }
}
