/** Campaigns: their list, and the screens of one. */
import { Megaphone } from 'lucide-react';
import { screen, type Screen } from '../../lib/route.js';

export const campaignScreens: readonly Screen[] = [
  screen('/campaigns', () => import('./list.js'), {
    label: 'Campaigns',
    icon: Megaphone,
    shortcut: 'c',
    needs: 'list_campaigns',
  }),
  screen('/campaigns/:id', () => import('./overview.js'), { needs: 'get_campaign' }),
  screen('/campaigns/:id/guide', () => import('./guide.js'), { needs: 'get_campaign_api_spec' }),
  screen('/campaigns/:id/test', () => import('./testLead.js'), { needs: 'send_test_lead' }),
];
