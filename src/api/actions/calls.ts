/** What clients send that set up phone calls elsewhere: Leadwire distributes leads. */

/** Keys of a campaign that say what it distributes, and how. */
const KEYS: ReadonlySet<string> = new Set(['campaign_type', 'routing_method']);

const CALL_WORDS: ReadonlySet<string> = new Set(['CALL', 'CALLS', 'STATIC', 'RING_TREE', 'RTB']);

/** Why a word for calls is refused, to follow what would be right; empty for any other word. */
export function callHint(path: readonly PropertyKey[], value: unknown): string {
  if (typeof value !== 'string' || !KEYS.has(String(path.at(-1)))) return '';
  const word = value.trim().toUpperCase();
  return CALL_WORDS.has(word)
    ? `. ${word} is for calls: Leadwire distributes leads, not calls`
    : '';
}
