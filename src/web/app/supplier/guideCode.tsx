/** The requests of a guide as code, in the language that the developer chooses. */
import { useState, type ReactNode } from 'react';
import { Checkbox, Code, Section } from '../ui/index.js';
import { Tabs } from './tabs.js';
import type { OutputOf } from './calls.js';

type Guide = OutputOf<'get_posting_guide'>['guide'];

const LANGUAGES = [
  { key: 'curl', label: 'curl' },
  { key: 'javascript', label: 'JavaScript' },
  { key: 'python', label: 'Python' },
  { key: 'php', label: 'PHP' },
] as const;
type Language = (typeof LANGUAGES)[number]['key'];

export function GuideCode({ guide }: { guide: Guide }): ReactNode {
  const [language, setLanguage] = useState<Language>('curl');
  const [isLive, setIsLive] = useState(false);
  return (
    <Section title="Code">
      <p>Replace the placeholder with your API key.</p>
      <Checkbox
        label="Live leads"
        name="live"
        hint="When off, the code sends test leads, which are free of charge."
        checked={isLive}
        onChange={(event) => setIsLive(event.target.checked)}
      />
      <Tabs<Language> label="Language" tabs={LANGUAGES} value={language} onChange={setLanguage}>
        {requestsOf(guide, language, isLive).map(({ label, text }) => (
          <Code key={label} label={label} text={text} />
        ))}
      </Tabs>
    </Section>
  );
}

/** Pings come first where the campaign uses them; looking up is a command line only. */
function requestsOf(guide: Guide, language: Language, isLive: boolean) {
  const kind = isLive ? 'lead' : 'test_lead';
  const pingKind = isLive ? 'ping' : 'test_ping';
  const test = isLive ? '' : ' test';
  const { ping, curl, code } = guide;
  const lead = language === 'curl' ? curl[kind] : code[kind][language];
  const asked = ping && (language === 'curl' ? ping.curl[pingKind] : ping.code[pingKind][language]);
  return [
    ...(asked ? [{ label: `Send a${test} ping`, text: asked }] : []),
    { label: `Post a${test} lead`, text: lead },
    ...(language === 'curl' ? [{ label: 'Look up a lead', text: curl.look_up }] : []),
  ];
}
