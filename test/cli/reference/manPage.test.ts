import { describe, expect, it } from '@jest/globals';
import { readManifest } from '../../../cli/actions/manifest.js';
import { isOldSpelling, verbsOf } from '../../../cli/actions/verbs.js';
import { describedProgram } from '../../../cli/program.js';
import { createManPage } from '../../../cli/reference/manPage.js';

describe('the manual page', () => {
  const page = createManPage(describedProgram(), '1.2.3');
  const lines = page.split('\n');

  it('has the sections of a manual page, in their order', () => {
    expect(lines[0]).toBe('.TH LEADWIRE 1 "" "leadwire 1.2.3" "Leadwire"');
    expect(lines.filter((line) => line.startsWith('.SH'))).toEqual(
      ['NAME', 'SYNOPSIS', 'DESCRIPTION', 'OPTIONS', 'COMMANDS', 'EXIT STATUS', 'ENVIRONMENT'].map(
        (name) => `.SH ${name}`,
      ),
    );
  });

  it('has every action, the composed commands, and no internal command', () => {
    const shown = readManifest().flatMap((one) => (isOldSpelling(one) ? verbsOf(one) : [one]));
    const commands = shown.map(({ cli }) => cli.join(' '));
    for (const command of [...commands, 'leads tail', 'operator leads replay'])
      expect(lines).toContain(`.SS "${command.replaceAll('-', '\\-')}"`);
    expect(page).not.toContain('__complete');
  });

  it('has no line that roff would read as a request, and no accidental escape', () => {
    const requests = lines.filter((line) => /^[.']/.test(line)).map((line) => line.split(' ')[0]);
    expect([...new Set(requests)].toSorted()).toEqual(
      ['.B', '.I', '.PP', '.SH', '.SS', '.TH', '.TP', '.br', '.fi', '.nf'].toSorted(),
    );
    for (const line of lines) expect(line.replace(/\\(?:[e&-]|\(dq)/g, '')).not.toContain('\\');
  });

  it('shows an option with its choices and its default, and the examples of a command', () => {
    expect(page).toContain('.B \\-\\-color <when>\ncolor. One of auto, always, never.');
    expect(page).toContain('\\-\\-currency <code>\nISO 4217 code. Default: USD.');
    expect(page).toContain('leadwire init \\-\\-name "Acme Leads"');
  });
});
