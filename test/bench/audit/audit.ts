/** Whether all that was acknowledged in a run came true. */
import type { Bench } from '../bench.js';
import { auditIntake, intakeAuditLine, type IntakeAudit } from './intakeAudit.js';

export interface RunAudit extends IntakeAudit {
  /** What else must not be, a sentence each: of pings, outcomes, and services that parts started for themselves. */
  failures: readonly string[];
}

export async function auditRun(bench: Bench): Promise<RunAudit> {
  await bench.quiet();
  const intake = await auditIntake(bench);
  const { failures } = bench;
  return { ...intake, passed: intake.passed && failures.length === 0, failures };
}

export const auditLines = (audit: RunAudit): string[] => [
  intakeAuditLine(audit),
  ...audit.failures.map((failure) => `  ${failure}`),
];
