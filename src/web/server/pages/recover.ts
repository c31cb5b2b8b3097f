/** A forgotten password: the person requests a link, and chooses a new one. */
import { enter } from './enter.js';
import { faultsOf } from './faults.js';
import { fromOf, pageEndpoints, personOf, textOf } from './pageEndpoint.js';
import { showPage } from './render/page.js';
import {
  deadLinkPage,
  RECOVER_FIELDS,
  recoverPage,
  recoverySentPage,
  RESET_FIELDS,
  resetPage,
  unmailedPage,
} from './views/links.js';

const OVER = 'It was used, or has expired after 30 minutes. Request a new link.';

export const recover = pageEndpoints({
  id: 'recoverPage',
  path: '/recover',
  summary: 'Ask for a link to a new password',
  description: 'Its answer is the same for every address, known or not.',
  show: (call, { people }) => {
    const person = personOf(call);
    return showPage(200, people.recovery.isMailed ? recoverPage({ person }) : unmailedPage(person));
  },
  submit: async (call, { people }) => {
    const person = personOf(call);
    const email = textOf(call, 'email').trim();
    try {
      await people.recovery.request(email, fromOf(call));
      return showPage(200, recoverySentPage(person));
    } catch (error) {
      const faults = faultsOf(error, RECOVER_FIELDS);
      return showPage(200, recoverPage({ person, values: { email }, faults }));
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
    const person = personOf(call);
    const token = call.param('token');
    const link = await people.recovery.read(token);
    if (!link) return showPage(404, deadLinkPage(person, OVER));
    return showPage(200, resetPage({ ...link, person, action: actionOf(token) }));
  },
  submit: async (call, { people }) => {
    const person = personOf(call);
    const token = call.param('token');
    const link = await people.recovery.read(token);
    if (!link) return showPage(404, deadLinkPage(person, OVER));
    try {
      const result = await people.recovery.finish(token, textOf(call, 'password'), fromOf(call));
      return await enter(call, people, result, null);
    } catch (error) {
      const faults = faultsOf(error, RESET_FIELDS);
      if (faults.status === 404) return showPage(404, deadLinkPage(person, OVER));
      return showPage(200, resetPage({ ...link, person, action: actionOf(token), faults }));
    }
  },
});

const actionOf = (token: string): string => `/recover/${encodeURIComponent(token)}`;
