import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { Written } from '../../ui/index.js';
import type { ChangeRequest } from '../parties/types.js';

/** Whose request it is, with the way there. */
export const PartyName = ({ party }: Pick<ChangeRequest, 'party'>): ReactNode =>
  party.name === null ? (
    <span className="muted">Deleted</span>
  ) : (
    <Link href={`/${party.kind}s/${party.id}`}>
      <Written>{party.name}</Written>
    </Link>
  );
