import { useSyncExternalStore } from 'react';

const QUERY = '(prefers-color-scheme: dark)';

function subscribe(changed: () => void): () => void {
  const list = matchMedia(QUERY);
  list.addEventListener('change', changed);
  return () => list.removeEventListener('change', changed);
}

/** Whether the page is dark now: a canvas keeps the colors that it was drawn in. */
export const useDarkness = (): boolean =>
  useSyncExternalStore(subscribe, () => matchMedia(QUERY).matches);
