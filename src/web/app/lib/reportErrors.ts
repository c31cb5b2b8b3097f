/** Tells the service of errors in the page's script: what failed and where, nothing that was typed or shown. */

const MOST_A_VISIT = 5;
let told = 0;

/** Never throws, and is not waited for. */
export function reportError(error: unknown): void {
  if (told++ >= MOST_A_VISIT) return;
  const { name = 'Error', stack = '' } = error instanceof Error ? error : {};
  const body = JSON.stringify({ name, screen: screenOf(location.pathname), at: placesOf(stack) });
  fetch('/portal/api/errors', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
    keepalive: true,
  }).catch(() => undefined);
}

/** Ids in an address could name a person's record: only words of the path are told. */
const screenOf = (path: string): string =>
  path
    .split('/')
    .map((part) => (/^[a-z][a-z-]{0,30}$/.test(part) || part === '' ? part : ':id'))
    .join('/')
    .slice(0, 200);

/** File, line and column of the frames; messages may hold what was typed, and stay here. */
const placesOf = (stack: string): string[] =>
  [...stack.matchAll(/\/assets\/([\w.-]{1,80}:\d+:\d+)/g)]
    .slice(0, 10)
    .map(([, place]) => place ?? '');

export function listenForErrors(): void {
  addEventListener('error', ({ error }) => reportError(error));
  addEventListener('unhandledrejection', ({ reason }) => reportError(reason));
}
