/** The team of a partner: its members and their roles. */
import { lazily, type Screen } from '../lib/route.js';

export const teamScreen: Screen = {
  path: '/team',
  label: 'Team',
  component: lazily(() => import('./team.js')),
};
