/**
 * What an operator does in a day, from the first screen on. Each task runs once, with a hand and in a width that its place
 * decides; with `TASKS=all` by pointer and by keyboard, at 360 and 1,440 px, with a table of what each took.
 */
import { afterAll, expect, it } from '@jest/globals';
import { startReturnTestbed } from '../../../outcomes/returns/returnTestbed.js';
import { describeOnStage, expectSound } from '../../../support/browser.js';
import { handOn, type HandKind } from '../../../support/hand.js';
import { signInMember } from '../../../support/portal.js';
import { DECIDING } from './tasks/deciding.js';
import { FINDING } from './tasks/finding.js';
import { MENDING } from './tasks/mending.js';
import { ORGANIZATION } from './tasks/organization.js';
import type { Task, TaskStage } from './tasks/task.js';

const TASKS: readonly Task[] = [...FINDING, ...MENDING, ...DECIDING, ...ORGANIZATION];

const WAYS: readonly { kind: HandKind; width: number }[] = [
  { kind: 'pointer', width: 1440 },
  { kind: 'keyboard', width: 1440 },
  { kind: 'pointer', width: 360 },
  { kind: 'keyboard', width: 360 },
];
const isAll = process.env.TASKS === 'all';

const RUNS = TASKS.flatMap((task, place) =>
  WAYS.filter((_, way) => isAll || way === place % WAYS.length).map((way) => ({ task, ...way })),
);

interface Took {
  title: string;
  kind: HandKind;
  width: number;
  acts: number;
  seconds: number;
}

describeOnStage(
  'the tasks of an operator',
  async (open): Promise<TaskStage> => ({ bed: await startReturnTestbed(), open }),
  (stage) => {
    const took: Took[] = [];
    afterAll(() => {
      if (isAll) process.stdout.write(tableOf(took));
    });

    it.each(RUNS.map((run) => [`${run.task.title}: ${run.kind}, ${run.width} px`, run] as const))(
      '%s',
      async (_, { task, kind, width }) => {
        const { bed, open } = stage();
        const prepared = await task.prepare(stage());
        const who = await signInMember(bed.collections, {
          org_id: prepared.market.account.orgId,
          scope: { kind: 'organization' },
          name: 'Olga Operator',
        });
        const visit = await open({ url: bed.url, session: who.token, width });
        await visit.page.goto(`/org/${who.membership_id}`);
        await visit.page.getByRole('heading', { level: 1 }).waitFor();
        const hand = handOn(visit.page, kind);
        const scene = { bed, open, market: prepared.market, visit, hand };
        const start = performance.now();
        await prepared.run(scene);
        const seconds = (performance.now() - start) / 1_000;
        took.push({ title: task.title, kind, width, acts: hand.acts(), seconds });
        await prepared.check?.(scene);
        expect(visit.troubles()).toEqual([]);
        if (task.isLookedAt) await expectSound(visit);
      },
    );
  },
);

/** A line for each task; of each way, what the person did and how long the page took to show it. */
function tableOf(took: readonly Took[]): string {
  const head = WAYS.map(({ kind, width }) => `${kind}, ${width} px`);
  const lines = TASKS.map(({ title }) => [
    title,
    ...WAYS.map((way) => {
      const one = took.find(
        ({ title: of, kind, width }) => of === title && kind === way.kind && width === way.width,
      );
      return one ? `${one.acts}, ${one.seconds.toFixed(1)} s` : '';
    }),
  ]);
  const rows = [['Task', ...head], ['-', ...head.map(() => '-')], ...lines];
  return `\n${rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}\n`;
}
