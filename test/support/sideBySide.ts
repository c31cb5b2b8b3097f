/** Tests that mostly wait for timers: their bodies run concurrently, and each is reported separately. */
import { beforeAll, it } from '@jest/globals';

type Body = () => Promise<void>;

/**
 * Declares such a test, in place of `it`. Call it after the `beforeAll` that the bodies need; they start
 * together, so each must have its own account.
 */
export function sideBySide(): (name: string, body: Body, withinMs?: number) => void {
  const bodies = new Map<string, Body>();
  const running = new Map<string, Promise<void>>();
  beforeAll(() => {
    for (const [name, body] of bodies) {
      const run = body();
      // A rejection fails the test of this name, not the process.
      run.catch(() => undefined);
      running.set(name, run);
    }
  });
  return (name, body, withinMs) => {
    bodies.set(name, body);
    it(name, () => running.get(name), withinMs);
  };
}
