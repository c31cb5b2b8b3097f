/** States of funnels in words. */
import type { RowOf } from '../../lib/useActions.js';
import type { Option, Word } from '../../ui/index.js';

export type Funnel = RowOf<'list_funnels'>;

export const FUNNEL_WORDS: Record<Funnel['status'], Word> = {
  published: ['Live', 'good'],
  draft: ['Draft', 'neutral'],
  unpublished: ['Offline', 'warning'],
};

export const FUNNEL_OPTIONS: readonly Option[] = Object.entries(FUNNEL_WORDS).map(
  ([value, [label]]) => ({ value, label }),
);

export const isStatus = (text: string | undefined): text is Funnel['status'] =>
  text !== undefined && Object.hasOwn(FUNNEL_WORDS, text);
