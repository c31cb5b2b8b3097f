/**
 * The bare address: browsers are redirected to the person's own page, programs receive a description of the service.
 */
import { startPage } from '../../../api/endpoints/docs.js';
import type { Endpoint } from '../../../api/http/endpoint.js';
import { goTo } from './render/page.js';

export const home: Endpoint = {
  ...startPage,
  auth: 'page',
  description:
    'Redirects a browser to the pages of its signed-in person or to the sign-in page, and a program to /docs.',
  handle: (call, deps) => {
    // Programs accept anything, or ask for JSON; browsers name HTML.
    if (!call.acceptedTypes().includes('text/html')) return startPage.handle(call, deps);
    return Promise.resolve(goTo(call.session ? '/choose' : '/sign-in'));
  },
};
