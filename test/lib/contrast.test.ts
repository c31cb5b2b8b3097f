import { describe, expect, it } from '@jest/globals';
import { contrastOf, readableOn } from '../../src/lib/contrast.js';
import { SURFACES } from '../../src/portal/settingsSchema.js';

describe('the contrast of colours', () => {
  it('is that of WCAG', () => {
    expect(contrastOf('#ffffff', '#000000')).toBeCloseTo(21, 5);
    expect(contrastOf('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
    expect(contrastOf('#1d4ed8', '#1d4ed8')).toBe(1);
  });

  it('is the same whichever stands on the other', () => {
    expect(contrastOf('#0f766e', '#ffffff')).toBe(contrastOf('#ffffff', '#0f766e'));
  });

  it.each(['#ffd400', '#1d4ed8', '#000000', '#ffffff', '#ff0000', '#808080'])(
    'a readable shade of %s is found for both themes',
    (color) => {
      for (const surface of Object.values(SURFACES))
        expect(contrastOf(readableOn(color, surface), surface)).toBeGreaterThanOrEqual(4.5);
    },
  );

  it('leaves a colour that can be read as it is', () => {
    expect(readableOn('#1d4ed8', SURFACES.light)).toBe('#1d4ed8');
  });
});
