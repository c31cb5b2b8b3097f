/** Suppliers who post leads of a campaign, usually of the one that is measured. */
import type { AccountSpec, TestAccount } from '../../support/account.js';
import type { Answer } from '../../support/supplier.js';
import type { Bench } from '../bench.js';
import { measuredCampaign, measuredLead } from './campaign.js';
import { senderOf, type Sender } from './stage.js';

export interface IntakeLoad extends Sender {
  account: TestAccount;
  /** Ids of the leads that were acknowledged last, each by the place of its supplier. */
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

/** What was answered; of a refusal its status and code. */
const kindOf = ({ status, data, error }: Answer): string =>
  status < 300 ? (data?.delivery ?? data?.status ?? 'taken') : `${status} ${error ?? ''}`;

/** A request that got no answer at all is an error of the measurement, not its end. */
export async function orError<T>(work: () => Promise<T>): Promise<T | string> {
  try {
    return await work();
  } catch (error) {
    return error instanceof Error ? `Error ${error.name}` : 'Error';
  }
}
