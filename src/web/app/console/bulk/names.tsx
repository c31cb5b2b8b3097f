import type { ReactNode } from 'react';
import { Written } from '../../ui/index.js';

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
