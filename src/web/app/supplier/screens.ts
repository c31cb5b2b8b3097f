/** The screens of a supplier, in the order of the navigation. */
import {
  BookOpen,
  FlaskConical,
  KeyRound,
  LayoutDashboard,
  List,
  Megaphone,
  Wallet,
  Webhook,
} from 'lucide-react';
import { screen, type Screen } from '../lib/route.js';

export const supplierScreens: readonly Screen[] = [
  screen('/', () => import('./overview.js'), { label: 'Overview', icon: LayoutDashboard }),
  screen('/guide', () => import('./guide.js'), { label: 'Posting guide', icon: BookOpen }),
  screen('/console', () => import('./console.js'), {
    label: 'Test console',
    icon: FlaskConical,
    needs: 'send_test_post',
  }),
  screen('/posts', () => import('./posts.js'), { label: 'Posts', icon: List }),
  screen('/posts/:id', () => import('./post.js')),
  screen('/payout', () => import('./payout.js'), { label: 'Payout', icon: Wallet }),
  screen('/campaigns', () => import('./campaigns.js'), { label: 'Campaigns', icon: Megaphone }),
  screen('/keys', () => import('./keys.js'), { label: 'Keys', icon: KeyRound }),
  screen('/webhook', () => import('./webhook.js'), { label: 'Webhook', icon: Webhook }),
];
