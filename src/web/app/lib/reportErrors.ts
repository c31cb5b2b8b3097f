/** Reports errors in the page's script to the service: what failed and where, nothing that was typed or shown. */

const MAX_PER_VISIT = 5;
let reported = 0;

/** Never throws; the caller does not wait for it. */
export function reportError(error: unknown): void {
  if (reported++ >= MAX_PER_VISIT) return;
  const { name = 'Error', stack = '' } = error instanceof Error ? error : {};
  const body = JSON.stringify({ name, screen: screenOf(location.pathname), at: placesOf(stack) });
  fetch('/portal/api/errors', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
    keepalive: true,
  }).catch(() => undefined);
}

/** Ids in an address could identify a person's record: only words of the path are sent. */
const screenOf = (path: string): string =>
  path
    .split('/')
    .map((part) => (/^[a-z][a-z-]{0,30}$/.test(part) || part === '' ? part : ':id'))
    .join('/')
    .slice(0, 200);

/** File, line and column of the frames; messages may hold what was typed, and are not sent. */
const placesOf = (stack: string): string[] =>
  [...stack.matchAll(/\/assets\/([\w.-]{1,80}:\d+:\d+)/g)]
    .slice(0, 10)
    .map(([, place]) => place ?? '');

export function listenForErrors(): void {
  addEventListener('error', ({ error }) => reportError(error));
  addEventListener('unhandledrejection', ({ reason }) => reportError(reason));
}
