import { useEffect, useState, type ReactNode } from 'react';
import { useLocation } from 'wouter';
import { Confirm } from '../../ui/index.js';
import type { Campaign } from './rows.js';

interface LeaveGuardProps {
  campaign: Campaign;
  /** Cells that are changed and not saved. */
  count: number;
}

/**
 * Asks before a person leaves the screens of the campaign with changes that are not saved. Another tab of the campaign
 * keeps them.
 */
export function LeaveGuard({ campaign, count }: LeaveGuardProps): ReactNode {
  const [, navigate] = useLocation();
  const [href, setHref] = useState<string | null>(null);
  const isDirty = count > 0;
  const id = campaign.id;
  useEffect(() => {
    if (!isDirty) return;
    const onUnload = (event: BeforeUnloadEvent): void => event.preventDefault();
    const onClick = (event: MouseEvent): void => {
      const to = leavingTo(event, id);
      if (to === null) return;
      event.preventDefault();
      event.stopPropagation();
      setHref(to);
    };
    addEventListener('beforeunload', onUnload);
    // Before the link's own handler.
    document.addEventListener('click', onClick, true);
    return () => {
      removeEventListener('beforeunload', onUnload);
      document.removeEventListener('click', onClick, true);
    };
  }, [isDirty, id]);
  return (
    <Confirm
      title="Leave with unsaved changes?"
      act="Leave"
      isOpen={href !== null}
      onClose={() => setHref(null)}
      onConfirm={() => {
        setHref(null);
        if (href !== null) navigate(`~${href}`);
      }}
    >
      <p>
        {count === 1 ? '1 change' : `${count} changes`} of <bdi>{campaign.name}</bdi>{' '}
        {count === 1 ? 'is' : 'are'} not saved. They are kept until you close or reload this page:
        come back to the campaign to save them.
      </p>
    </Confirm>
  );
}

/** The address of a screen outside of the campaign that a click would open here; null: nothing is left. */
function leavingTo(event: MouseEvent, campaignId: string): string | null {
  const link = event.target instanceof Element ? event.target.closest('a[href]') : null;
  if (!(link instanceof HTMLAnchorElement) || link.target !== '') return null;
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return null;
  const { origin, pathname, search, hash } = link;
  if (origin !== location.origin || pathname.includes(`/campaigns/${campaignId}`)) return null;
  return pathname === location.pathname ? null : `${pathname}${search}${hash}`;
}
