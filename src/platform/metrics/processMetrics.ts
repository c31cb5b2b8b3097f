/** What a process is, and how full its intake is. */
import process from 'node:process';
import type { Registry } from 'prom-client';
import { readBuild } from '../../lib/build.js';
import { showSamples } from './samples.js';

/** The intake of a process at this moment, and its limits. */
export interface IntakeLoad {
  /** Requests that wait for a group. */
  waiting: number;
  waitingMax: number;
  /** Groups in flight. */
  lanes: number;
  lanesMax: number;
}

export function createProcessMetrics(registry: Registry) {
  let readIntake: (() => IntakeLoad) | null = null;
  const { version, commit } = readBuild();
  showSamples(
    registry,
    'gauge',
    {
      name: 'leadwire_build_info',
      help: 'Always 1: the version of Leadwire, the commit it was built from, and its Node',
      labelNames: ['version', 'commit', 'node'],
    },
    () => [{ labels: { version, commit, node: process.versions.node }, value: 1 }],
  );
  const ofIntake = (name: string, help: string, of: keyof IntakeLoad): void =>
    showSamples(registry, 'gauge', { name, help, labelNames: [] }, () =>
      readIntake ? [{ labels: {}, value: readIntake()[of] }] : [],
    );
  ofIntake('leadwire_intake_queue_requests', 'Requests that wait for a group', 'waiting');
  ofIntake(
    'leadwire_intake_queue_limit_requests',
    'INTAKE_QUEUE_MAX: with as many waiting, further requests are refused',
    'waitingMax',
  );
  ofIntake('leadwire_intake_lanes_used', 'Groups of the intake in flight', 'lanes');
  ofIntake('leadwire_intake_lanes_limit', 'INTAKE_LANES: as many may be in flight', 'lanesMax');
  return {
    /** The process accepts leads. @param load called each time the metrics are read */
    showIntake(load: () => IntakeLoad): void {
      readIntake = load;
    },
  };
}
