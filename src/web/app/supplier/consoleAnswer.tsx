/** The answer to a test: its status, the reason, and the bodies both ways. */
import { useEffect, useRef, type ReactNode } from 'react';
import { Link } from 'wouter';
import { Badge, Code, Written } from '../ui/index.js';
import type { TestAnswer } from './consoleInput.js';
import { postHref } from './postTable.js';
import { FieldNotes, TestBand } from './words.js';

export function ConsoleAnswer({ answer }: { answer: TestAnswer | null }): ReactNode {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    // With faulty fields, the form moves the focus to the first of them.
    if (answer && answer.faults.length === 0) heading.current?.focus();
  }, [answer]);
  if (!answer) return null;
  const { http_status, code, message, faults, filters, post_id } = answer;
  return (
    <section className="section" aria-label="Response">
      <h2 ref={heading} tabIndex={-1}>
        Response: HTTP {http_status} <Badge tone={http_status < 300 ? 'good' : 'bad'}>{code}</Badge>
      </h2>
      <TestBand />
      <p>
        <Written>{message}</Written>
      </p>
      <FieldNotes notes={[...faults, ...filters]} />
      {post_id !== null && (
        <p>
          <Link href={postHref(post_id)}>View in the log</Link>
        </p>
      )}
      <Code label="Response body" text={answer.answer} />
      {answer.ping !== null && <Code label="Response to the ping" text={answer.ping} />}
      <Code label="Request" text={answer.sent} />
    </section>
  );
}
