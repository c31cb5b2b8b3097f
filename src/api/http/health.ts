/** The reported health of a process. */
export interface HealthReport {
  ok: boolean;
  dependencies: Record<string, DependencyHealth>;
  /** Problems for the operator although the process can do its work; absent: none. */
  warnings?: string[];
}

export interface Health {
  /** Checks every dependency; one that fails is a part of the report, not an exception. */
  check(): Promise<HealthReport>;
}

export interface DependencyHealth {
  state: 'ok' | 'error';
  /** The reason for the error, for an operator. */
  message?: string;
  latency_ms?: number;
}
