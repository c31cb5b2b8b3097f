/** The whole service, and the Actions API of each account. */
import { createOrgKey, permissionsOf } from '../../../src/account/keys/keys.js';
import type { ActionName } from '../../../src/api/actions/names.js';
import { startTestbed, type Market, type Testbed } from '../../support/testbed.js';
import { accountOf } from '../../support/org.js';
import { waitFor } from '../../support/waitFor.js';

export interface Reply<T> {
  status: number;
  data: T;
  message: string;
}

export interface ReturnTestbed extends Testbed {
  /** Calls an action with a new key for each call, so that no limit applies. */
  call<T = Record<string, unknown>>(
    market: Market,
    name: ActionName,
    input: object,
  ): Promise<Reply<T>>;
  /** The same; anything but 200 is a failure. */
  done<T = Record<string, unknown>>(market: Market, name: ActionName, input: object): Promise<T>;
  /** Sells a lead to the first buyer, and returns its id. */
  sold(market: Market): Promise<string>;
}

let keys = 0;

export async function startReturnTestbed(): Promise<ReturnTestbed> {
  const testbed = await startTestbed();
  const { collections } = testbed;
  const call = async (
    { account }: Market,
    name: ActionName,
    input: object,
  ): Promise<Reply<never>> => {
    const made = { name: `Key ${++keys}`, permissions: permissionsOf('write') };
    const { api_key } = await createOrgKey(accountOf({ collections }, account.orgId), made);
    const answer = await fetch(`${testbed.url}/api/v1/actions/${name}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${api_key}`, 'content-type': 'application/json' },
      body: JSON.stringify(input),
    });
    const { data, message = '' } = (await answer.json()) as { data: never; message?: string };
    return { status: answer.status, data, message };
  };
  return {
    ...testbed,
    call,
    async done(market, name, input) {
      const { status, data, message } = await call(market, name, input);
      if (status !== 200) throw new Error(`${name}: ${status} ${message}`);
      return data;
    },
    async sold(market) {
      // A slow machine may refuse a lead at first (503), or answer `pending` before the sale.
      const { data } = await market.supplier.postUntilTaken();
      const hasSale = async () => (await testbed.lead(data?.id)).sales.length > 0;
      await waitFor(hasSale, { message: `lead ${data?.id} is sold` });
      return data?.id ?? '';
    },
  };
}

/** A return in the form that actions show. */
export interface Returned {
  id: string;
  state: string;
  done: boolean;
  resale_lead_id: string | null;
}
