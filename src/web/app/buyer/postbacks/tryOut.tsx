import { useState, type ReactNode } from 'react';
import { notSent } from '../../lib/api.js';
import { useWrite, type InputOf, type OutputOf } from '../calls.js';
import { Badge, Code, Form, TextArea } from '../../ui/index.js';
import { formText } from '../../lib/formValues.js';
import { ShortLead } from '../leadLink.js';
import { parseExactJson } from '../../../../lib/exactJson.js';

type Body = InputOf<'try_postback'>['body'];
type Answer = OutputOf<'try_postback'>;

const EXAMPLE = JSON.stringify(
  { lead_id: '', outcome: 'converted', conversion_revenue: 120 },
  null,
  2,
);

/** Shows the response that the postback URL would send. */
export function TryOut(): ReactNode {
  const attempt = useWrite('try_postback');
  const [answer, setAnswer] = useState<Answer | null>(null);
  const submit = async (values: FormData): Promise<void> => {
    setAnswer(null);
    const body = readBody(formText(values, 'body'));
    setAnswer(await attempt.run({ body, apply: values.get('act') === 'apply' }));
  };
  return (
    <>
      <Form
        onSubmit={submit}
        write={attempt}
        acts={[
          ['check', 'Check only'],
          ['apply', 'Send and record', 'primary'],
        ]}
      >
        <TextArea
          label="Body as JSON"
          name="body"
          dir="ltr"
          rows={6}
          spellCheck={false}
          required
          defaultValue={EXAMPLE}
          hint="Set lead_id to the ID of one of your leads"
        />
      </Form>
      {answer && <AnswerShown of={answer} />}
    </>
  );
}

function AnswerShown({ of }: { of: Answer }): ReactNode {
  const isGood = of.http_status < 300;
  return (
    <div className="card">
      <p role="status">
        <Badge tone={isGood ? 'good' : 'bad'}>{of.http_status}</Badge>{' '}
        {of.applied ? 'Recorded.' : 'Nothing was recorded.'}{' '}
        {of.lead_id !== null && (
          <>
            Matched lead <ShortLead id={of.lead_id} />.
          </>
        )}
      </p>
      <Code label="Response" text={of.answer} />
    </div>
  );
}

/** @throws {ApiError} unless it is a JSON object */
function readBody(text: string): Body {
  try {
    const body: unknown = parseExactJson(text);
    if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body as Body;
    throw new TypeError('It is not an object.');
  } catch (error) {
    throw notSent('body', `The body must be a JSON object. ${(error as Error).message}`);
  }
}
