import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useFormats } from '../../lib/format.js';
import { useCan } from '../../lib/session.js';
import { useCall, type Endpoint } from '../calls.js';
import { Loaded, Section } from '../../ui/index.js';

/** What waits for the buyer or for the operator. */
export function Waiting(): ReactNode {
  return (
    <Section title="Waiting">
      <ul className="plain">
        {useCan('get_endpoint') && <WaitingDeliveries />}
        {useCan('list_returns') && <WaitingReturns />}
        {useCan('list_changes') && <WaitingChanges />}
      </ul>
    </Section>
  );
}

function WaitingDeliveries(): ReactNode {
  const { number } = useFormats();
  const endpoint = useCall('get_endpoint', {}, { refreshSeconds: 30 });
  return (
    <li>
      <Loaded of={endpoint}>
        {({ health }) => (
          <>
            <Link href="/endpoint?state=waiting">
              {number(health.waiting)} {health.waiting === 1 ? 'delivery' : 'deliveries'}
            </Link>{' '}
            to your endpoint{healthNote(health)}
          </>
        )}
      </Loaded>
    </li>
  );
}

const healthNote = (health: Endpoint['health']): string => {
  if (health.is_held) return '. The seller put them on hold.';
  if (health.state === 'paused') return '. Your endpoint is failing: sending is paused.';
  if (health.state === 'failing')
    return `. Your endpoint is failing: last ${health.failures} deliveries failed.`;
  return '.';
};

const WaitingReturns = (): ReactNode => (
  <Undecided
    of={useCall('list_returns', { state: 'requested' })}
    href="/returns?state=requested"
    noun="return"
  >
    waiting for the seller's decision.
  </Undecided>
);

const WaitingChanges = (): ReactNode => (
  <Undecided of={useCall('list_changes', { state: 'pending' })} href="/terms" noun="change">
    of terms waiting for the seller's decision.
  </Undecided>
);

const PAGE = 50;

interface UndecidedProps {
  of: Parameters<typeof Loaded<readonly unknown[]>>[0]['of'];
  href: string;
  noun: string;
  children: string;
}

/** The number of requests, with a link to them. */
const Undecided = ({ of, href, noun, children }: UndecidedProps): ReactNode => (
  <li>
    <Loaded of={of}>
      {({ length }) => (
        <>
          <Link href={href}>
            {/* A full page may not be the last one. */}
            {length}
            {length === PAGE && ' or more'} {length === 1 ? noun : `${noun}s`}
          </Link>{' '}
          {children}
        </>
      )}
    </Loaded>
  </li>
);
