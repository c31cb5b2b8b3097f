import type { ReactNode } from 'react';
import { useSession } from '../lib/session.js';

/** The person who is signed in; links to the account, to another membership, and out. */
export function AccountMenu(): ReactNode {
  const { person } = useSession().me;
  return (
    <>
      <button type="button" className="button" popoverTarget="account-menu">
        Account
      </button>
      <div id="account-menu" className="menu" popover="auto">
        <div className="menu-person">
          <bdi>{person.name}</bdi>
          <bdi className="muted">{person.email}</bdi>
        </div>
        <a href="/account">Password and security</a>
        <a href="/choose">Other memberships</a>
        <form method="post" action="/sign-out">
          <button type="submit">Sign out</button>
        </form>
      </div>
    </>
  );
}
