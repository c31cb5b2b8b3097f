/** Requests of the pages to the service, and its refusals. */
import { askForSession, type Lack } from './signInAgain.js';

/** One fault of the input; `path` names the field, empty for the whole. */
export interface Fault {
  path: string;
  code: string;
  message: string;
}

interface Refusal {
  error: string;
  message: string;
  request_id: string;
  details?: Fault[];
  required?: string;
  retry_after?: number;
}

/** A refusal of the service, or that it did not answer (`code` is `unreachable`, `status` 0). */
export class ApiError extends Error {
  override readonly name = 'ApiError';

  constructor(
    readonly status: number,
    private readonly refusal: Refusal,
  ) {
    super(refusal.message);
  }

  get code(): string {
    return this.refusal.error;
  }

  /** The id under which the service logs the request; empty when it did not arrive. */
  get requestId(): string {
    return this.refusal.request_id;
  }

  get details(): readonly Fault[] {
    return this.refusal.details ?? [];
  }

  /** Seconds after which a retry makes sense. */
  get retryAfter(): number | undefined {
    return this.refusal.retry_after;
  }

  /** The record that was asked for does not exist: it was deleted, or never there. */
  get isGone(): boolean {
    return this.refusal.error === 'record_not_found';
  }

  /** The person must confirm the password before this call. */
  get needsFresh(): boolean {
    return this.status === 403 && this.refusal.required === 'fresh_sign_in';
  }
}

/**
 * A fault that the page finds. Thrown by what reads a form, it is shown there, and no request is sent.
 * @param path of the field; empty: the fault is of the whole, and `message` is all that is shown
 */
export const notSent = (path: string, message: string, what = 'Nothing was sent.'): ApiError =>
  new ApiError(422, {
    error: 'invalid_input',
    message: path === '' ? message : what,
    request_id: '',
    details: path === '' ? [] : [{ path, code: 'invalid', message }],
  });

/** The name of a membership's API: of a partner or of the organization. */
export type ApiBase = `/portal/api/${string}` | `/console/api/${string}`;

/** Answers carry their data in an envelope; lists add the cursor of the next page. */
export interface Answer {
  data: unknown;
  next_cursor?: string | null;
}

/**
 * Sends a request, and sends it again once the person has signed in or confirmed again, when the service required that:
 * nothing that was typed is lost.
 * @param isRefresh what it reads is shown already
 * @throws {ApiError}
 */
export async function send(
  path: string,
  init: RequestInit = {},
  read: ReadAnswer = readJson,
  isRefresh = false,
): Promise<unknown> {
  const began = performance.now();
  for (;;) {
    try {
      return await sendOnce(path, init, read);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const lack = await lackOf(error, path);
      if (lack === null) throw error;
      if (!(await askForSession({ lack, began, isRefresh })))
        throw lack === 'membership' ? ofAnother(error) : error;
    }
  }
}

type ReadAnswer = (answer: Response) => Promise<unknown>;

const readJson: ReadAnswer = (answer) => answer.json().catch(() => null);

/** What a refused request lacked; null: another sign-in makes no difference. */
async function lackOf(error: ApiError, path: string): Promise<Lack | null> {
  if (error.status === 401) return 'session';
  if (error.needsFresh) return 'confirmation';
  // Not found: the record, or the membership itself, which another person in this browser does not have.
  const me = `${path.split('/').slice(0, MEMBERSHIP_PARTS).join('/')}/me`;
  if (error.status !== 404 || path === me) return null;
  return (await isNotFound(me)) ? 'membership' : null;
}

/** Parts of a path up to the membership: `/portal/api/<membership>`. */
const MEMBERSHIP_PARTS = 4;

const isNotFound = (path: string): Promise<boolean> =>
  sendOnce(path, {}, readJson).then(
    () => false,
    (error: unknown) => error instanceof ApiError && error.status === 404,
  );

/** The person who is signed in does not have the membership of the page. */
const ofAnother = ({ requestId }: ApiError): ApiError =>
  new ApiError(401, {
    error: 'unauthorized',
    message:
      'Nothing was changed: this page belongs to another account. Sign in with that account and try again.',
    request_id: requestId,
  });

/**
 * @param body is sent as JSON
 * @param isRefresh what it reads is shown already
 * @throws {ApiError}
 */
export function post(path: string, body: object, isRefresh = false): Promise<unknown> {
  const headers = { 'content-type': 'application/json' };
  const init = { method: 'POST', headers, body: JSON.stringify(body) };
  return send(path, init, readJson, isRefresh);
}

/**
 * The rows of an action as a file.
 * @throws {ApiError}
 */
export const postForFile = async (path: string, body: object): Promise<Blob> =>
  (await send(
    path,
    {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/csv' },
      body: JSON.stringify(body),
    },
    (answer) => answer.blob(),
  )) as Blob;

async function sendOnce(path: string, init: RequestInit, read: ReadAnswer): Promise<unknown> {
  const answer = await fetch(path, {
    credentials: 'same-origin',
    redirect: 'error',
    ...init,
  }).catch(() => null);
  if (!answer) throw unreachable();
  if (answer.ok) return read(answer);
  const body = await readJson(answer);
  throw new ApiError(answer.status, isRefusal(body) ? body : unexpected(answer));
}

const unreachable = (): ApiError =>
  new ApiError(0, {
    error: 'unreachable',
    message: 'The service cannot be reached. Check your connection, and try again.',
    request_id: '',
  });

const unexpected = (answer: Response): Refusal => ({
  error: 'unexpected',
  message: `The service answered with status ${answer.status}.`,
  request_id: answer.headers.get('x-request-id') ?? '',
});

function isRefusal(body: unknown): body is Refusal {
  return (
    typeof body === 'object' &&
    body !== null &&
    'error' in body &&
    'message' in body &&
    typeof body.message === 'string'
  );
}
