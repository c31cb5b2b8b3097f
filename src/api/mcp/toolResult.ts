/** The result of a tool: the envelope of the Actions API as text and as data (contract 11.1). */
import type { AppError, ErrorCode } from '../../lib/errors.js';
import { DESCRIBE } from './tools.js';
import { errorBody } from '../http/errorBody.js';

export interface ToolResult {
  content: [{ type: 'text'; text: string }];
  structuredContent: Record<string, unknown>;
  isError: boolean;
}

/** @param answer `data`, and its neighbors in the envelope */
export const done = (answer: { data: unknown }): ToolResult => result({ success: true, ...answer });

/** The refusal of a tool: `error` is for the assistant to read, `code` and the rest are as over HTTP. */
export function refused(error: AppError, tool: string, requestId: string): ToolResult {
  const { error: code, message, ...rest } = errorBody(error, requestId);
  const next = code === 'invalid_input' ? correct(tool) : NEXT[code];
  return result({
    success: false,
    error: next === undefined ? message : `${message} ${next}`,
    code,
    ...rest,
  });
}

function correct(tool: string): string {
  const again = 'Correct what details lists, and call again';
  if (tool === DESCRIBE) return `${again}.`;
  return `${again}; ${DESCRIBE} { "name": "${tool}" } shows the whole input.`;
}

/** The next step, where the message does not name it. */
const NEXT: Partial<Record<ErrorCode, string>> = {
  forbidden:
    'Tell the user that an admin can create a key that has it; this key cannot be changed.',
  record_not_found: 'The list_ tools return the existing ids.',
  version_conflict: 'Read the record again, and repeat the change with its current version.',
};

function result(envelope: Record<string, unknown>): ToolResult {
  const text = JSON.stringify(envelope);
  return {
    content: [{ type: 'text', text }],
    structuredContent: envelope,
    isError: envelope.success === false,
  };
}
