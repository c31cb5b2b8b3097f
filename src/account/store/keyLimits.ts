/** Calls in any stretch of 60 seconds, and those among them that change something. */
export interface KeyLimits {
  calls_per_minute: number;
  writes_per_minute: number;
}
