/** In a frame: reports the height of the page, and the visitor's progress, to the host page's script. */
import type { FrameMessage } from '../protocol.js';

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
  // The host page has a main part of its own.
  document.getElementById('lw-main')?.setAttribute('aria-label', document.title);
  new ResizeObserver(() => {
    const height = Math.ceil(box.getBoundingClientRect().height);
    tell({ leadwire: 'height', height, title: document.title });
  }).observe(box);
}
