/** Whether the leads of a run agree with the answers to their suppliers. */
import type { Bench } from '../bench.js';
import { auditIntake, intakeAuditLine, type IntakeAudit } from './intakeAudit.js';
import { auditRefused } from './refusedAudit.js';

export interface RunAudit extends IntakeAudit {
  /** Requests that were definitively refused. */
  refused: number;
  /** Of these, the leads that were sold nevertheless. */
  refused_sold: number;
  /** Other violations, a sentence each: of pings, outcomes, and services that parts started themselves. */
  failures: readonly string[];
}

export async function auditRun(bench: Bench): Promise<RunAudit> {
  await bench.quiet();
  const intake = await auditIntake(bench);
  const { refused, sold, examples } = await auditRefused(bench);
  const { failures } = bench;
  return {
    ...intake,
    passed: intake.passed && sold === 0 && failures.length === 0,
    refused,
    refused_sold: sold,
    examples: [...intake.examples, ...examples],
    failures,
  };
}

export const auditLines = (audit: RunAudit): string[] => [
  intakeAuditLine(audit),
  `  ${audit.refused} refused, ${audit.refused_sold} of them sold`,
  ...audit.failures.map((failure) => `  ${failure}`),
];
