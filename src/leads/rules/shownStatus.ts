import type { Lead } from './lead.js';
import type { DistributionStatus, ShownStatus } from './leadStatus.js';

export const distributionStatus = ({ status }: Pick<Lead, 'status'>): DistributionStatus =>
  status === 'SELLING' ? 'ACCEPTED' : status;

/**
 * A lead's status for operators and buyers: the outcome that its buyers reported, and before that the decision of
 * distribution (contract 7.3). Its supplier sees `supplierStatus`.
 */
export function shownStatus(lead: Pick<Lead, 'status' | 'sales' | 'outcome'>): ShownStatus {
  const { sales, outcome } = lead;
  if (sales.length > 0 && sales.every(({ returned }) => returned)) return 'RETURNED';
  return outcome ?? distributionStatus(lead);
}
