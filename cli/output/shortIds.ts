/** Ids as tables show them: as much of their beginning as tells them apart, which the commands take as well. */

/** The beginning of a UUID that is drawn at random. */
const UUID_SHOWN = 8;
/** One that begins with the time: its first 12 digits are the millisecond. */
const TIMED_SHOWN = 13;
const TIMED = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-/i;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-/i;
/** Such as `fun_3f9a60c17a3d4a539a510f2b`. */
const NAMED = /^(?:[a-z]+_)+(?=[0-9A-Za-z-]{12,}$)/;

/** A function that shortens each of these ids, so that no two of them look alike. */
export function shortIds(ids: Iterable<string>): (id: string) => string {
  const all = [...new Set(ids)];
  let more = 0;
  const short = (id: string) => id.slice(0, shownOf(id) + more);
  while (new Set(all.map(short)).size < all.length) more += 1;
  return short;
}

function shownOf(id: string): number {
  if (TIMED.test(id)) return TIMED_SHOWN;
  if (UUID.test(id)) return UUID_SHOWN;
  const [begin = null] = NAMED.exec(id) ?? [];
  return begin === null ? id.length : begin.length + UUID_SHOWN;
}
