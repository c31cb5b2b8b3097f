/** What people make most, from every screen. */
import { KeyRound, Megaphone, Plus, UserPlus } from 'lucide-react';
import type { ReactNode } from 'react';
import { useCan } from '../lib/session.js';
import { Button, Menu } from '../ui/index.js';

export function NewMenu(): ReactNode {
  const mayMakeKeys = useCan('create_api_key');
  const mayInvite = useCan('invite_member');
  const mayMakeCampaigns = useCan('create_campaign');
  const items = [
    mayMakeCampaigns && { label: 'Campaign', icon: Megaphone, href: '/campaigns?new=1' },
    mayMakeKeys && { label: 'API key', icon: KeyRound, href: '/keys?new=1' },
    mayInvite && { label: 'Invitation', icon: UserPlus, href: '/members?invite=1' },
  ].filter((item) => item !== false);
  if (items.length === 0) return null;
  return (
    <Menu
      trigger={
        <Button>
          <Plus size={16} aria-hidden />
          New
        </Button>
      }
      items={items}
    />
  );
}
