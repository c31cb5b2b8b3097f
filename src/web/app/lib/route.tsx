/** Screens by address: each is loaded when it is first opened. */
import { lazy, type ComponentType } from 'react';
import { useSearchParams } from 'wouter';
import type { Me } from './session.js';

/** A screen of the navigation, or one that another screen links to. */
export interface Screen {
  /** Below the membership, as wouter reads it: `/sales`, `/sales/:id`. */
  path: string;
  /** In the navigation; absent for a screen that another screen links to. */
  label?: string;
  /** Whether this membership has the screen; without it, every one. */
  isFor?(me: Me): boolean;
  component: ComponentType;
}

/** A screen's module exports the screen as `default`. */
export const lazily = (load: () => Promise<{ default: ComponentType }>): ComponentType =>
  lazy(load);

/** A screen by its module, which exports it as `default`. A membership has it when it has one of the calls it `needs`. */
export const screen = (
  path: string,
  load: () => Promise<{ default: ComponentType }>,
  { label, needs }: { label?: string; needs?: string } = {},
): Screen => ({
  path,
  label,
  isFor: ({ calls }) => needs === undefined || calls.includes(needs),
  component: lazily(load),
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
