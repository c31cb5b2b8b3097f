/** Ids for documents that come by the thousand. */
import { v7, validate, version } from 'uuid';

/**
 * A UUID that begins with the time (RFC 9562, version 7): of two made in one process the later is the greater. So the
 * newest ids are neighbors in an index, and storing one changes a page that is in memory already; ids drawn at random
 * change a page each, and the more there are, the more pages that is. It is no secret: knowing an id must never be
 * enough to see something.
 * @param at the moment that it begins with; default now
 */
export const timeOrderedId = (at?: Date): string => (at ? v7({ msecs: Number(at) }) : v7());

/** Ids are shown in lower case, and accepted in either (RFC 9562, section 4). Other text is returned as it is. */
export const normalizedId = (text: string): string => (validate(text) ? text.toLowerCase() : text);

/** The moment that an id of `timeOrderedId` begins with, in milliseconds; null for any other id. */
export const timeOfId = (id: string): number | null =>
  validate(id) && version(id) === 7 ? parseInt(id.slice(0, 8) + id.slice(9, 13), 16) : null;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether a text is written as ids are, in either case; unlike `validate` it takes any version, as requests always could. */
export const isWrittenAsId = (text: string): boolean => UUID.test(text);
