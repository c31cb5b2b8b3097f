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

function WaitingReturns(): ReactNode {
  const returns = useCall('list_returns', { state: 'requested' });
  return (
    <li>
      <Loaded of={returns}>
        {(rows) => (
          <>
            <Link href="/returns?state=requested">{countOf(rows, 'return', 'returns')}</Link>{' '}
            waiting for the seller's decision.
          </>
        )}
      </Loaded>
    </li>
  );
}

function WaitingChanges(): ReactNode {
  const changes = useCall('list_changes', { state: 'pending' });
  return (
    <li>
      <Loaded of={changes}>
        {(rows) => (
          <>
            <Link href="/terms">{countOf(rows, 'change', 'changes')}</Link> of terms waiting for the
            seller's decision.
          </>
        )}
      </Loaded>
    </li>
  );
}

const PAGE = 50;

/** A full page may not be the last one. */
const countOf = ({ length }: readonly unknown[], one: string, many: string): string =>
  `${length}${length === PAGE ? ' or more' : ''} ${length === 1 ? one : many}`;
