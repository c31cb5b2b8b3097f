/**
 * The script of a funnel's page: without it the page is one complete form. With it, the steps follow each other,
 * answers are checked at their fields, and are sent without leaving the page.
 */
import { createChecks } from './checks.js';
import { loadCertificates, noteSources } from './hidden.js';
import { keepAnswers } from './keep.js';
import { controlsIn, fieldOf, idOf, readPage, type FunnelPage } from './page.js';
import { createCount, createTellHost, tellHeight } from './report.js';
import { createSender, type End } from './send.js';
import { createSteps, focusHeading } from './steps.js';

document.documentElement.classList.add('lw-on');
const tell = createTellHost();
if (window.parent !== window) tellHeight(tell);
const page = readPage();
if (page) start(page);

function start(page: FunnelPage): void {
  const { form, main, steps: all } = page;
  noteSources(form);
  const kept = keepAnswers(page);
  const count = createCount(page);
  const checks = createChecks(page);
  const steps = createSteps(page, (step) => {
    count('shown', idOf(step));
    tell({ leadwire: 'step', step: idOf(step) });
  });
  const send = createSender({
    page,
    kept,
    way: () => steps.way(),
    onFaults(faults) {
      const step = all.find((one) => faults.some(({ step }) => step === idOf(one)));
      if (step) steps.goTo(idOf(step));
      checks.show(faults);
    },
    onEnd(end) {
      steps.close();
      tell({ leadwire: 'submitted', outcome: end.outcome });
      showEnd(main, end);
    },
  });

  function goOn(): void {
    const step = steps.current();
    // Pointing at an answer moves on before the input event counts the start.
    count('start', idOf(step));
    if (!checks.passes(step)) return;
    count('done', idOf(step));
    if (steps.isLast() || steps.endsHere()) void send();
    else steps.next();
  }

  // Enter in a field submits the form: in a step before the last it moves to the next step.
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    goOn();
  });
  document.addEventListener('click', (event) => {
    const place = event.target instanceof Element ? event.target.closest('[data-go]') : null;
    if (!(place instanceof HTMLElement)) return;
    event.preventDefault();
    if (place.dataset.go === 'next') goOn();
    else if (place.dataset.go === 'back') steps.back();
    else focusHeading(steps.current());
  });
  form.addEventListener('input', () => count('start', idOf(steps.current())), { once: true });
  goOnByPointing(form, goOn);
  loadCertificates(page);
}

/**
 * Pointing at an answer moves on at once. By keyboard the arrow keys choose, and nothing moves before Enter or the
 * button (WCAG 3.2.2).
 */
function goOnByPointing(form: HTMLFormElement, goOn: () => void): void {
  let isPointing = false;
  form.addEventListener('pointerdown', () => (isPointing = true));
  form.addEventListener('keydown', () => (isPointing = false));
  form.addEventListener('click', ({ target }) => {
    if (!isPointing || !(target instanceof HTMLInputElement) || target.type !== 'radio') return;
    const step = target.closest<HTMLFieldSetElement>('fieldset.step');
    const isQuestion = step?.dataset.kind === 'quiz_step';
    if (isQuestion && controlsIn(step).every((other) => fieldOf(other) === fieldOf(target))) goOn();
  });
}

/** The end of the visit, in the place of the form. */
function showEnd(main: HTMLElement, { outcome, title, text, redirect_url }: End): void {
  const section = document.createElement('div');
  section.className = 'result';
  const add = <T extends 'span' | 'h1' | 'p' | 'a'>(
    tag: T,
    properties: Partial<HTMLElementTagNameMap[T]>,
  ): HTMLElementTagNameMap[T] =>
    section.appendChild(Object.assign(document.createElement(tag), properties));
  if (outcome === 'thanks') add('span', { className: 'seal' });
  const heading = add('h1', { tabIndex: -1, textContent: title });
  if (text !== null) add('p', { textContent: text });
  if (redirect_url !== null) {
    const { host } = new URL(redirect_url);
    add('a', { className: 'button', href: redirect_url, target: '_top', textContent: host });
    // A browser may forbid a frame to navigate its host page; then the visitor has the link.
    lead(redirect_url);
  }
  main.replaceChildren(section);
  heading.focus();
}

function lead(address: string): void {
  try {
    (window.top ?? window).location.href = address;
  } catch {
    // The link remains.
  }
}
