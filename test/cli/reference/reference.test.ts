import { describe, expect, it } from '@jest/globals';
import { readManifest } from '../../../cli/actions/manifest.js';
import { isOldSpelling, verbsOf } from '../../../cli/actions/verbs.js';
import { describedProgram } from '../../../cli/program.js';
import { createReference } from '../../../cli/reference/reference.js';
import { readRoot } from '../../deploy/repository.js';

describe('the reference of the commands', () => {
  it('is current: npm run docs:cli writes it', () => {
    const [page, made] = [
      readRoot('docs/cli-reference.md').split('\n'),
      createReference(describedProgram()).split('\n'),
    ];
    // The first line that differs is clearer than two whole pages.
    const at = made.findIndex((line, n) => line !== page[n]);
    expect([at, page[at], page.length]).toEqual([-1, undefined, made.length]);
  });

  it('has every action, and the composed commands', () => {
    const page = createReference(describedProgram());
    const shown = readManifest().flatMap((one) => (isOldSpelling(one) ? verbsOf(one) : [one]));
    const commands = shown.map(({ cli }) => cli.join(' '));
    for (const command of [...commands, 'leads tail', 'signature verify', 'operator leads replay'])
      expect(page).toContain(`\n## leadwire ${command}\n`);
    for (const { cli } of readManifest().filter(isOldSpelling))
      expect(page).not.toContain(`\n## leadwire ${cli.join(' ')}\n`);
    expect(page).not.toMatch(/^## .* help$/m);
    expect(page).not.toContain('__complete');
  });
});
