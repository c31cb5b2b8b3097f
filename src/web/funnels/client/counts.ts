/**
 * Sends the counted events: which steps were shown and completed, each once a visit, and nothing else of the visitor.
 */
import type { CountMessage } from '../protocol.js';
import { hiddenInput, type FunnelPage } from './page.js';

export type Count = (event: CountMessage['event'], step: string) => void;

export function createCount({ data, form }: FunnelPage): Count {
  const told = new Set<string>();
  return (event, step) => {
    const once = event === 'start' ? event : `${event} ${step}`;
    if (told.has(once)) return;
    told.add(once);
    const message: CountMessage = {
      t: hiddenInput(form, 't').value,
      event,
      step,
      utm_source: hiddenInput(form, 'u.utm_source').value,
      referrer: hiddenInput(form, 'r').value,
    };
    // The browser sends plain text without a preflight request, also while the page is left.
    navigator.sendBeacon(data.count, JSON.stringify(message));
  };
}
