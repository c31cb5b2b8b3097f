import { afterEach, describe, expect, it } from '@jest/globals';
import { connectTemporal } from '../../../src/platform/temporal/connection.js';
import { startProxy, type Proxy } from '../../chaos/faults/proxy.js';
import { testStack } from '../../support/stack.js';
import { waitFor } from '../../support/waitFor.js';

describe('the connection of a process without workers', () => {
  const ended: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const end of ended.splice(0).reverse()) await end();
  });
  const proxied = async (): Promise<Proxy> => {
    const proxy = await startProxy({ target: testStack().temporalAddress, seed: 'connection' });
    ended.push(() => proxy.stop());
    return proxy;
  };
  const connect = async (address: string) => {
    const connection = await connectTemporal(address);
    ended.push(() => connection.close());
    return () =>
      connection.withDeadline(Date.now() + 300, async () => {
        await connection.workflowService.getSystemInfo({});
        return true;
      });
  };

  it('answers again a second after a long outage of the server', async () => {
    const proxy = await proxied();
    const asks = await connect(`127.0.0.1:${proxy.port}`);
    expect(await asks()).toBe(true);
    await proxy.mode('refuse');
    // With its own backoff, gRPC would by then wait more than five seconds between two attempts.
    const until = performance.now() + 12_000;
    while (performance.now() < until) await expect(asks()).rejects.toThrow();
    await proxy.mode('pass');
    await waitFor(asks, { message: 'it answers again', timeoutMs: 2_000 });
  }, 30_000);

  it('names the address that does not answer, in time', async () => {
    const proxy = await proxied();
    await proxy.mode('refuse');
    const before = performance.now();
    const address = `127.0.0.1:${proxy.port}`;
    await expect(connect(address)).rejects.toThrow(`Temporal does not answer at ${address}: `);
    expect(performance.now() - before).toBeLessThan(8_000);
  }, 15_000);
});
