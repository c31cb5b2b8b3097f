/** The team of a partner: its members and their roles. */
import { screen } from '../lib/route.js';

export const teamScreen = screen('/team', () => import('./team.js'), { label: 'Team' });
