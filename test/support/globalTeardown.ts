/** Where the set-up leaves what ends the stack; jest runs both in one process. */
export const STOP_TEST_STACK = Symbol.for('leadwire.test.stopStack');
export type StackStop = () => Promise<void>;

export default async function globalTeardown(): Promise<void> {
  const stop = (globalThis as Record<symbol, unknown>)[STOP_TEST_STACK] as StackStop | undefined;
  await stop?.();
}
