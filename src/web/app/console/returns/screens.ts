/** Returns that buyers request. */
import { Undo2 } from 'lucide-react';
import { screen, type Screen } from '../../lib/route.js';

export const returnScreens: readonly Screen[] = [
  screen('/returns', () => import('./returns.js'), {
    label: 'Returns',
    icon: Undo2,
    needs: 'list_returns',
    shortcut: 'r',
  }),
];
