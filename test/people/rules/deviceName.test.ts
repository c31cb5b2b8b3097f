import { describe, expect, it } from '@jest/globals';
import { deviceName } from '../../../src/people/rules/deviceName.js';

describe('the name of a device', () => {
  it.each([
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
      'Chrome on Windows',
    ],
    ['Mozilla/5.0 (Windows NT 10.0) Chrome/140.0 Safari/537.36 Edg/140.0', 'Edge on Windows'],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Version/19.0 Mobile/15E148 Safari/604.1',
      'Safari on iPhone',
    ],
    ['Mozilla/5.0 (Android 16; Mobile; rv:150.0) Gecko/150.0 Firefox/150.0', 'Firefox on Android'],
    ['curl/8.0', 'curl'],
    ['SomeTool/1.0 (X11)', 'Unknown browser on Linux'],
    ['', 'Unknown device'],
  ])('of %j is %s', (agent, name) => {
    expect(deviceName(agent)).toBe(name);
  });
});
