/** Changes that partners request. */
import { GitPullRequestArrow } from 'lucide-react';
import { redirect, screen, type Screen } from '../../lib/route.js';

export const requestScreens: readonly Screen[] = [
  screen('/requests', () => import('./requests.js'), {
    label: 'Change requests',
    icon: GitPullRequestArrow,
    needs: 'list_change_requests',
  }),
  redirect('/changes', '/requests'),
];
