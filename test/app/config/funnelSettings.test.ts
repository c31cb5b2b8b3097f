import { describe, expect, it } from '@jest/globals';
import { readConfig } from '../../../src/app/config.js';

/** The funnel settings of the service, read from these variables. */
const funnelsOf = (settings: Record<string, string>) => readConfig(settings).funnels;

describe('FUNNELS_URL', () => {
  it('gives funnels an origin of their own', () => {
    const [BASE_URL, FUNNELS_URL] = ['https://leads.example.com', 'https://go.example.com'];
    expect(funnelsOf({ BASE_URL, FUNNELS_URL })).toEqual({ url: FUNNELS_URL, hasOwnOrigin: true });
    expect(funnelsOf({ FUNNELS_URL })).toEqual({ url: FUNNELS_URL, hasOwnOrigin: true });
  });

  it('gives none on the origin of the pages of people', () => {
    const BASE_URL = 'https://leads.example.com';
    for (const FUNNELS_URL of [BASE_URL, `${BASE_URL}:443`, 'http://leads.example.com'])
      expect(funnelsOf({ BASE_URL, FUNNELS_URL })).toMatchObject({ hasOwnOrigin: false });
    expect(funnelsOf({ BASE_URL })).toEqual({ url: undefined, hasOwnOrigin: false });
  });
});
