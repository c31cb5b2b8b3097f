/** Short messages about completed acts. */
import { CircleAlert, CircleCheck, X } from 'lucide-react';
import { createContext, use, useCallback, useRef, useState, type ReactNode } from 'react';
import { Button, IconButton } from './button.js';

interface ToastOptions {
  /** Takes the act back: the message has a button for it. */
  undo?: () => unknown;
  tone?: 'good' | 'bad';
}

interface Toast extends ToastOptions {
  id: number;
  text: string;
}

type ShowToast = (text: string, options?: ToastOptions) => void;

const ToastContext = createContext<ShowToast>(() => undefined);

const SHOWN_MS = 8_000;
const SHOWN_MAX = 3;

/** Shows a message for some seconds, and has it read aloud. Never the only place of an error. */
export const useToast = (): ShowToast => use(ToastContext);

export function Toasts({ children }: { children: ReactNode }): ReactNode {
  const [toasts, setToasts] = useState<readonly Toast[]>([]);
  const last = useRef(0);
  const remove = (id: number): void => setToasts((shown) => shown.filter((one) => one.id !== id));
  const show = useCallback<ShowToast>((text, options) => {
    const id = ++last.current;
    setToasts((shown) => [...shown, { ...options, id, text }].slice(-SHOWN_MAX));
    setTimeout(() => remove(id), SHOWN_MS);
  }, []);
  return (
    <ToastContext value={show}>
      {children}
      <div className="toasts" role="status" aria-live="polite">
        {toasts.map(({ id, text, undo, tone = 'good' }) => (
          <div key={id} className={`toast ${tone}`}>
            {tone === 'good' ? (
              <CircleCheck size={18} aria-hidden />
            ) : (
              <CircleAlert size={18} aria-hidden />
            )}
            <p>{text}</p>
            {undo && (
              <Button
                kind="quiet"
                onClick={() => {
                  remove(id);
                  void undo();
                }}
              >
                Undo
              </Button>
            )}
            <IconButton icon={X} label="Dismiss" onClick={() => remove(id)} />
          </div>
        ))}
      </div>
    </ToastContext>
  );
}
