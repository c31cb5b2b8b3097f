/** Reports the visit: steps to the service, which counts them; in a frame, progress and height to the host page's script. */
import type { CountMessage, FrameMessage } from '../protocol.js';
import { hiddenInput, type FunnelPage } from './page.js';

export type Count = (event: CountMessage['event'], step: string) => void;

/** Each event is sent once a visit, with the step, and nothing else of the visitor. */
export function createCount({ data, form }: FunnelPage): Count {
  const sent = new Set<string>();
  return (event, step) => {
    const once = event === 'start' ? event : `${event} ${step}`;
    if (sent.has(once)) return;
    sent.add(once);
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

export type TellHost = (message: FrameMessage) => void;

/** Sends nothing where the page is in no frame. */
export function createTellHost(): TellHost {
  if (window.parent === window) return () => undefined;
  // Only pages of the hosts that the funnel names can be the parent, and nothing here is secret.
  return (message) => window.parent.postMessage(message, '*');
}

/** Sends the height whenever it changes. Content as high as the window would grow with it without end. */
export function tellHeight(tell: TellHost): void {
  const box = document.body;
  document.documentElement.classList.add('lw-framed');
  // The host page has its own main landmark.
  document.getElementById('lw-main')?.setAttribute('aria-label', document.title);
  new ResizeObserver(() => {
    const height = Math.ceil(box.getBoundingClientRect().height);
    tell({ leadwire: 'height', height, title: document.title });
  }).observe(box);
}
