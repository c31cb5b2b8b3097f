/** The frame of every screen: navigation, account, and the screen that the address names. */
import { Suspense, type ReactNode } from 'react';
import { Route, Switch, useLocation } from 'wouter';
import { useFormats } from '../lib/format.js';
import type { Screen } from '../lib/route.js';
import { useSession } from '../lib/session.js';
import { Skeleton } from '../ui/index.js';
import { Toasts } from '../ui/toast.js';
import { AccountMenu } from './accountMenu.js';
import { Boundary } from './boundary.js';
import { Navigation } from './navigation.js';
import { SignInDialog } from './signInDialog.js';
import { Unknown } from './unknown.js';
import { Visit } from './visit.js';

export interface ShellProps {
  screens: readonly Screen[];
  /** In the bar, beside the account. */
  tools?: ReactNode;
}

export function Shell({ screens, tools }: ShellProps): ReactNode {
  const { me } = useSession();
  const [location] = useLocation();
  const shown = screens.filter(({ isFor }) => isFor?.(me) ?? true);
  return (
    <Toasts>
      <a className="skip" href="#content">
        Skip to the content
      </a>
      <div className="frame">
        <Navigation screens={shown} />
        <div className="page">
          <section className="bar" aria-label="Tools and account">
            {tools}
            <AccountMenu />
          </section>
          <main id="content">
            <Visit />
            <Boundary key={location}>
              <Suspense fallback={<Skeleton lines={8} />}>
                <Switch>
                  {shown.map(({ path, component }) => (
                    <Route key={path} path={path} component={component} />
                  ))}
                  <Route component={Unknown} />
                </Switch>
              </Suspense>
            </Boundary>
          </main>
          <Foot />
        </div>
      </div>
      <SignInDialog />
    </Toasts>
  );
}

function Foot(): ReactNode {
  return <footer className="foot">Times are in {useFormats().zone} time.</footer>;
}
