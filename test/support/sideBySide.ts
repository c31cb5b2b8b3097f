/** Tests that mostly wait for timers: their bodies run side by side, and each is told apart. */
import { beforeAll, it } from '@jest/globals';

type Body = () => Promise<void>;

/**
 * What declares such a test, in the place of `it`. Call it after the `beforeAll` that the bodies need; they begin
 * together, so each must have its own account.
 */
export function sideBySide(): (name: string, body: Body, withinMs?: number) => void {
  const bodies = new Map<string, Body>();
  const running = new Map<string, Promise<void>>();
  beforeAll(() => {
    for (const [name, body] of bodies) {
      const run = body();
      // It fails the test of its name, not the process.
      run.catch(() => undefined);
      running.set(name, run);
    }
  });
  return (name, body, withinMs) => {
    bodies.set(name, body);
    it(name, () => running.get(name), withinMs);
  };
}
