/** The `api` role: intake, look-ups and the Actions API behind Koa. */
import { outboundPolicy } from './account/outboundPolicy.js';
import { createActionService } from './actions/service.js';
import { createApp } from './http/app.js';
import type { Health } from './http/health.js';
import { createRateLimiter } from './rateLimit/limiter.js';
import { listen } from './http/server.js';
import { createAdmission } from './intake/admission.js';
import { createAnswers } from './intake/answers.js';
import { HANDED_OVER_BY_MS } from './intake/deadlines.js';
import { createDirectory } from './intake/directory.js';
import { createHandOver, type Item, type Taken } from './intake/handOver.js';
import { createIntake } from './intake/intake.js';
import { createMarks } from './intake/marks.js';
import { createLookup } from './lookup/lookup.js';
import { queueCommands } from './operator/queueCommands.js';
import { idempotencyStore } from './store/idempotency.js';
import { leadLookup } from './store/leadLookup.js';
import { apiDescription } from './openapi/description.js';
import { createGroupCommit } from './temporal/groupCommit.js';
import type { Deps } from './deps.js';

export interface Api {
  url: string;
  stop(): Promise<void>;
}

/** How long the answer to an operator's command is waited for, in milliseconds. */
const COMMAND_WAIT_MS = 20_000;
/** How long requests in flight may take once the process is stopping, in milliseconds. */
const GRACE_MS = 8_000;

export async function startApi(deps: Deps, health: Health): Promise<Api> {
  const { collections, config, clock, log, leads, plans, starter } = deps;
  const directory = createDirectory(collections, plans);
  const admit = createAdmission(directory, clock);
  const idempotency = idempotencyStore(collections.idempotency);
  const limiter = createRateLimiter({ rates: collections.rates });
  const marks = createMarks({ leads: collections.leads, clock, log });
  const groups = createGroupCommit<Item, Taken>({
    lanes: config.intake.lanes,
    groupMax: config.intake.groupMax,
    queueMax: config.intake.queueMax,
    refuseAt: ({ receivedAt }) => receivedAt + HANDED_OVER_BY_MS,
    handOver: createHandOver({
      directory,
      admit,
      idempotency,
      leads,
      starter,
      clock,
      log,
    }),
  });
  const intake = createIntake({
    directory,
    admit,
    limiter,
    groups,
    answers: createAnswers({ leads, clock, log }),
    leads,
    idempotency,
    marks,
    clock,
    log,
  });
  let listeningAt = '';
  const publicUrl = config.ingestUrl ?? config.baseUrl;
  const app = createApp({
    intake,
    lookup: createLookup({ directory, limiter, leads: leadLookup(collections.leads) }),
    actions: createActionService({
      ...{ collections, clock, keyring: deps.keyring },
      policy: outboundPolicy(config),
      queue: queueCommands({
        ...{ collections, commands: deps.commands, starter, clock },
        waitMs: COMMAND_WAIT_MS,
      }),
      intake,
      ingestAddress: () => ({ url: publicUrl ?? listeningAt, isSet: publicUrl !== undefined }),
    }),
    description: apiDescription(config),
    health,
    log,
    metrics: deps.metrics,
    origins: config.origins,
    trustProxy: config.trustProxy,
  });
  const server = await listen(app, { host: config.host, port: config.port });
  listeningAt = server.url;
  return {
    url: server.url,
    async stop() {
      await server.close(GRACE_MS);
      await groups.idle();
      await marks.flush();
      limiter.close();
    },
  };
}
