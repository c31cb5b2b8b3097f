/** Leads and money over time, by whatever they differ in. */
import { ChartColumn } from 'lucide-react';
import { screen, type Screen } from '../../lib/route.js';

export const reportScreens: readonly Screen[] = [
  screen('/reports', () => import('./reports.js'), {
    label: 'Reports',
    icon: ChartColumn,
    shortcut: 'i',
    needs: 'get_lead_breakdown',
  }),
];
