/** A forgotten password: the person requests a link, and chooses a new one. */
import type { Call, Reply } from '../../../api/http/endpoint.js';
import { enter } from './enter.js';
import { faultsOf } from './faults.js';
import { fromOf, pageEndpoints, textOf } from './pageEndpoint.js';
import { showPage } from './render/page.js';
import {
  deadLinkPage,
  RECOVER_FIELDS,
  recoverPage,
  RECOVERY_SENT_PAGE,
  RESET_FIELDS,
  resetPage,
  UNMAILED_PAGE,
} from './views/links.js';

const OVER = 'It was already used, or has expired after 30 minutes. Request a new link.';

const dead = (call: Call): Reply => showPage(call, deadLinkPage(OVER), { status: 404 });

export const recover = pageEndpoints({
  id: 'recoverPage',
  path: '/recover',
  summary: 'Request a link to a new password',
  description: 'Its answer is the same for every address, known or not.',
  show: (call, { people }) =>
    showPage(call, people.recovery.isMailed ? recoverPage({}) : UNMAILED_PAGE),
  submit: async (call, { people }) => {
    const email = textOf(call, 'email').trim();
    try {
      await people.recovery.request(email, fromOf(call));
      return showPage(call, RECOVERY_SENT_PAGE);
    } catch (error) {
      const faults = faultsOf(error, RECOVER_FIELDS);
      return showPage(call, recoverPage({ values: { email }, faults }));
    }
  },
});

export const reset = pageEndpoints({
  id: 'resetPage',
  path: '/recover/:token',
  change: 'recover_password',
  summary: 'Choose a new password',
  description: 'Opening the link changes nothing; its form uses it, once.',
  show: async (call, { people }) => {
    const token = call.param('token');
    const link = await people.recovery.read(token);
    if (!link) return dead(call);
    return showPage(call, resetPage({ ...link, action: actionOf(token) }));
  },
  submit: async (call, { people }) => {
    const token = call.param('token');
    const link = await people.recovery.read(token);
    if (!link) return dead(call);
    try {
      const result = await people.recovery.finish(token, textOf(call, 'password'), fromOf(call));
      return await enter(call, people, result, null);
    } catch (error) {
      const faults = faultsOf(error, RESET_FIELDS);
      if (faults.status === 404) return dead(call);
      return showPage(call, resetPage({ ...link, action: actionOf(token), faults }));
    }
  },
});

const actionOf = (token: string): string => `/recover/${encodeURIComponent(token)}`;
