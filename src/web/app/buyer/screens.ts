/** The screens of a buyer, in the order of the navigation. */
import './buyer.css';
import { FileText, LayoutDashboard, Plug, Undo2, Upload, Users, Webhook } from 'lucide-react';
import { screen, type Screen } from '../lib/route.js';

export const buyerScreens: readonly Screen[] = [
  screen('/', () => import('./overview/overview.js'), { label: 'Overview', icon: LayoutDashboard }),
  screen('/leads', () => import('./leads/leads.js'), {
    label: 'Leads',
    icon: Users,
    needs: 'list_sales',
  }),
  screen('/leads/:lead', () => import('./leads/lead.js'), { needs: 'get_sale' }),
  screen('/returns', () => import('./returns/returns.js'), {
    label: 'Returns',
    icon: Undo2,
    needs: 'list_returns',
  }),
  screen('/outcomes', () => import('./outcomes/outcomes.js'), {
    label: 'Import outcomes',
    icon: Upload,
    needs: 'import_outcomes',
  }),
  screen('/endpoint', () => import('./endpoint/endpoint.js'), {
    label: 'Endpoint',
    icon: Plug,
    needs: 'get_endpoint',
  }),
  screen('/postbacks', () => import('./postbacks/postbacks.js'), {
    label: 'Postbacks',
    icon: Webhook,
    needs: 'get_postback_guide',
  }),
  screen('/terms', () => import('./terms/terms.js'), {
    label: 'Terms',
    icon: FileText,
    needs: 'get_terms',
  }),
  screen('/terms/:campaign/change', () => import('./terms/requestChange.js'), {
    needs: 'request_change',
  }),
];
