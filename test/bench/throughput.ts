/** Leads a second through the whole service, beside an empty workflow per request. */
import { randomUUID } from 'node:crypto';
import { Client, WithStartWorkflowOperation } from '@temporalio/client';
import { NativeConnection } from '@temporalio/worker';
import type { Bench } from './bench.js';
import { closedLoop, median, percentile, type LoadResult } from './load.js';
import { answer, type noop } from './noopWorkflow.js';
import { startHelper } from './processes.js';

export interface Shape {
  seconds: number;
  rounds: number;
}

interface Round {
  perSecond: number;
  p50: number;
  p99: number;
  kinds: Record<string, number>;
}

const TASK_QUEUE = 'bench-noop';
const WARM_UP_SECONDS = 4;

export async function throughput(
  bench: Bench,
  { seconds, rounds, open }: Shape & { open: number },
  say: (line: string) => void,
) {
  const { supplier } = await bench.account((url) => ({
    suppliers: 4,
    buyers: {
      first: { price: 30, states: ['TX'], delivery: { url: `${url}/fast/1` } },
      second: { price: 20, delivery: { url: `${url}/fast/2` } },
      third: { price: 10, delivery: { url: `${url}/fast/3` } },
    },
  }));
  const post = async (n: number) => {
    const reply = await supplier.post({ state: n % 2 ? 'TX' : 'CA' }, { supplier: n % 4 });
    return reply.data?.delivery ?? reply.data?.status ?? reply.error ?? String(reply.status);
  };
  const empty = await startEmpty(bench.stack.temporalAddress);
  try {
    const results = { leads: [] as Round[], noop: [] as Round[] };
    for (let round = 1; round <= rounds; round++) {
      let n = 0;
      const leads = await closedLoop(open, seconds, WARM_UP_SECONDS, () => post(n++));
      results.leads.push(tell(say, `round ${round}: leads`, open, leads));
      const noops = await closedLoop(open, seconds, WARM_UP_SECONDS, empty.request);
      results.noop.push(tell(say, `round ${round}: empty workflows`, open, noops));
    }
    const lone = tellLone(say, await closedLoop(1, Math.min(seconds, 5), 1, () => post(0)));
    const leads = median(results.leads.map(({ perSecond }) => perSecond));
    const noops = median(results.noop.map(({ perSecond }) => perSecond));
    const ratio = Number((leads / noops).toFixed(1));
    say(`median: ${leads} leads a second, ${noops} empty workflows a second: ${ratio} times`);
    return { open, ...results, lone, leadsPerSecond: leads, noopPerSecond: noops, ratio };
  } finally {
    await empty.stop();
  }
}

function tell(say: (line: string) => void, name: string, open: number, load: LoadResult): Round {
  const kinds: Record<string, number> = {};
  for (const { kind } of load.samples) kinds[kind] = (kinds[kind] ?? 0) + 1;
  const round = {
    perSecond: Math.round(load.samples.length / load.seconds),
    p50: percentile(load.samples, 50),
    p99: percentile(load.samples, 99),
    kinds,
  };
  const { perSecond, p50, p99 } = round;
  say(
    `${name}, ${open} open: ${perSecond}/s, p50 ${p50} ms, p99 ${p99} ms, ${JSON.stringify(kinds)}`,
  );
  return round;
}

const tellLone = (say: (line: string) => void, load: LoadResult): Round =>
  tell(say, 'one lead alone', 1, load);

async function startEmpty(address: string) {
  const worker = await startHelper('noopWorker.js', [address, TASK_QUEUE]);
  const connection = await NativeConnection.connect({
    address,
    grpcCompression: { codec: 'none' },
  });
  const client = new Client({ connection });
  return {
    request: async (): Promise<string> => {
      const startWorkflowOperation = new WithStartWorkflowOperation<typeof noop>('noop', {
        workflowId: `noop:${randomUUID()}`,
        taskQueue: TASK_QUEUE,
        args: [],
        workflowIdConflictPolicy: 'USE_EXISTING',
      });
      await client.withDeadline(Date.now() + 30_000, () =>
        client.workflow.executeUpdateWithStart(answer, { args: [], startWorkflowOperation }),
      );
      return 'done';
    },
    async stop() {
      await connection.close();
      await worker.stop();
    },
  };
}
