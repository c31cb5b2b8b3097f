/** What the health of a process is reported as. */
export interface HealthReport {
  ok: boolean;
  dependencies: Record<string, DependencyHealth>;
  /** What an operator should see to although the process can do its work; absent: nothing. */
  warnings?: string[];
}

export interface Health {
  /** Asks every dependency; one that fails is a part of the report, not an exception. */
  check(): Promise<HealthReport>;
}

export interface DependencyHealth {
  state: 'ok' | 'error';
  /** Why it is in error, for an operator. */
  message?: string;
  latency_ms?: number;
}
