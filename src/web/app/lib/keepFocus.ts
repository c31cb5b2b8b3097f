/** Keeps the focus on the page when the element that has it goes, as the button of a row does with its row. */

/** The element that was focused last and its ancestors, from the inside out. */
let path: readonly HTMLElement[] = [];

const isLost = (): boolean => document.activeElement === document.body;

export function keepFocus(): void {
  addEventListener('focusin', ({ target }) => {
    path = pathOf(target);
  });
  addEventListener('focusout', ({ target }) => {
    // A click on no element leaves the focused one on purpose; an element that is being removed is gone by then.
    queueMicrotask(() => {
      if (isLost() && target instanceof HTMLElement && target.isConnected) path = [];
    });
  });
  new MutationObserver(restore).observe(document.body, { childList: true, subtree: true });
  // A dialog returns the focus when it closes, but not to an element that is gone. The event does not bubble.
  addEventListener('close', restore, true);
}

/** To the region that the element was in, else to the heading of the open dialog or of the page. */
function restore(): void {
  const [focused, ...around] = path;
  if (!focused || focused.isConnected || !isLost()) return;
  const headings = ['dialog[open] h2', 'main h1'].flatMap(
    (heading) => document.querySelector<HTMLElement>(heading) ?? [],
  );
  for (const element of [...around.filter((one) => one.tabIndex >= 0), ...headings]) {
    element.focus({ preventScroll: true });
    if (document.activeElement === element) return;
  }
}

function pathOf(target: EventTarget | null): HTMLElement[] {
  const elements: HTMLElement[] = [];
  for (let at = target; at instanceof HTMLElement; at = at.parentElement) elements.push(at);
  return elements;
}
