/**
 * The three callers of an installation: its organization, its suppliers and its buyers. Their types are generated from the
 * OpenAPI document of the service (`build.mjs`), so they are parameters here.
 */
import { send, type Connection } from './send.js';

/** Input and output of each action, by its name. */
export type ActionMap = Record<string, { input: object; data: unknown }>;

/** The names of actions that return a page of a list. */
type PagedIn<M extends ActionMap> = {
  [N in keyof M]: M[N]['input'] extends { cursor?: unknown } ? N : never;
}[keyof M] &
  string;
/** One row of a page: the page itself is a list, or has one. */
type RowOf<D> = D extends readonly (infer R)[]
  ? R
  : { [K in keyof D]: D[K] extends readonly (infer R)[] ? R : never }[keyof D];

interface Page {
  data: unknown;
  next_cursor?: string | null;
}

/** Runs actions with a key of the organization. */
export class OrganizationCaller<M extends ActionMap> {
  readonly #connection: Connection;
  readonly #headers: Record<string, string>;

  /** @param options.key such as `lw_live_…` */
  constructor({ key, ...connection }: Connection & { key: string }) {
    this.#connection = connection;
    this.#headers = { authorization: `Bearer ${key}` };
  }

  /**
   * Runs an action.
   * @returns its output
   * @throws {LeadwireError} its refusal
   */
  async run<N extends keyof M & string>(action: N, input: M[N]['input']): Promise<M[N]['data']> {
    return (await this.#page(action, input)).data;
  }

  /**
   * Every row of a list, page after page: `for await (const lead of leadwire.rows('get_leads', { status: 'ACCEPTED' }))`.
   * @throws {LeadwireError} the refusal of a page
   */
  async *rows<N extends PagedIn<M>>(
    action: N,
    input: M[N]['input'],
  ): AsyncGenerator<RowOf<M[N]['data']>> {
    let cursor: string | null | undefined;
    do {
      const page = await this.#page(action, { ...input, ...(cursor && { cursor }) });
      yield* rowsOf(page.data) as RowOf<M[N]['data']>[];
      cursor = page.next_cursor;
    } while (cursor);
  }

  async #page(action: string, body: object): Promise<Page> {
    const path = `/api/v1/actions/${encodeURIComponent(action)}`;
    return (await send(this.#connection, {
      method: 'POST',
      path,
      headers: this.#headers,
      body,
    })) as Page;
  }
}

const rowsOf = (data: unknown): unknown[] =>
  Array.isArray(data) ? data : (Object.values(data ?? {}).find(Array.isArray) ?? []);

export interface LeadOptions {
  /** Your own id of the attempt: the same key and lead get the first answer again, and never a second lead. */
  idempotencyKey?: string;
}

/** Sends leads and pings with a supplier's key. */
export class SupplierCaller<
  T extends { lead: object; sent: unknown; ping: object; pinged: unknown; found: unknown },
> {
  readonly #connection: Connection;
  readonly #headers: Record<string, string>;

  constructor({ key, ...connection }: Connection & { key: string }) {
    this.#connection = connection;
    this.#headers = { 'x-api-key': key };
  }

  /** Sends a lead. @throws {LeadwireError} it was refused */
  send(lead: T['lead'], { idempotencyKey }: LeadOptions = {}): Promise<T['sent']> {
    const own: [string, string][] =
      idempotencyKey === undefined ? [] : [['idempotency-key', idempotencyKey]];
    return this.#post('/api/v1/ingest', lead, Object.fromEntries(own));
  }

  /** Asks who would buy a lead, and at which price. @throws {LeadwireError} it was refused */
  ping(lead: T['ping']): Promise<T['pinged']> {
    return this.#post('/api/v1/ping', lead);
  }

  /** The status of a lead that this supplier sent. @throws {LeadwireError} there is none */
  find(leadId: string): Promise<T['found']> {
    const path = `/api/v1/leads/lookup?id=${encodeURIComponent(leadId)}`;
    const headers = this.#headers;
    return send(this.#connection, { method: 'GET', path, headers });
  }

  #post(path: string, body: object, own: Record<string, string> = {}): Promise<unknown> {
    const headers = { ...this.#headers, ...own };
    return send(this.#connection, { method: 'POST', path, headers, body });
  }
}

/** Reports outcomes with a buyer's webhook secret. */
export class BuyerCaller<T extends { outcome: object; reported: unknown }> {
  readonly #connection: Connection;
  readonly #headers: Record<string, string>;

  constructor({ secret, ...connection }: Connection & { secret: string }) {
    this.#connection = connection;
    this.#headers = { 'x-buyer-secret': secret };
  }

  /** Reports the outcome of a lead. @throws {LeadwireError} it was refused */
  report(outcome: T['outcome']): Promise<T['reported']> {
    return send(this.#connection, {
      method: 'POST',
      path: '/api/webhooks/buyer-outcome',
      headers: this.#headers,
      body: outcome,
    });
  }
}
