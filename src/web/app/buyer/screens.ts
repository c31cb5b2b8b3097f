/** The screens of a buyer, in the order of the navigation. */
import './buyer.css';
import { screen, type Screen } from '../lib/route.js';

export const buyerScreens: readonly Screen[] = [
  screen('/', () => import('./overview/overview.js'), { label: 'Overview' }),
  screen('/leads', () => import('./leads/leads.js'), { label: 'Leads', needs: 'list_sales' }),
  screen('/leads/:lead', () => import('./leads/lead.js'), { needs: 'get_sale' }),
  screen('/returns', () => import('./returns/returns.js'), {
    label: 'Returns',
    needs: 'list_returns',
  }),
  screen('/outcomes', () => import('./outcomes/outcomes.js'), {
    label: 'Import outcomes',
    needs: 'import_outcomes',
  }),
  screen('/endpoint', () => import('./endpoint/endpoint.js'), {
    label: 'Endpoint',
    needs: 'get_endpoint',
  }),
  screen('/postbacks', () => import('./postbacks/postbacks.js'), {
    label: 'Postbacks',
    needs: 'get_postback_guide',
  }),
  screen('/terms', () => import('./terms/terms.js'), { label: 'Terms', needs: 'get_terms' }),
  screen('/terms/:campaign/change', () => import('./terms/requestChange.js'), {
    needs: 'request_change',
  }),
];
