/** The portal of a market's supplier, opened for a test. */
import { z } from 'zod';
import type { PortalRules } from '../../../../src/portal/settingsSchema.js';
import {
  openPortal,
  portalClient,
  setPortal,
  type MemberSpec,
  type PortalClient,
  type PortalReply,
} from '../../../support/portal.js';
import type { Market, Testbed } from '../../../support/testbed.js';

export interface SupplierPortal extends PortalClient {
  supplier_id: string;
  membership_id: string;
  /** The same session, used for another membership. */
  as(membershipId: string): PortalClient;
  /** The `data` of a call answered with 200. @throws {Error} for any other status */
  data<O extends z.ZodType>(
    schemas: { output: O },
    name: string,
    input?: object,
  ): Promise<z.output<O>>;
  /** Changes the operator's rules for the portal. */
  allow(rules: Partial<PortalRules> & { is_enabled?: boolean }): Promise<void>;
}

/** @param n index of the market's supplier */
export async function openSupplier(
  { collections, url }: Testbed,
  { account }: Market,
  {
    n = 0,
    rules = {},
    member = {},
  }: { n?: number; rules?: Partial<PortalRules>; member?: Partial<MemberSpec> } = {},
): Promise<SupplierPortal> {
  const supplier_id = account.suppliers[n]?.id ?? '';
  const party = { org_id: account.orgId, side: 'supplier' as const, party_id: supplier_id };
  const signedIn = await openPortal(collections, party, rules, member);
  const client = portalClient(url, signedIn);
  return {
    ...client,
    supplier_id,
    membership_id: signedIn.membership_id,
    as: (membershipId) => portalClient(url, signedIn, membershipId),
    async data(schemas, name, input) {
      const reply = await client.call(name, input);
      if (reply.status !== 200) throw new Error(`${name}: ${reply.status} ${reply.text}`);
      return checkAnswer(schemas.output, reply.json?.data);
    },
    allow: (given) => setPortal(collections, party, { ...rules, ...given }),
  };
}

/** @throws {ZodError} for data that the schema of the answer does not describe */
export function checkAnswer<O extends z.ZodType>(output: O, data: unknown): z.output<O> {
  const shown = data as z.output<O>;
  z.encode(output, shown);
  return shown;
}

export const codeOf = ({ status, json }: PortalReply) => [status, json?.error];
