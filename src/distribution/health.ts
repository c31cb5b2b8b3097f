/** What answers say about the buyers themselves. */
import { addNews, keepHealth, type HealthNews } from '../deliveries/destinations/keepHealth.js';
import { NO_ANSWER_RECORDED } from '../deliveries/store/deliveries.js';
import type { SellingDeps } from './deps.js';
import type { Answered } from './task.js';

/** Counts failures in a row per buyer and pauses it; a buyer that answers again is well at once. */
export async function hearAnswers(
  answers: readonly Answered[],
  now: Date,
  deps: SellingDeps,
): Promise<void> {
  const news: HealthNews = new Map();
  for (const { task, terms, verdict } of answers) {
    // A run of ours that died says nothing about the buyer.
    if (verdict.reason === NO_ANSWER_RECORDED) continue;
    addNews(news, { buyer_id: terms.buyer_id, org_id: task.lead.org_id, verdict });
  }
  await keepHealth(news, 'delivery', now, deps);
}
