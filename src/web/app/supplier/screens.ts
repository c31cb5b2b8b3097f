/** The screens of a supplier, in the order of the navigation. */
import { screen, type Screen } from '../lib/route.js';

export const supplierScreens: readonly Screen[] = [
  screen('/', () => import('./overview.js'), { label: 'Overview' }),
  screen('/guide', () => import('./guide.js'), { label: 'Posting guide' }),
  screen('/console', () => import('./console.js'), {
    label: 'Test console',
    needs: 'send_test_post',
  }),
  screen('/posts', () => import('./posts.js'), { label: 'Posts' }),
  screen('/posts/:id', () => import('./post.js')),
  screen('/payout', () => import('./payout.js'), { label: 'Payout' }),
  screen('/campaigns', () => import('./campaigns.js'), { label: 'Campaigns' }),
  screen('/keys', () => import('./keys.js'), { label: 'Keys' }),
  screen('/webhook', () => import('./webhook.js'), { label: 'Webhook' }),
];
