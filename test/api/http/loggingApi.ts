/** An API of its own whose log and key lookups a test reads. */
import { createLog } from '../../../src/lib/log.js';
import type { Service } from '../../../src/app/service.js';
import { send, type HttpReply } from '../../support/http.js';
import type { ServiceBed } from '../../support/service.js';

type Line = Record<string, unknown>;

export interface Api {
  url: string;
  lines: Line[];
  service: Service;
  /** Commands to the collections that identify the owner of a key, since the last call. */
  lookUps(): Promise<number>;
  get(path: string, headers?: Record<string, string>): Promise<HttpReply>;
  post(path: string, headers?: Record<string, string>, body?: unknown): Promise<HttpReply>;
}

export async function startApi(bed: ServiceBed, env: Record<string, string> = {}): Promise<Api> {
  const lines: Line[] = [];
  const log = createLog('info', 'api', {
    write: (text: string) => void lines.push(JSON.parse(text) as Line),
  });
  const service = await bed.start('api', env, { alter: (deps) => ({ ...deps, log }) });
  let before = 0;
  return {
    url: service.url,
    lines,
    service,
    async lookUps() {
      const { values } = await service.deps.metrics.mongodbCommands.get();
      const all = values
        .filter(({ labels }) => ['api_keys', 'buyers'].includes(String(labels.collection)))
        .reduce((sum, { value }) => sum + value, 0);
      const since = all - before;
      before = all;
      return since;
    },
    get: (path, headers = {}) => send(service.url + path, { headers }),
    post: (path, headers = {}, body = {}) =>
      send(service.url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      }),
  };
}

export const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
export const LOOKUP = '/api/v1/leads/lookup?id=0b4d7a3e-3f0c-4a8e-93e9-6a8c4b1f2d57';
export const POSTBACK = '/api/webhooks/buyer-outcome';
export const WHOAMI = '/api/v1/whoami';
