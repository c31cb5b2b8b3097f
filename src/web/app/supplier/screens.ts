/** The screens of a supplier, in the order of the navigation. */
import { lazily, type Screen } from '../lib/route.js';

export const supplierScreens: readonly Screen[] = [
  { path: '/', label: 'Overview', component: lazily(() => import('./overview.js')) },
  { path: '/guide', label: 'Posting guide', component: lazily(() => import('./guide.js')) },
  {
    path: '/console',
    label: 'Test console',
    isFor: ({ calls }) => calls.includes('send_test_post'),
    component: lazily(() => import('./console.js')),
  },
  { path: '/posts', label: 'Posts', component: lazily(() => import('./posts.js')) },
  { path: '/posts/:id', component: lazily(() => import('./post.js')) },
  { path: '/payout', label: 'Payout', component: lazily(() => import('./payout.js')) },
  { path: '/campaigns', label: 'Campaigns', component: lazily(() => import('./campaigns.js')) },
  { path: '/keys', label: 'Keys', component: lazily(() => import('./keys.js')) },
  { path: '/webhook', label: 'Webhook', component: lazily(() => import('./webhook.js')) },
];
