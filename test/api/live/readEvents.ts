/** A client of server-sent events (HTML, section 9.2) that a test reads at its own pace. */
import { waitFor } from '../../support/waitFor.js';

interface LiveEvent {
  event: string;
  data: unknown;
}

export interface Events {
  named(event: string): LiveEvent[];
  /** As `Last-Event-ID` would name it. */
  lastId(): string | undefined;
  until(isThere: () => boolean): Promise<unknown>;
  /** Resolves when the server has ended it. */
  ended(): Promise<unknown>;
  close(): Promise<void>;
}

/** @throws {Error} with the answer, where it is no feed */
export async function readEvents(url: string, headers: Record<string, string>): Promise<Events> {
  const closing = new AbortController();
  const answer = await fetch(url, { headers, signal: closing.signal });
  if (answer.status !== 200) throw new Error(`${answer.status} ${await answer.text()}`);
  const events: LiveEvent[] = [];
  let lastId: string | undefined;
  let isEnded = false;
  const take = (block: string): void => {
    const fields = new Map(
      block.split('\n').map((line) => line.split(/: (.*)/su) as [string, string]),
    );
    lastId = fields.get('id') ?? lastId;
    const data = fields.get('data');
    if (data !== undefined)
      events.push({ event: fields.get('event') ?? 'message', data: JSON.parse(data) });
  };
  const reading = (async () => {
    let text = '';
    const decoder = new TextDecoder();
    for await (const chunk of answer.body ?? []) {
      text += decoder.decode(chunk as Uint8Array, { stream: true });
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      blocks.forEach(take);
    }
  })()
    .catch(() => undefined)
    .finally(() => {
      isEnded = true;
    });
  return {
    named: (event) => events.filter((one) => one.event === event),
    lastId: () => lastId,
    until: (isThere) => waitFor(() => Promise.resolve(isThere())),
    ended: () => waitFor(() => Promise.resolve(isEnded)),
    async close() {
      closing.abort();
      await reading;
    },
  };
}
