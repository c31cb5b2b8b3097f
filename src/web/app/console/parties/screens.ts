/** Buyers and suppliers, and their portals. */
import { Store, Truck } from 'lucide-react';
import { redirect, screen, type Screen } from '../../lib/route.js';

export const partyScreens: readonly Screen[] = [
  screen('/buyers', () => import('./buyers.js'), {
    label: 'Buyers',
    icon: Store,
    shortcut: 'b',
    needs: 'list_buyers',
  }),
  screen('/buyers/:id/:tab?', () => import('./buyer.js'), { needs: 'get_buyer' }),
  screen('/suppliers', () => import('./suppliers.js'), {
    label: 'Suppliers',
    icon: Truck,
    shortcut: 's',
    needs: 'list_suppliers',
  }),
  screen('/suppliers/:id/:tab?', () => import('./supplier.js'), { needs: 'get_supplier' }),
  screen('/portals/:side', () => import('./defaults.js'), { needs: 'get_portal_settings' }),
  redirect('/portals', '/portals/buyer'),
  redirect('/partners/buyer/:id', '/buyers/:id/portal'),
  redirect('/partners/supplier/:id', '/suppliers/:id/portal'),
  redirect('/partners/:side', '/portals/:side'),
  redirect('/partners', '/buyers'),
];
