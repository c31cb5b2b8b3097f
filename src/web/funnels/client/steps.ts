/**
 * One step at a time. The history's state holds the way so far, so that the browser's own back button follows it,
 * and a reload returns to the step.
 */
import { idOf, type FunnelPage } from './page.js';

/** The state in the history. */
interface Way {
  /** Ids of the steps up to this one. */
  lw: string[];
}

/** @param onShown called with each step that comes into view, also when it did before */
export function createSteps(
  { form, main, steps, first, data }: FunnelPage,
  onShown: (step: HTMLFieldSetElement) => void,
) {
  const byId = new Map(steps.map((step) => [idOf(step), step]));
  let way = firstWay();
  let isClosed = false;

  function current(): HTMLFieldSetElement {
    return byId.get(way.at(-1) ?? '') ?? first;
  }

  /** From the state of the history, or up to the step that the document shows first. */
  function firstWay(): string[] {
    const kept = history.state as Way | null;
    if (Array.isArray(kept?.lw) && kept.lw.every((id) => byId.has(id))) return kept.lw;
    return wayTo(form.querySelector<HTMLFieldSetElement>('.step.is-current') ?? first);
  }

  /** By the answers given so far; that step alone, where they lead elsewhere. */
  function wayTo(step: HTMLFieldSetElement): string[] {
    const way: string[] = [];
    for (let at: HTMLFieldSetElement | null = first; at; at = after(at)) {
      way.push(idOf(at));
      if (at === step) return way;
    }
    return [idOf(step)];
  }

  function after(step: HTMLFieldSetElement): HTMLFieldSetElement | null {
    const named = chosen(step)?.dataset.next;
    const following = steps[steps.indexOf(step) + 1] ?? null;
    return named === undefined ? following : (byId.get(named) ?? following);
  }

  function show(isMoved: boolean): void {
    const step = current();
    const id = idOf(step);
    for (const other of steps) {
      other.classList.toggle('is-current', other === step);
      other.classList.toggle('is-moved', isMoved && other === step);
    }
    for (const block of main.querySelectorAll<HTMLElement>('[data-with]'))
      block.classList.toggle('is-current', block.dataset.with === id);
    showProgress(steps.indexOf(step));
    if (isMoved) focusHeading(step);
    onShown(step);
  }

  function showProgress(at: number): void {
    const words = document.getElementById('lw-step-of');
    if (words)
      words.textContent = data.texts.step_of
        .replace('{step}', String(at + 1))
        .replace('{steps}', String(steps.length));
    for (const [n, item] of [...main.querySelectorAll('.progress li')].entries()) {
      item.classList.toggle('is-done', n < at);
      item.classList.toggle('is-current', n === at);
    }
  }

  function go(next: string[]): void {
    way = next;
    history.pushState({ lw: way } satisfies Way, '');
    show(true);
  }

  history.replaceState({ lw: way } satisfies Way, '');
  addEventListener('popstate', ({ state }) => {
    if (isClosed) return;
    // An address with another fragment has no state: the visitor stays where they are.
    const kept = (state as Way | null)?.lw;
    if (!kept) return;
    way = kept;
    show(true);
  });
  show(false);

  return {
    current,
    /** Ids of the steps up to this one. */
    way: (): readonly string[] => way,
    isLast: () => current() === steps.at(-1),
    /** To the step that follows the answers of this one. */
    next() {
      const following = after(current());
      if (following) go([...way, idOf(following)]);
    },
    back() {
      if (way.length > 1) history.back();
    },
    /** To a step, from any other. */
    goTo(id: string) {
      const step = byId.get(id);
      if (step && step !== current()) go(wayTo(step));
    },
    /** Whether the answer of this step ends the funnel without a lead. */
    endsHere: () => chosen(current())?.dataset.end !== undefined,
    /** Ends the way: the browser's back button no longer changes the step. */
    close() {
      isClosed = true;
      // A reload starts again.
      history.replaceState(null, '');
    },
  };
}

const chosen = (step: HTMLFieldSetElement): HTMLInputElement | null =>
  step.querySelector<HTMLInputElement>('input[type="radio"]:checked');

/** Where a screen reader continues, and what a small screen shows. */
export function focusHeading(step: HTMLElement): void {
  step.querySelector<HTMLElement>('h2')?.focus();
}
