/**
 * Shows a funnel on a page of another site: `<script src="https://…/f/embed.js" data-funnel="slug" async></script>`.
 * It inserts a frame after itself that is as high as its content, and reports the visitor's progress to the page by the
 * events `leadwire:step` and `leadwire:submitted`, which bubble from the frame to the document.
 *
 * It is loaded as a plain script into pages that are not ours: it defines no global name, writes no style attribute (a
 * strict security policy refuses them in markup, and lets scripts set properties), and accepts messages of its own
 * frame alone.
 */
import type { FrameMessage } from '../protocol.js';

(() => {
  const script = document.currentScript;
  if (!(script instanceof HTMLScriptElement)) return;
  const { funnel } = script.dataset;
  if (!funnel) return;
  const { origin } = new URL(script.src);
  /** The first step comes with the page; what follows it, the visitor does. */
  let hasLoaded = false;

  const frame = document.createElement('iframe');
  frame.src = addressOf(funnel);
  frame.title = script.dataset.title ?? funnel;
  frame.referrerPolicy = 'origin';
  Object.assign(frame.style, {
    display: 'block',
    width: '100%',
    height: '600px',
    border: '0',
    colorScheme: 'normal',
  });
  addEventListener('message', ({ source, origin: from, data }: MessageEvent<unknown>) => {
    if (source !== frame.contentWindow || from !== origin) return;
    if (typeof data === 'object' && data !== null && 'leadwire' in data) take(data as FrameMessage);
  });
  script.after(frame);

  /** With the parameters of the page's own address that show where the visitor came from. */
  function addressOf(slug: string): string {
    const address = new URL(`/f/${encodeURIComponent(slug)}`, origin);
    const own = new URLSearchParams(location.search);
    for (const [name, value] of own)
      if (/^utm_|_id$|^[a-z]*clid$|^[gw]braid$/.test(name))
        address.searchParams.set(name, cut(value));
    address.searchParams.set('lw_page', cut(location.href.replace(/#.*/, '')));
    if (document.referrer !== '') address.searchParams.set('lw_ref', cut(document.referrer));
    return address.href;
  }

  function cut(text: string): string {
    return text.slice(0, 500);
  }

  function take(message: FrameMessage): void {
    if (message.leadwire === 'height') {
      if (Number.isFinite(message.height)) frame.style.height = `${message.height}px`;
      frame.title = script?.dataset.title ?? message.title;
      return;
    }
    // The next content may be much shorter than the part that the visitor scrolled down in. A page that only loads stays
    // where the visitor, or the fragment of its address, has it.
    if (hasLoaded && frame.getBoundingClientRect().top < 0) frame.scrollIntoView();
    hasLoaded = true;
    const detail =
      message.leadwire === 'step'
        ? { funnel, step: message.step }
        : { funnel, outcome: message.outcome };
    const event = new CustomEvent(`leadwire:${message.leadwire}`, { detail, bubbles: true });
    frame.dispatchEvent(event);
  }
})();
