/** Maximum calls in any 60 seconds, and maximum writes among them. */
export interface KeyLimits {
  calls_per_minute: number;
  writes_per_minute: number;
}
