/** The screens of the organization, in the order of the navigation. The first is at `/`. */
import { lazily, type Screen } from '../lib/route.js';

export const orgScreens: readonly Screen[] = [
  {
    path: '/',
    label: 'Partners',
    isFor: ({ calls }) => calls.includes('list_portals'),
    component: lazily(() => import('./partners.js')),
  },
  { path: '/partners/:side', component: lazily(() => import('./partnerDefaults.js')) },
  { path: '/partners/:side/:id', component: lazily(() => import('./partner.js')) },
  {
    path: '/changes',
    label: 'Change requests',
    isFor: ({ calls }) => calls.includes('list_change_requests'),
    component: lazily(() => import('./changes.js')),
  },
  {
    path: '/members',
    label: 'Members',
    isFor: ({ calls }) => calls.includes('list_members'),
    component: lazily(() => import('./members.js')),
  },
];
