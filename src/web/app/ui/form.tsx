/** Forms: the service checks the input, and each of its faults is shown at its field. */
import {
  createContext,
  use,
  useCallback,
  useEffect,
  useId,
  useRef,
  useState,
  type ReactNode,
} from 'react';
import { ApiError, type Fault } from '../lib/api.js';
import type { Write } from '../lib/useCalls.js';
import { Button, type ButtonKind } from './button.js';
import { SupportId } from './states.js';

interface FormState {
  faults: readonly Fault[];
  /** Fields register the path they show, while they are mounted; other faults are shown above the form. */
  claim(path: string): () => void;
}

const FormContext = createContext<FormState>({ faults: [], claim: () => () => undefined });

interface FormProps {
  /** The button that sent the form is among the values, where it has a name. An `ApiError` that it throws is shown. */
  onSubmit(values: FormData): unknown;
  /** The call that the form makes: its refusal is shown, and while it runs the form cannot be submitted. */
  write?: Pick<Write<never, unknown>, 'error' | 'isRunning'>;
  /** The refusal of the last try, where it is not that of `write`. */
  error?: Error | null;
  /** The text of the button. */
  submit?: string;
  /** Several buttons that submit the form; the values have the pressed one as `act`. */
  acts?: readonly (readonly [value: string, text: string, kind?: ButtonKind])[];
  /** Next to the button. */
  actions?: ReactNode;
  children: ReactNode;
}

/** The typed text stays when the service refuses it, and the focus goes to the first faulty field. */
export function Form(props: FormProps): ReactNode {
  const { onSubmit, write, submit, acts = [], actions, children } = props;
  const [fault, setFault] = useState<ApiError | null>(null);
  const error = fault ?? props.error ?? write?.error ?? null;
  const isBusy = write?.isRunning ?? false;
  const form = useRef<HTMLFormElement>(null);
  const claimed = useRef(new Set<string>());
  const faults = error instanceof ApiError ? error.details : [];
  useEffect(() => {
    if (!error) return;
    const wrong =
      form.current?.querySelector<HTMLElement>('[aria-invalid="true"]') ??
      form.current?.querySelector<HTMLElement>('[role="alert"]');
    wrong?.focus();
  }, [error]);
  const claim = useCallback((path: string) => {
    claimed.current.add(path);
    return () => void claimed.current.delete(path);
  }, []);
  const send = async (values: FormData): Promise<void> => {
    setFault(null);
    try {
      await onSubmit(values);
    } catch (thrown) {
      if (!(thrown instanceof ApiError)) throw thrown;
      setFault(thrown);
    }
  };
  const isClaimed = (path: string): boolean => [...claimed.current].some((of) => isBelow(path, of));
  return (
    <FormContext value={{ faults, claim }}>
      <form
        ref={form}
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          const { submitter } = event.nativeEvent;
          if (!isBusy) void send(new FormData(event.currentTarget, submitter));
        }}
      >
        {error && <Summary error={error} isClaimed={isClaimed} />}
        {children}
        {(submit !== undefined || acts.length > 0) && (
          <div className="actions">
            {submit !== undefined && (
              <Button type="submit" kind="primary" isBusy={isBusy}>
                {submit}
              </Button>
            )}
            {acts.map(([value, text, kind]) => (
              <Button
                key={value}
                type="submit"
                kind={kind}
                name="act"
                value={value}
                isBusy={isBusy}
              >
                {text}
              </Button>
            ))}
            {actions}
          </div>
        )}
      </form>
    </FormContext>
  );
}

interface SummaryProps {
  error: Error;
  isClaimed(path: string): boolean;
}

function Summary({ error, isClaimed }: SummaryProps): ReactNode {
  const faults = error instanceof ApiError ? error.details : [];
  const others = faults.filter(({ path }) => !isClaimed(path));
  return (
    <div className="summary" role="alert" tabIndex={-1}>
      <p>{error.message}</p>
      {others.length > 0 && (
        <ul>
          {others.map(({ path, message }) => (
            <li key={`${path} ${message}`}>{path === '' ? message : `${path}: ${message}`}</li>
          ))}
        </ul>
      )}
      {/* What is wrong with the input, the person mends without support. */}
      {faults.length === 0 && <SupportId error={error} />}
    </div>
  );
}

const isBelow = (path: string, of: string): boolean => path === of || path.startsWith(`${of}.`);

/** The service's fault for the value at that path or below it; null when there is none. */
export function useFault(path: string): string | null {
  const { faults, claim } = use(FormContext);
  useEffect(() => claim(path), [claim, path]);
  const own = faults.filter((fault) => isBelow(fault.path, path));
  return own.length > 0 ? own.map(({ message }) => message).join(' ') : null;
}

export interface LabelProps {
  label: string;
  /** The key of the value, and the path of its faults. */
  name: string;
  hint?: ReactNode;
}

interface Described {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
}

interface LabelledProps extends LabelProps {
  isOptional?: boolean;
  children(described: Described): ReactNode;
}

/** Label, hint and fault around a control. */
export function Labelled({ label, name, hint, isOptional, children }: LabelledProps): ReactNode {
  const id = useId();
  const fault = useFault(name);
  const described = [
    ...(hint === undefined ? [] : [`${id}-hint`]),
    ...(fault === null ? [] : [`${id}-fault`]),
  ];
  return (
    <div className="field">
      <label htmlFor={id}>
        {label}
        {isOptional && <span className="muted"> (optional)</span>}
      </label>
      {hint !== undefined && (
        <p id={`${id}-hint`} className="hint">
          {hint}
        </p>
      )}
      {children({
        id,
        'aria-describedby': described.length > 0 ? described.join(' ') : undefined,
        'aria-invalid': fault === null ? undefined : true,
      })}
      {fault !== null && (
        <p id={`${id}-fault`} className="fault">
          {fault}
        </p>
      )}
    </div>
  );
}
