/** The content of the dialog: loaded when it is opened, because the table of the commands is no part of a screen. */
import type { ReactNode } from 'react';
import './how.css';
import { Code } from '../ui/copy.js';
import type { HowMenuProps } from './how.js';
import { TABLE } from './howTable.js';
import { commandOf, curlOf, toolCallOf } from './howWords.js';

export default function Ways({ action, input = {} }: HowMenuProps): ReactNode {
  const command = TABLE.get(action);
  return (
    <div className="how">
      {command && <Code label="As a command" text={commandOf(command, input)} />}
      <Code label="As curl" text={curlOf(action, input, location.origin)} />
      <Code label="As an assistant would (MCP)" text={toolCallOf(action, input)} />
      <p className="muted">
        The command and curl need a key of this organization, from the page Keys. The reference of
        every action is at <a href="/docs">/docs</a>.
      </p>
    </div>
  );
}
