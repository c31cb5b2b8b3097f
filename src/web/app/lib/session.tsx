/** The person who is signed in, the membership, and its rights. */
import { createContext, use } from 'react';
import type { z } from 'zod';
import type { PartnerMe } from '../../../api/partner/schemas/shared.js';
import type { ApiBase } from './api.js';

type Partner = z.output<typeof PartnerMe>;

export type PortalSettings = Partner['settings'];

/** The membership that a page is for: of a partner, or of the organization's own people. */
export interface Me extends Pick<Partner, 'person' | 'organization' | 'calls' | 'files'> {
  membership: { id: string; side: 'buyer' | 'supplier' | 'organization'; role: string };
  /** The buyer or supplier; null for the organization's own people. */
  party: Partner['party'] | null;
  /** An admin of the organization sees the partner's portal. */
  is_visit?: Partner['is_visit'];
  /** Of the portal; null for the organization's own people. */
  settings: PortalSettings | null;
}

interface Session {
  me: Me;
  api: ApiBase;
}

const SessionContext = createContext<Session | null>(null);

export const SessionProvider = SessionContext.Provider;

/** @throws {Error} outside of a provider */
export function useSession(): Session {
  const session = use(SessionContext);
  if (!session) throw new Error('A screen stands inside the shell.');
  return session;
}

/** Whether the person may use that call (or, for files, `leads.csv`): the portal's settings and the role allow it. */
export function useCan(name: string): boolean {
  const { calls, files } = useSession().me;
  return calls.includes(name) || files.includes(name);
}

/** The name that a page shows as its owner's. */
export const brandOf = ({ settings, organization }: Me): string =>
  settings?.branding.name ?? organization.name;
