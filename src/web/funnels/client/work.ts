/** The proof of work, computed in a worker, so that the page stays usable meanwhile. */
import type { ProofOfWork } from '../protocol.js';

const TIMEOUT_MS = 60_000;

/**
 * @param address where the service issues the work
 * @param token of the page, which the work is for
 * @returns the value of `w`, or null where this browser cannot do it: it has no secure context, or is too slow
 * @throws {TypeError} without a connection
 */
export async function prove(address: string, token: string): Promise<string | null> {
  const url = new URL(address, location.href);
  url.searchParams.set('t', token);
  const answer = await fetch(url);
  if (!answer.ok) return null;
  const challenge = (await answer.json()) as ProofOfWork['challenge'];
  const solution = await solve(challenge);
  return solution && btoa(JSON.stringify({ challenge, solution } satisfies ProofOfWork));
}

function solve(challenge: ProofOfWork['challenge']): Promise<ProofOfWork['solution'] | null> {
  const worker = new Worker(new URL('./proofWorker.ts', import.meta.url), { type: 'module' });
  return new Promise<ProofOfWork['solution'] | null>((resolve) => {
    worker.onmessage = ({
      data,
    }: MessageEvent<ProofOfWork['solution'] | { error: unknown } | null>) =>
      resolve(data && 'counter' in data ? data : null);
    worker.onerror = () => resolve(null);
    worker.postMessage({ type: 'work', challenge, timeout: TIMEOUT_MS });
  }).finally(() => worker.terminate());
}
