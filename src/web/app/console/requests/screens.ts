/** Changes that partners request. */
import { GitPullRequestArrow } from 'lucide-react';
import { screen, type Screen } from '../../lib/route.js';

export const requestScreens: readonly Screen[] = [
  screen('/changes', () => import('./changes.js'), {
    label: 'Change requests',
    icon: GitPullRequestArrow,
    needs: 'list_change_requests',
  }),
];
