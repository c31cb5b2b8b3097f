/** Sends the answers, one request at a time, and shows the service's answer. After any failure the answers stay. */
import type { ShownResult, SubmitReply } from '../protocol.js';
import type { PageFault } from '../types.js';
import type { Kept } from './keep.js';
import { hiddenInput, idOf, type FunnelPage } from './page.js';
import { prove } from './work.js';

const TIMEOUT_MS = 40_000;

export type End = Extract<SubmitReply, ShownResult>;
/** `offline`: there is no connection, or it broke. */
type Answer = SubmitReply | { outcome: 'offline' };

interface SenderDeps {
  page: FunnelPage;
  kept: Kept;
  /** Ids of the steps up to this one: answers of other steps are not sent. */
  way: () => readonly string[];
  onFaults: (faults: readonly PageFault[]) => void;
  onEnd: (end: End) => void;
}

/** @returns sends the answers; while it does, further calls do nothing */
export function createSender({ page, kept, way, onFaults, onEnd }: SenderDeps) {
  const { form, submit, data } = page;
  const label = submit.textContent;
  const notice = noticeAbove(submit);
  let isBusy = false;
  let isOver = false;

  async function send(): Promise<void> {
    if (isBusy || isOver) return;
    isBusy = true;
    showButton(submit, data.texts.sending, true);
    showNotice(null);
    kept.sentWith(hiddenInput(form, 't').value);
    const answer = await answerOf(page, way());
    isBusy = false;
    take(answer);
  }

  function take(answer: Answer): void {
    switch (answer.outcome) {
      case 'faulty':
        showButton(submit, label, false);
        onFaults(answer.faults);
        return;
      case 'wait':
        askAgain(data.texts.wait.replace('{seconds}', String(answer.seconds)));
        return;
      case 'offline':
        askAgain(data.texts.offline);
        return;
      case 'work':
        // The service did not accept this proof: it may accept a new one.
        hiddenInput(form, 'w').value = '';
        askAgain(data.texts.unavailable);
        return;
      case 'unavailable':
      case 'too_many':
      case 'expired':
        if (answer.token !== undefined) hiddenInput(form, 't').value = answer.token;
        askAgain(data.texts[answer.outcome]);
        return;
      case 'thanks':
      case 'no_buyer':
      case 'not_qualified':
      case 'refused':
      case 'closed':
        isOver = true;
        kept.clear();
        onEnd(answer);
    }
  }

  function askAgain(notice: string): void {
    showButton(submit, data.texts.retry, false);
    showNotice(notice);
  }

  function showNotice(text: string | null): void {
    notice.textContent = text ?? '';
    notice.hidden = text === null;
    // The service's message about answers that were sent before the script ran.
    document.getElementById('lw-summary')?.remove();
  }

  return send;
}

/** The place of a fault of the whole; screen readers announce its content. */
function noticeAbove(submit: HTMLElement): HTMLElement {
  const look = { className: 'summary', role: 'alert', hidden: true };
  const notice = Object.assign(document.createElement('p'), look);
  submit.parentElement?.before(notice);
  return notice;
}

/** The button stays focusable: it has the focus. */
function showButton(submit: HTMLButtonElement, text: string, isBusy: boolean): void {
  submit.textContent = text;
  submit.setAttribute('aria-disabled', String(isBusy));
}

/** Computes the proof of work where the service requires it, and sends again. */
async function answerOf(page: FunnelPage, way: readonly string[]): Promise<Answer> {
  try {
    const answer = await post(page, way);
    if (answer.outcome !== 'work') return answer;
    const work = await prove(page.data.challenge, hiddenInput(page.form, 't').value);
    if (work === null) {
      // Here too the service's page for browsers without scripts works.
      page.form.submit();
      return await new Promise<never>(() => undefined);
    }
    hiddenInput(page.form, 'w').value = work;
    return await post(page, way);
  } catch (error) {
    return { outcome: isTimeout(error) ? 'unavailable' : 'offline' };
  }
}

const isTimeout = (error: unknown): boolean =>
  error instanceof DOMException && error.name === 'TimeoutError';

/** @throws {TypeError} without a connection */
async function post({ form, steps }: FunnelPage, way: readonly string[]): Promise<SubmitReply> {
  // A field may be asked on two branches, and an answer given before going back no longer counts.
  const skipped = steps.filter((step) => !way.includes(idOf(step)));
  for (const step of skipped) step.disabled = true;
  const fields = [...new FormData(form)].map(([name, value]): [string, string] => [
    name,
    typeof value === 'string' ? value : '',
  ]);
  for (const step of skipped) step.disabled = false;
  const response = await fetch(form.action, {
    method: 'POST',
    headers: { accept: 'application/json' },
    body: new URLSearchParams(fields),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  // A proxy before the service may answer in its own format.
  const isJson = response.headers.get('content-type')?.includes('json') ?? false;
  const reply = isJson ? ((await response.json()) as Partial<SubmitReply>) : {};
  return reply.outcome === undefined
    ? { outcome: response.status === 429 ? 'too_many' : 'unavailable' }
    : (reply as SubmitReply);
}
