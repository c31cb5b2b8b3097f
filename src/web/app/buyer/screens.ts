/** The screens of a buyer, in the order of the navigation. */
import './buyer.css';
import { lazily, type Screen } from '../lib/route.js';
import type { Me } from '../lib/session.js';

/** A membership has a screen when it has one of these calls. */
const needs =
  (...calls: readonly string[]) =>
  (me: Me): boolean =>
    calls.some((call) => me.calls.includes(call));

export const buyerScreens: readonly Screen[] = [
  { path: '/', label: 'Overview', component: lazily(() => import('./overview/overview.js')) },
  {
    path: '/leads',
    label: 'Leads',
    isFor: needs('list_sales'),
    component: lazily(() => import('./leads/leads.js')),
  },
  {
    path: '/leads/:lead',
    isFor: needs('get_sale'),
    component: lazily(() => import('./leads/lead.js')),
  },
  {
    path: '/returns',
    label: 'Returns',
    isFor: needs('list_returns'),
    component: lazily(() => import('./returns/returns.js')),
  },
  {
    path: '/outcomes',
    label: 'Import outcomes',
    isFor: needs('import_outcomes'),
    component: lazily(() => import('./outcomes/outcomes.js')),
  },
  {
    path: '/endpoint',
    label: 'Endpoint',
    isFor: needs('get_endpoint'),
    component: lazily(() => import('./endpoint/endpoint.js')),
  },
  {
    path: '/postbacks',
    label: 'Postbacks',
    isFor: needs('get_postback_guide'),
    component: lazily(() => import('./postbacks/postbacks.js')),
  },
  {
    path: '/terms',
    label: 'Terms',
    isFor: needs('get_terms'),
    component: lazily(() => import('./terms/terms.js')),
  },
  {
    path: '/terms/:campaign/change',
    isFor: needs('request_change'),
    component: lazily(() => import('./terms/requestChange.js')),
  },
];
