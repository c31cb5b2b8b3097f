import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { Written } from '../ui/index.js';
import type { ChangeRequest } from './parties/types.js';

interface LeadNameProps {
  lead_id: string;
  lead_name: string | null;
}

/** The person, where the role may see it; otherwise the beginning of the lead's id. */
export const LeadName = ({ lead_id, lead_name }: LeadNameProps): ReactNode =>
  lead_name === null ? <code>{lead_id.slice(0, 8)}</code> : <Written>{lead_name}</Written>;

/** A record that may be gone. */
export const Name = ({ of }: { of: string | null }): ReactNode =>
  of === null ? <span className="muted">Deleted</span> : <Written>{of}</Written>;

/** A buyer or supplier, with the way there. */
export const PartyName = ({ party }: Pick<ChangeRequest, 'party'>): ReactNode =>
  party.name === null ? (
    <span className="muted">Deleted</span>
  ) : (
    <Link href={`/${party.kind}s/${party.id}`}>
      <Written>{party.name}</Written>
    </Link>
  );
