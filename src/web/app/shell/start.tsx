/** Starts a page: reads the membership from the address, asks the service who is signed in, and shows the screens. */
import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query';
import { StrictMode, useEffect, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { Router } from 'wouter';
import { send, type ApiBase, type ApiError } from '../lib/api.js';
import { applyBranding } from '../lib/branding.js';
import { keepFocus } from '../lib/keepFocus.js';
import { listenForErrors } from '../lib/reportErrors.js';
import type { Screen } from '../lib/route.js';
import { SessionProvider, type Me } from '../lib/session.js';
import { applyTheme } from '../lib/theme.js';
import { ErrorState, Skeleton } from '../ui/index.js';
import { Shell } from './shell.js';
import '../ui/all.css';

interface Entry {
  /** The first part of the address. */
  at: '/portal' | '/org';
  /** Calls are below it, by their names. */
  api(membership: string): ApiBase;
  /** The address of the call that returns who is signed in. */
  me(membership: string): string;
  screens(me: Me): readonly Screen[];
  /** In the bar of every screen. */
  tools?: ReactNode;
}

/** Milliseconds for which data is not read again when its screen is reopened. */
const FRESH_MS = 15_000;

export function start(entry: Entry): void {
  listenForErrors();
  applyTheme();
  keepFocus();
  const queries = new QueryClient({
    defaultOptions: { queries: { retry: false, staleTime: FRESH_MS } },
  });
  const membership = location.pathname.split('/')[2] ?? '';
  const root = document.getElementById('app');
  if (!root) throw new Error('The page has no place for the screens.');
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queries}>
        <Router base={`${entry.at}/${membership}`}>
          <SignedIn entry={entry} membership={membership} />
        </Router>
      </QueryClientProvider>
    </StrictMode>,
  );
}

function SignedIn({ entry, membership }: { entry: Entry; membership: string }): ReactNode {
  const api = entry.api(membership);
  const {
    data: me,
    error,
    refetch,
  } = useQuery<Me, ApiError>({
    queryKey: [api, 'me'],
    queryFn: async () => ((await send(entry.me(membership))) as { data: Me }).data,
    staleTime: Infinity,
  });
  const branding = me?.settings?.branding;
  useEffect(() => {
    if (branding) applyBranding(branding);
  }, [branding]);
  // Once the screens are there they stay, with what is typed in them, when this cannot be read again.
  if (me) {
    return (
      <SessionProvider value={{ me, api }}>
        <Shell screens={entry.screens(me)} tools={entry.tools} />
      </SessionProvider>
    );
  }
  if (!error) {
    return (
      <main>
        <Skeleton lines={8} />
      </main>
    );
  }
  return (
    <main>
      <h1>This page cannot be shown</h1>
      <ErrorState error={error} retry={() => void refetch()} />
      <p>
        <a href="/choose">Go to your memberships</a>
      </p>
    </main>
  );
}
