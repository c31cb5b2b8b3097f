/** Answers as server-sent events (HTML, section 9.2): all events at once, and then the end. */

/** Whether the caller names event streams among the types it accepts; a wildcard is not enough. */
export const acceptsEvents = (types: readonly string[]): boolean =>
  types.some((type) => type.toLowerCase() === EVENT_STREAM);

const EVENT_STREAM = 'text/event-stream';

export const EVENT_STREAM_HEADERS = {
  'content-type': `${EVENT_STREAM}; charset=utf-8`,
  'cache-control': 'no-store, no-transform',
  // nginx would hold the events back otherwise.
  'x-accel-buffering': 'no',
};

/**
 * One event for each message. They are pure ASCII: some clients read a text type without a charset as Latin-1, and
 * some end a line at U+0085 or U+2028.
 */
export const eventsOf = (messages: readonly object[]): string =>
  messages.map((message) => `event: message\ndata: ${asciiJson(message)}\n\n`).join('');

const asciiJson = (value: object): string =>
  JSON.stringify(value).replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
