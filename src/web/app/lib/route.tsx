/** Screens by address: each is loaded when it is first opened. */
import type { LucideIcon } from 'lucide-react';
import { lazy, type ComponentType } from 'react';
import { Redirect, Route, useSearchParams } from 'wouter';
import type { Me } from './session.js';

/** A screen of the navigation, or one that another screen links to. */
export interface Screen {
  /** Below the membership, as wouter reads it: `/sales`, `/sales/:id`. */
  path: string;
  /** In the navigation; absent for a screen that another screen links to. */
  label?: string;
  icon?: LucideIcon;
  /** The heading under which the navigation lists it. */
  group?: string;
  /** The letter that opens it after `g`. */
  shortcut?: string;
  /** Whether this membership has the screen; without it, every one. */
  isFor?(me: Me): boolean;
  component: ComponentType;
}

/** A screen's module exports the screen as `default`. */
export const lazily = (load: () => Promise<{ default: ComponentType }>): ComponentType =>
  lazy(load);

interface ScreenOptions extends Pick<Screen, 'label' | 'icon' | 'group' | 'shortcut'> {
  /** A call: the membership has the screen when it may run it. */
  needs?: string;
}

/** A screen by its module, which exports it as `default`. */
export const screen = (
  path: string,
  load: () => Promise<{ default: ComponentType }>,
  { needs, ...options }: ScreenOptions = {},
): Screen => ({
  ...options,
  path,
  isFor: ({ calls }) => needs === undefined || calls.includes(needs),
  component: lazily(load),
});

/** An address of before that leads to where its screen is now. `to` has the same parameters. */
export const redirect = (path: string, to: string): Screen => ({
  path,
  component: () => (
    <Route path={path}>
      {(params) => (
        <Redirect
          to={to.replaceAll(/:(\w+)/g, (_, name: string) =>
            encodeURIComponent((params as Record<string, string | undefined>)[name] ?? ''),
          )}
          replace
        />
      )}
    </Route>
  ),
});

/** Filters that live in the address, so that they survive a reload and can be sent to a colleague. */
export function useFilters<K extends string>(
  names: readonly K[],
): [Partial<Record<K, string>>, (changes: Partial<Record<K, string>>) => void] {
  const [params, setParams] = useSearchParams();
  const filters: Partial<Record<K, string>> = {};
  for (const name of names) {
    const value = params.get(name);
    if (value) filters[name] = value;
  }
  const change = (changes: Partial<Record<K, string>>): void => {
    setParams(
      (before) => {
        const after = new URLSearchParams(before);
        for (const name of names) {
          if (!(name in changes)) continue;
          const value = changes[name];
          if (value) after.set(name, value);
          else after.delete(name);
        }
        return after;
      },
      { replace: true },
    );
  };
  return [filters, change];
}
