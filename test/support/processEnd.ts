/**
 * What the test files of one process share (a connection, a service) is ended with the process: by `globalTeardown`
 * where the tests run in Jest's own process, otherwise by `testGlobals`, when Jest lets go of its worker.
 */
const closings: (() => Promise<unknown>)[] = [];

/** Adds a step to the end of the process; the last one added runs first. */
export const atProcessEnd = (close: () => Promise<unknown>): void => void closings.unshift(close);

/** Ends what is shared. Never rejects: no test is left that could fail. */
export async function endShared(): Promise<void> {
  for (const close of closings.splice(0)) await close().catch(() => undefined);
}
