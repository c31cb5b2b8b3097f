/** The person who is signed in; links to the account, to another membership, the theme, and out. */
import { ArrowLeftRight, Check, LogOut, Monitor, Moon, ShieldCheck, Sun } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useSession } from '../lib/session.js';
import { getTheme, setTheme, type Theme } from '../lib/theme.js';
import { initialsOf } from './navigation.js';

const THEMES = [
  { theme: 'system', label: 'System theme', Icon: Monitor },
  { theme: 'light', label: 'Light theme', Icon: Sun },
  { theme: 'dark', label: 'Dark theme', Icon: Moon },
] as const;

/** A native popover: part of every page, it costs none of them a library. */
export function AccountMenu(): ReactNode {
  const { person } = useSession().me;
  return (
    <>
      <button type="button" className="account-button" popoverTarget="account-menu">
        <span className="avatar" aria-hidden="true">
          {initialsOf(person.name)}
        </span>
        <span className="account-label">Account</span>
      </button>
      <div id="account-menu" className="popup account-menu" popover="auto">
        <div className="popup-person">
          <bdi>{person.name}</bdi>
          <bdi className="muted">{person.email}</bdi>
        </div>
        <a className="popup-item" href="/account">
          <ShieldCheck size={16} aria-hidden /> Password and security
        </a>
        <a className="popup-item" href="/choose">
          <ArrowLeftRight size={16} aria-hidden /> Other memberships
        </a>
        <Themes />
        <form method="post" action="/sign-out">
          <button type="submit" className="popup-item">
            <LogOut size={16} aria-hidden /> Sign out
          </button>
        </form>
      </div>
    </>
  );
}

function Themes(): ReactNode {
  const [chosen, choose] = useState<Theme>(getTheme);
  return (
    <div className="account-themes" role="group" aria-label="Theme">
      {THEMES.map(({ theme, label, Icon }) => (
        <button
          key={theme}
          type="button"
          className="popup-item"
          aria-pressed={theme === chosen}
          onClick={() => {
            setTheme(theme);
            choose(theme);
          }}
        >
          <Icon size={16} aria-hidden /> {label}
          {theme === chosen && (
            <span className="popup-detail">
              <Check size={16} aria-hidden />
            </span>
          )}
        </button>
      ))}
    </div>
  );
}
